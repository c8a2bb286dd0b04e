"""Builds, and runs what tools/test runs: see there."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
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
# Real clips whose stated light is checked in the long run: noise, cartoons, highlights, HLG.
LIT = ["hdr10_cartoon_720p25", "hdr10_cup_1080p30", "hlg10_color-test", "pq_320x240_10bit_noise", "hdr10_bear_640x360",
       "hdr10plus_regular_256x144"]  # fmt: skip
MATRICES = [
    "gray10le smpte2084 narrow hevc", "gray12le bt709 full ffv1", "gbr gbrp10le smpte2084 narrow av1",
    "gbr gbrp10le smpte2084 narrow avif", "ycgco yuv420p10le bt709", "bt2020c yuv420p10le bt2020-10",
    "ictcp yuv420p10le smpte2084 narrow ffv1", "ictcp yuv420p10le arib",
]  # fmt: skip


# A command beside the tests: the processors that it keeps busy, how many seconds it takes, and what only one step may use at a time.
Step = collections.namedtuple("Step", "name cores seconds lock command")


def steps(is_long):
    clips = [str(path) for name in LIT for path in sorted(pathlib.Path("../shared/clips").glob(f"{name}*"))]
    lit = ["--long", "--frames", "1", *(clips or SAMPLES)] if is_long else SAMPLES
    short = [
        Step("kernels", 1, 10, None, ["tools/check-kernels"]),
        Step("manual", 1, 100, "build", ["tools/make-man", "--check"]),
        Step("bytes", 1, 50, None, ["tools/check-bytes", HEADROOM]),
        Step("example", 1, 60, None, ["tools/check-example"]),
        Step("light", 1, 10, None, ["tools/check-measure", HEADROOM, *SAMPLES]),
        Step("coded light", 1, 200 if is_long else 60, None, ["tools/check-light", HEADROOM, *lit]),
        Step("matrices", 1, 150 if is_long else 15, None,
             ["tools/check-matrices", HEADROOM, *([] if is_long else ["--only", ",".join(MATRICES)])]),
        Step("dump", 1, 5, None, ["tools/check-dump", HEADROOM, SAMPLES[0]]),
        Step("table", 1, 10, None, ["tools/check-lut", HEADROOM, SAMPLES[0], "--frames", "1", "--first", "24"]),
        Step("damage", 1, 600 if is_long else 80, None,
             ["tools/fuzz", HEADROOM, "--jobs", "1", "--count", "1500" if is_long else "200", *SAMPLES]),
        Step("server", 0.5, 10, None, ["tools/check-server"]),
        Step("bench", os.cpu_count(), 30, "build", ["tools/bench", "--quick"]),
    ]  # fmt: skip
    # Virtual machines do not run beside what takes more than one processor now and then.
    long = [
        Step("documentation", 1, 250, "build", ["tools/make-docs"]),
        Step("displays", 1, 50, "quiet", ["tools/check-displays"]),
        Step("capture", 1, 200, "quiet", ["tools/check-capture"]),
        Step("page", 1, 60, None, ["timeout", "-k", "10", "600", "tools/check-serve", HEADROOM, "--seconds", "20"]),
        Step("farm", 1, 400, None, ["tools/check-farm", HEADROOM]),
        Step("threads", 1, 500, "quiet", ["tools/check-sanitizer", "thread"]),
        Step("memory", 1, 500, "quiet", ["tools/check-sanitizer", "address"]),
    ]
    return short + (long if is_long else [])


def weight(times):
    """The processors that something keeps busy by its former times; 1 if there are none."""
    wall = sum(time["wall"] for time in times)
    return max(min(sum(time["processor"] for time in times) / wall, 1), 0.1) if wall else 1


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
            start = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self.environment)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.steps[name] = {"wall": round(time.monotonic() - start, 1), "processor": round(used.ru_utime + used.ru_stime, 1)}
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
            known = [self.times["tests"][test] for name in names for test in suites[name] if test in self.times.get("tests", {})]
            cores = 0 if swift_tests.WAITING.issuperset(name.split(".")[0] for name in names) else weight(known)
            jobs.append(schedule.Job(f"tests: {', '.join(names)}", worker.run, cores, seconds))
        return jobs, sum(map(len, suites.values()))

    def ended(self, job, passed, seconds):
        if not passed and not self.failures:
            self.failures.append((job.name, "tools/test"))
        if job.name.startswith("tests: "):
            self.say(f"{len(self.tests)} of {self.count} tests")
        else:
            self.say(f"{'passed' if passed else 'FAILED'}: {job.name}, {seconds:.0f} s")

    def run(self):
        areas = self.options.only
        wanted = [s for s in steps(self.options.long) if not areas or s.name in areas]
        modules = [a for a in areas if a not in {s.name for s in wanted}]
        jobs, self.count = self.test_jobs(modules) if modules or not areas else ([], 0)
        if modules and not jobs:
            sys.exit(f"test: there is no test or step {' or '.join(modules)}")
        for step in wanted:
            seconds = self.times.get("steps", {}).get(step.name, {}).get("wall", step.seconds)
            jobs.append(schedule.Job(step.name, lambda s=step: self.step(s.name, s.command), step.cores, seconds, step.lock))
        try:
            schedule.run(jobs, self.ended)
        finally:
            self.summarize()
        trim_fixtures()
        return not self.failures

    def summarize(self):
        kept = {"tests": {**self.times.get("tests", {}), **self.tests}, "steps": {**self.times.get("steps", {}), **self.steps}}
        TIMES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
        print("\nThe slowest tests and all steps, in seconds (and of processor):")
        by_wall = lambda times: sorted(times.items(), key=lambda row: -row[1]["wall"])
        for name, took in by_wall(self.tests)[:20] + by_wall(self.steps):
            print(f"{took['wall']:8.1f} ({took['processor']:6.1f})  {name}")
        of_tests, of_steps = (sum(t["processor"] for t in times.values()) for times in (self.tests, self.steps))
        print(f"{time.monotonic() - self.begin:8.1f} ({of_tests + of_steps:6.1f})  in all")
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
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    # A shell starts what runs in its background with SIGINT ignored, and tests interrupt programs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    sys.exit(0 if Run(options).run() else 1)


main()
