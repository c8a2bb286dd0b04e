"""Runs what tools/test has built: see there.

A test or a tool that leaves something out prints a line that begins with "skipped: "; the summary repeats these lines.
"""

import argparse
import collections
import fcntl
import json
import os
import pathlib
import shlex
import shutil
import signal
import sys
import tempfile
import time

import program
import schedule
import swift_tests

TIMES = pathlib.Path(".build/test-times.json")
FIXTURES = pathlib.Path(".build/fixtures")
# Bytes of kept fixtures; those that were not used for longest go first.
FIXTURE_LIMIT = 2 << 30
# Lines of a failure that are printed again at the end.
TAIL = 40
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


# A command that runs beside the tests: how many processors it uses, how many seconds it takes where no earlier run says so, and a lock
# that only one step holds at a time ("build" for SwiftPM's folder, "quiet" for what fails on a busy machine).
Step = collections.namedtuple("Step", "name cores seconds lock command")


def steps(is_long):
    folder = pathlib.Path(os.environ.get("HEADROOM_CLIPS", "../shared/clips"))
    # A clip that is missing from the folder fails as it does not exist.
    clips = [str(next(folder.glob(f"{name}*"), folder / name)) for name in LIT] if folder.is_dir() else SAMPLES
    short = [
        Step("faults", 0.5, 1, None, ["tools/check-faults", "--match"]),
        Step("kernels", 1, 10, None, ["tools/check-kernels"]),
        Step("manual", 1, 100, "build", ["tools/make-man", "--check"]),
        Step("bytes", 1, 50, None, ["tools/check-bytes", HEADROOM]),
        Step("example", 1, 60, None, ["tools/check-example"]),
        Step("light", 1, 10, None, ["tools/check-measure", HEADROOM, *SAMPLES]),
        Step("coded light", 1, 60, None, ["tools/check-light", HEADROOM, *SAMPLES]),
        Step("matrices", 1, 150 if is_long else 15, None,
             ["tools/check-matrices", HEADROOM, *([] if is_long else ["--only", ",".join(MATRICES)])]),
        Step("dump", 1, 5, None, ["tools/check-dump", HEADROOM, SAMPLES[0]]),
        Step("table", 1, 10, None, ["tools/check-lut", HEADROOM, SAMPLES[0], "--frames", "1", "--first", "24"]),
        Step("damage", 1, 600 if is_long else 80, None,
             ["tools/fuzz", HEADROOM, "--jobs", "1", "--count", "1500" if is_long else "200", *SAMPLES]),
        Step("server", 0.5, 10, None, ["tools/check-server"]),
        Step("bench", schedule.ROOM, 30, "build", ["tools/bench", "--quick"]),
    ]  # fmt: skip
    # The sanitizers build on all processors, and a virtual machine beside them misses its deadlines.
    long = [
        Step("documentation", 1, 250, "build", ["tools/make-docs"]),
        Step("light of encoders", 1, 200, None, ["tools/check-light", HEADROOM, "--long", "--frames", "1", *clips]),
        Step("displays", 1, 50, "quiet", ["tools/check-displays"]),
        Step("capture", 1, 200, "quiet", ["tools/check-capture"]),
        Step("page", 1, 60, None, ["tools/check-serve", HEADROOM, "--seconds", "20"]),
        Step("farm", 1, 400, None, ["tools/check-farm", HEADROOM]),
        Step("threads", 1, 500, "quiet", ["tools/check-sanitizer", "thread"]),
        Step("memory", 1, 500, "quiet", ["tools/check-sanitizer", "address"]),
    ]
    return short + (long if is_long else [])


def weight(times):
    """How many processors tests use, by their last times; 1 if they have none."""
    wall = sum(time["wall"] for time in times)
    return max(min(sum(time["processor"] for time in times) / wall, schedule.ROOM), 0.1) if wall else 1


