"""The package's tests: which there are, and workers that run some of them one after another.

A worker is a process that runs one test at a time, so that the time and the processor of a test are its own: the process, and
the programs that it has started and waited for.
"""

import functools
import json
import os
import re
import subprocess
import tempfile
import threading
import time

import program

BUNDLE = ".build/release/headroomPackageTests.xctest"
TICK = os.sysconf("SC_CLK_TCK")
# Seconds of work for a worker: starting one takes half a second.
BATCH = 15
# Seconds assumed for a test that has never run.
UNKNOWN = 0.5
# Modules whose suites share what takes long to make.
TOGETHER = {"FarmTests", "ConstantColorTests"}
# Modules that wait for other programs nearly all the time.
WAITING = {"FarmTests"}
# Seconds of suites that take minutes in the long run. A clean clone has no times and would start them late.
HEAVY = {
    "ChunkedTranscodeTests.FilmTests": 400, "CommandTests.TranscodeClipTests": 200,
    "RenderingTests.ClipsAgainstReferenceTests": 150, "CommandTests.VerifyEncoderTests": 150, "FFmpegIOTests.ClipTests": 100,
    "CommandTests.StaticMetadataTests": 80,
}  # fmt: skip


def environment(is_long):
    """The environment of tests and steps."""
    # FFmpeg loads OpenBLAS, whose idle threads would spin in every process.
    return dict(os.environ, OPENBLAS_NUM_THREADS="1", **({"HEADROOM_LONG_TESTS": "1"} if is_long else {}))


def skips(output):
    """The lines in which a test or a tool states what it left out, and why."""
    return [line for line in output.splitlines() if line.startswith("skipped: ")]


@functools.cache
def names():
    """Names of all tests. Asking the bundle takes half a second."""
    listed = subprocess.run([BUNDLE, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True)
    return listed.stdout.splitlines()


def suites(areas=()):
    """Names of suites with the names of their tests; `areas` are modules ("Sessions") or beginnings of names in them."""
    found = {}
    for test in names():
        suite = test.split("/")[0]
        if not areas or any(test.startswith((f"{a}Tests.", f"{a}.", f"{a}/")) or test == a for a in areas):
            found.setdefault(suite, []).append(test)
    return found


def batches(suites, times):
    """Groups suites into batches of similar length, the longest first."""
    def cost(suite):
        if not any(test in times for test in suites[suite]):
            return HEAVY.get(suite, UNKNOWN * len(suites[suite]))
        return sum(times.get(test, {}).get("wall", UNKNOWN) for test in suites[suite])

    modules = {}
    for suite in sorted(suites, key=cost, reverse=True):
        modules.setdefault(suite.split(".")[0], []).append(suite)
    made = []
    for module, names in modules.items():
        begun = []
        for suite in names:
            place = next((b for b in begun if b[0] + cost(suite) <= BATCH or module in TOGETHER), None)
            if place:
                place[0] += cost(suite)
                place[1].append(suite)
            else:
                begun.append([cost(suite), [suite]])
        made += begun
    return sorted(made, key=lambda batch: -batch[0])


class Worker:
    """One process with a batch of suites: suite names with their test names.

    `report(test, wall, processor, messages)` gets each result: no times for a test that was skipped or did not end, no messages for one
    that passed. `note(line)` gets each line of the output that begins with "skipped:".
    """

    def __init__(self, suites, environment, report, note):
        self.suites, self.note, self.has_failed = suites, note, False
        self.deliver = report
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.filter = "^(" + "|".join(re.escape(test) for tests in suites.values() for test in tests) + ")(/|$)"
        self.environment = environment
        self.begun, self.messages, self.ended, self.case = {}, {}, set(), ""

    def report(self, test, wall, processor, messages):
        self.has_failed = self.has_failed or bool(messages)
        self.deliver(test, wall, processor, messages)

    def run(self):
        """Runs the tests; returns whether all passed."""
        with tempfile.TemporaryDirectory() as folder:
            events = os.path.join(folder, "events")
            os.mkfifo(events)
            words = [BUNDLE, "--testing-library", "swift-testing", "--filter", self.filter, "--event-stream-output-path", events,
                     "--event-stream-version", "0", "--experimental-maximum-parallelization-width", "1"]  # fmt: skip
            # Ours is the second writer: the stream ends when the process has, even if it never opened its end.
            reader = os.open(events, os.O_RDONLY | os.O_NONBLOCK)
            writer = os.open(events, os.O_WRONLY)
            os.set_blocking(reader, True)
            self.process = program.Program(words, self.log, {**self.environment, "TMPDIR": folder})

            def close():
                try:
                    # Leave the zombie: its clocks are read until the last event.
                    os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
                finally:
                    os.close(writer)

            threading.Thread(target=close, daemon=True).start()
            try:
                with open(reader) as lines:
                    for line in lines:
                        self.take(line)
            finally:
                status = self.process.wait()
        self.finish(status)
        return status == 0

    def take(self, line):
        """Takes an event of the process."""
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            return  # The process was killed while it wrote.
        if record["kind"] != "event":
            return
        event = record["payload"]
        test = re.sub(r"/[^/]+:\d+:\d+$", "", event.get("testID", ""))
        match event["kind"]:
            case "testStarted":
                self.begun[test], self.case = self.clocks(), ""
            case "testCaseStarted":
                name = event.get("_testCase", {}).get("displayName")
                self.case = f"{name}: " if name else ""
            case "issueRecorded" if not event.get("issue", {}).get("isKnown"):
                place = event.get("issue", {}).get("sourceLocation") or {}
                where = f"{place['fileID']}:{place['line']}: " if place else ""
                self.messages.setdefault(test, []).append(where + self.case + " ".join(m["text"] for m in event["messages"]))
            case "testEnded" if "(" in test and test in self.begun:
                wall, processor = (now - then for now, then in zip(self.clocks(), self.begun.pop(test)))
                self.ended.add(test)
                self.report(test, wall, processor, self.messages.get(test, []))
            case "testSkipped" if "(" in test:
                self.ended.add(test)
                self.report(test, None, None, [])

    def finish(self, status):
        """Reports tests that did not run, and a failure that belongs to none of them."""
        self.log.seek(0)
        output = self.log.read()
        for line in skips(output):
            self.note(line)
        lost = [test for tests in self.suites.values() for test in tests if test not in self.ended]
        for test in lost:
            why = [f"the process ended with {self.process.ending(status)}; its output ends with:", output[-4000:]] if test in self.begun else ["did not run"]
            self.report(test, None, None, [*self.messages.get(test, []), *why])
        # An issue may come after its test has ended, or belong to none.
        if status and not self.has_failed:
            self.report(next(iter(self.suites)), None, None, [*sum(self.messages.values(), []), output[-4000:]])

    def clocks(self):
        """Wall clock and processor, in seconds."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return time.monotonic(), sum(map(int, fields[11:15])) / TICK
        except OSError:
            return time.monotonic(), 0
