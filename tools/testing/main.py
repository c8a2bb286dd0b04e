"""Builds, and runs what tools/test runs: see there."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import schedule
import swift_tests

TIMES = pathlib.Path(".build/test-times.json")
FIXTURES = pathlib.Path(".build/fixtures")
# Bytes of kept fixtures; those that were not used for longest go first.
FIXTURE_LIMIT = 1 << 30
# Seconds of processor that a test of the short run may take; exceptions have reasons.
SLOW = 5.0
EXCEPTIONS = pathlib.Path("tools/testing/slow-tests")

HEADROOM = ".build/release/headroom"
SAMPLES = ["media/hdr10-sample.mp4", "media/hlg-sample.mp4"]


def steps(is_long):
    """Name, cores, a lock that it shares with others, and the command of every step beside the tests."""
    damaged = "1500" if is_long else "200"
    short = [
        ("kernels", 1, None, ["tools/check-kernels"]),
        ("manual", 1, "build", ["tools/make-man", "--check"]),
        ("bytes", 1, None, ["tools/check-bytes", HEADROOM]),
        ("example", 1, None, ["tools/check-example", *(["--package"] if is_long else [])]),
        ("light", 1, None, ["tools/check-measure", HEADROOM, *SAMPLES]),
        ("coded light", 1, None, ["tools/check-light", HEADROOM, *SAMPLES]),
        ("damage", 1, None, ["tools/fuzz", HEADROOM, "--jobs", "1", "--count", damaged, *SAMPLES]),
        ("server", 0.5, None, ["tools/check-server"]),
        ("bench", os.cpu_count(), "build", ["tools/bench", "--quick"]),
    ]
    long = [
        ("documentation", 1, "build", ["tools/make-docs"]),
        ("displays", 0.5, None, ["tools/check-displays"]),
        ("capture", 0.5, None, ["tools/check-capture"]),
        ("page", 1, None, ["timeout", "-k", "10", "600", "tools/check-serve", HEADROOM, "--seconds", "20"]),
        ("farm", 1, None, ["tools/check-farm", HEADROOM]),
        ("threads", 2, None, ["tools/check-threads"]),
    ]
    return short + (long if is_long else [])


class Run:
    def __init__(self, options):
        self.options, self.begin = options, time.monotonic()
        self.times = json.loads(TIMES.read_text()) if TIMES.exists() else {}
        self.tests, self.steps, self.failures, self.skipped, self.notes = {}, {}, [], 0, set()
        self.exceptions = {line.split()[0] for line in EXCEPTIONS.read_text().splitlines() if not line.startswith("#")}
        # A library of FFmpeg's would start threads in each program, which wait in a loop.
        self.environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", **({"HEADROOM_LONG_TESTS": "1"} if options.long else {}))

    def say(self, text):
        print(f"{time.monotonic() - self.begin:6.0f} s  {text}", flush=True)

    def step(self, name, command):
        """Runs a command, and shows its output when it has ended, because others run beside it."""
        with tempfile.TemporaryFile("w+", errors="replace") as log:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self.environment).returncode
            log.seek(0)
            self.say(f"==> {name}: {' '.join(map(str, command))}\n{log.read()}")
            if status:
                self.failures.append((name, " ".join(map(str, command))))
            return status == 0

    def test(self, name, wall, processor, messages):
        """Takes the result of a test."""
        if wall is None:
            self.skipped += 1
            return
        self.tests[name] = {"wall": round(wall, 3), "processor": round(processor, 3)}
        if messages:
            self.say("\n".join([f"✘ {name}", *messages]))
            self.failures.append((name, f"tools/test --only '{name}'"))
        elif processor > SLOW and not self.options.long and name not in self.exceptions:
            self.say(f"✘ {name} took {processor:.1f} s of processor")
            self.failures.append((f"{name} took more than {SLOW:.0f} s: make it smaller, or put it into --long", f"tools/test --only '{name}'"))

    def note(self, line):
        """Says once what several workers say."""
        if line not in self.notes:
            self.notes.add(line)
            self.say(line)

    def test_jobs(self, areas):
        suites = swift_tests.suites(areas)
        jobs = []
        for seconds, names in swift_tests.batches(suites, self.times.get("tests", {})):
            worker = swift_tests.Worker(names, self.environment, self.test, self.note)
            jobs.append(schedule.Job(f"tests: {', '.join(names)}", worker.run, 1, seconds))
        return jobs, sum(map(len, suites.values()))

    def ended(self, job, passed, seconds):
        if not passed and not self.failures:
            self.failures.append((job.name, "tools/test"))
        if job.name.startswith("tests: "):
            self.say(f"{len(self.tests)} of {self.count} tests")
        else:
            self.steps[job.name] = round(seconds, 1)
            self.say(f"{'passed' if passed else 'FAILED'}: {job.name}, {seconds:.0f} s")

    def run(self):
        areas = self.options.only
        wanted = [s for s in steps(self.options.long) if not areas or s[0] in areas]
        modules = [a for a in areas if a not in {s[0] for s in wanted}]
        jobs, self.count = self.test_jobs(modules) if modules or not areas else ([], 0)
        if modules and not jobs:
            sys.exit(f"test: there is no test or step {' or '.join(modules)}")
        known = self.times.get("steps", {})
        for name, cores, lock, command in wanted:
            jobs.append(schedule.Job(name, lambda n=name, c=command: self.step(n, c), cores, known.get(name, 60), lock))
        try:
            schedule.run(jobs, self.ended)
        finally:
            self.summarize()
        trim_fixtures()
        return not self.failures

    def summarize(self):
        kept = {"tests": {**self.times.get("tests", {}), **self.tests}, "steps": {**self.times.get("steps", {}), **self.steps}}
        TIMES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
        print("\nThe slowest tests, in seconds (and of processor):")
        for name, time_ in sorted(self.tests.items(), key=lambda row: -row[1]["wall"])[:20]:
            print(f"{time_['wall']:8.1f} ({time_['processor']:5.1f})  {name}")
        for name, seconds in sorted(self.steps.items(), key=lambda row: -row[1]):
            print(f"{seconds:8.1f}          {name}")
        print(f"{time.monotonic() - self.begin:8.1f}          in all; {sum(t['processor'] for t in self.tests.values()):.0f} s of processor for tests")
        for name, command in self.failures:
            print(f"\n✘ {name}\n  To repeat it: {command}")
        failed = len({name for name, _ in self.failures})
        print(f"\n{len(self.tests) + len(self.steps) - failed} passed, {failed} failed, {self.skipped} skipped", flush=True)


def trim_fixtures():
    """Removes the fixtures that were not used for longest, until the rest fits."""
    folders = []
    for folder in FIXTURES.glob("*"):
        if folder.suffix in (".lock", ".part"):
            folder.unlink() if folder.is_file() else shutil.rmtree(folder)
        else:
            size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            folders.append((folder.stat().st_mtime, size, folder))
    size = sum(row[1] for row in folders)
    for _, bytes_, folder in sorted(folders):
        if size <= FIXTURE_LIMIT:
            break
        shutil.rmtree(folder)
        size -= bytes_


def main():
    parser = argparse.ArgumentParser(prog="tools/test")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    sys.exit(0 if Run(parser.parse_args()).run() else 1)


main()