class Run:
    def __init__(self, options):
        self.options, self.begin = options, time.monotonic()
        self.all_times = json.loads(TIMES.read_text()) if TIMES.exists() else {}
        self.times = self.all_times.setdefault("long" if options.long else "short", {"tests": {}, "steps": {}})
        self.tests, self.steps, self.failures, self.skipped, self.notes = {}, {}, [], [], []
        self.exceptions = {line.split()[0] for line in EXCEPTIONS.read_text().splitlines() if line and not line.startswith("#")}
        self.environment = swift_tests.environment(options.long)

    def say(self, text):
        print(f"{time.monotonic() - self.begin:6.0f} s  {text}", flush=True)

    def step(self, name, command):
        """Runs a command, and shows its output when it has ended, because others run beside it."""
        with tempfile.TemporaryFile("w+", errors="replace") as log:
            start = time.monotonic()
            process = program.Program(command, log, self.environment)
            status = process.wait()
            if program.stopped.is_set():
                return False
            used = process.used.ru_utime + process.used.ru_stime
            self.steps[name] = {"wall": round(time.monotonic() - start, 1), "processor": round(used, 1)}
            log.seek(0)
            output = log.read()
            self.say(f"==> {name}: {shlex.join(command)}\n{output}")
            self.notes += (line for line in swift_tests.skips(output) if line not in self.notes)
            if status:
                self.fail(name, shlex.join(command), [*output.splitlines(), f"It ended with {process.ending(status)}."])
            return status == 0

    def test(self, name, wall, processor, messages):
        """Records the result of a test."""
        if program.stopped.is_set():
            return  # It was killed.
        again = f"tools/test {'--long ' if self.options.long else ''}--only '{name}'"
        if wall is not None:
            self.tests[name] = {"wall": round(wall, 3), "processor": round(processor, 3)}
        if messages:
            self.say("\n".join([f"✘ {name}", *messages]))
            self.fail(name, again, messages)
        elif wall is None:
            self.skipped.append(name)
        elif processor > SLOW and not self.options.long and name not in self.exceptions:
            self.say(f"✘ {name} took {processor:.1f} s of processor")
            self.fail(name, again, [f"It took more than {SLOW:.0f} s: make it smaller, or put it into --long."])

    def fail(self, name, again, messages):
        """Records what failed, how to repeat it, and the end of its output."""
        self.failures.append((name, again, "\n".join(messages).splitlines()[-TAIL:]))

    def note(self, line):
        """Prints a line once, even if several workers report it."""
        if line not in self.notes:
            self.notes.append(line)
            self.say(line)

    def test_jobs(self, areas):
        suites = swift_tests.suites(areas)
        jobs = []
        for seconds, names in swift_tests.batches(suites, self.times["tests"]):
            worker = swift_tests.Worker({name: suites[name] for name in names}, self.environment, self.test, self.note)
            known = [self.times["tests"][test] for name in names for test in suites[name] if test in self.times["tests"]]
            cores = 0 if swift_tests.WAITING.issuperset(name.split(".")[0] for name in names) else weight(known)
            jobs.append(schedule.Job(f"tests: {', '.join(names)}", worker.run, cores, seconds))
        return jobs, sum(map(len, suites.values()))

    def ended(self, job, passed, seconds):
        if passed is None:
            self.fail(job.name, "tools/test", ["An error of tools/testing itself: see above."])
        if job.name.startswith("tests: "):
            self.say(f"{len(self.tests)} of {self.count} tests")
        else:
            self.say(f"{'passed' if passed else 'FAILED'}: {job.name}, {seconds:.0f} s")

    def run(self):
        areas = self.options.only
        wanted = [s for s in steps(self.options.long) if not areas or s.name in areas]
        modules = [a for a in areas if a not in {s.name for s in wanted}]
        for area in modules:
            if area in {s.name for s in steps(True)}:
                sys.exit(f"test: '{area}' is a step of --long")
            if not swift_tests.suites([area]):
                sys.exit(f"test: there is no test or step '{area}'")
        jobs, self.count = self.test_jobs(modules) if modules or not areas else ([], 0)
        unknown = self.exceptions.difference(swift_tests.names())
        if unknown and not areas:
            sys.exit(f"test: {EXCEPTIONS} names unknown tests: {', '.join(sorted(unknown))}")
        for step in wanted:
            seconds = self.times["steps"].get(step.name, {}).get("wall", step.seconds)
            jobs.append(schedule.Job(step.name, lambda s=step: self.step(s.name, s.command), step.cores, seconds, step.lock))
        try:
            schedule.run(jobs, self.ended)
        finally:
            program.kill_all()
            self.summarize()
        return not self.failures

    def summarize(self):
        self.times["tests"].update(self.tests)
        self.times["steps"].update(self.steps)
        part = TIMES.with_suffix(".part")
        part.write_text(json.dumps(self.all_times, indent=1, sort_keys=True) + "\n")
        part.replace(TIMES)
        print("\nThe slowest tests and all steps, in seconds (and of processor):")
        by_wall = lambda times: sorted(times.items(), key=lambda row: -row[1]["wall"])
        for name, took in by_wall(self.tests)[:20] + by_wall(self.steps):
            print(f"{took['wall']:8.1f} ({took['processor']:6.1f})  {name}")
        of_tests, of_steps = (sum(t["processor"] for t in times.values()) for times in (self.tests, self.steps))
        print(f"{time.monotonic() - self.begin:8.1f} ({of_tests + of_steps:6.1f})  in all")
        for name, again, messages in self.failures:
            print("\n".join([f"\n✘ {name}", *(f"  {line}" for line in messages), f"  To repeat it: {again}"]))
        suites = collections.Counter(name.split("/")[0] for name in self.skipped)
        whole = [f"skipped: {count} tests of {suite}" for suite, count in sorted(suites.items())]
        print("", *whole, *self.notes, sep="\n")
        failed = {name for name, *_ in self.failures}
        passed = len((self.tests.keys() | self.steps.keys()) - failed)
        print(f"\n{passed} passed, {len(failed)} failed, {len(self.skipped)} skipped", flush=True)


def trim_fixtures(lock):
    """Removes the fixtures that were not used for longest, until the rest fits, unless a test of another run uses them."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    folders = []
    for folder in FIXTURES.glob("*"):
        if folder.suffix in (".lock", ".part"):
            folder.unlink() if folder.is_file() else shutil.rmtree(folder, ignore_errors=True)
        else:
            size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            folders.append((folder.stat().st_mtime, size, folder))
    size = sum(row[1] for row in folders)
    for _, bytes_, folder in sorted(folders):
        if size <= FIXTURE_LIMIT:
            break
        shutil.rmtree(folder, ignore_errors=True)
        size -= bytes_


def main():
    parser = argparse.ArgumentParser(prog="tools/test")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    # A shell starts what runs in its background with SIGINT ignored, and tests interrupt programs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        # `nohup` ignores SIGHUP, which programs under test must not inherit.
        stays = signal.getsignal(number) == signal.SIG_IGN
        signal.signal(number, lambda number, _, stays=stays: None if stays else sys.exit(128 + number))
    FIXTURES.mkdir(parents=True, exist_ok=True)
    with open(FIXTURES.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        passed = Run(options).run()
        trim_fixtures(lock)
    sys.exit(0 if passed else 1)


main()
