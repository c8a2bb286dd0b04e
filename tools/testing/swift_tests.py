"""The package's tests: which there are, and workers that run some of them one after another.

A worker is a process that runs one test at a time, so that the time and the processor of a test are its own: the process, and
the programs that it has started and waited for.
"""

import json
import os
import re
import subprocess
import tempfile
import threading
import time

BUNDLE = ".build/release/headroomPackageTests.xctest"
TICK = os.sysconf("SC_CLK_TCK")
# Seconds of work for a worker: starting one takes half a second.
BATCH = 15
# Seconds after which a worker is killed.
LIMIT = 2400
# Seconds that a test of which nothing is known is taken for.
UNKNOWN = 0.5
# Suites that take minutes in the long run, in seconds: a clean clone knows no times, and would begin with others.
HEAVY = {
    "SessionsTests.FilmTests": 400, "CommandTests.TranscodeClipTests": 200,
    "RenderingTests.ClipsAgainstReferenceTests": 150, "CommandTests.VerifyEncoderTests": 150, "FFmpegIOTests.ClipTests": 100,
    "CommandTests.StaticMetadataTests": 80,
}  # fmt: skip


def suites(areas=()):
    """Names of suites with the names of their tests; `areas` are modules ("Sessions") or beginnings of names in them."""
    listed = subprocess.run([BUNDLE, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True)
    found = {}
    for test in listed.stdout.splitlines():
        suite = test.split("/")[0]
        if not areas or any(test.startswith((f"{a}Tests.", f"{a}.", f"{a}/")) or test == a for a in areas):
            found.setdefault(suite, []).append(test)
    return found


def batches(suites, times):
    """Suites put together so that each batch takes about as long, the longest first. What shares a resource stays together."""
    def cost(suite):
        known = sum(times.get(test, {}).get("wall", UNKNOWN) for test in suites[suite])
        return known if times else max(known, HEAVY.get(suite, 0))

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


# Modules whose suites share what takes long to make.
TOGETHER = {"FarmTests", "ConstantColorTests"}
# Modules that wait for other programs nearly all the time.
WAITING = {"FarmTests"}


class Worker:
    """One process with a batch of suites."""

    def __init__(self, suites, environment, report, note):
        self.suites, self.report, self.note = suites, report, note
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.folder = tempfile.TemporaryDirectory()
        self.events = os.path.join(self.folder.name, "events")
        os.mkfifo(self.events)
        self.filter = "^(" + "|".join(re.escape(s) for s in suites) + ")(/|$)"
        self.environment = environment

    def run(self):
        """Runs the tests; returns whether all passed."""
        words = [BUNDLE, "--testing-library", "swift-testing", "--filter", self.filter, "--event-stream-output-path", self.events,
                 "--event-stream-version", "0", "--experimental-maximum-parallelization-width", "1"]  # fmt: skip
        # A process that fails to start does not open its end of the pipe: ours is closed when it has ended.
        reader = os.open(self.events, os.O_RDONLY | os.O_NONBLOCK)
        writer = os.open(self.events, os.O_WRONLY)
        os.set_blocking(reader, True)
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, env=self.environment)
        # A test that hangs is a failure, not a night of waiting.
        limit = threading.Timer(LIMIT, self.process.kill)
        limit.start()

        def close():
            # Its clocks are read until all events are.
            os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
            os.close(writer)

        threading.Thread(target=close, daemon=True).start()
        begun, messages, case, is_reported = {}, {}, "", False
        with open(reader) as events:
            for line in events:
                record = json.loads(line)
                if record["kind"] != "event":
                    continue
                event = record["payload"]
                test = re.sub(r"/[^/]+:\d+:\d+$", "", event.get("testID", ""))
                match event["kind"]:
                    case "testStarted":
                        begun[test], case = self.clocks(), ""
                    case "testCaseStarted":
                        name = event.get("_testCase", {}).get("displayName")
                        case = f"{name}: " if name else ""
                    case "issueRecorded" if not event.get("issue", {}).get("isKnown"):
                        place = event.get("issue", {}).get("sourceLocation") or {}
                        where = f"{place['fileID']}:{place['line']}: " if place else ""
                        messages.setdefault(test, []).append(where + case + " ".join(m["text"] for m in event["messages"]))
                    case "testEnded" if "(" in test and test in begun:
                        wall, processor = (now - then for now, then in zip(self.clocks(), begun.pop(test)))
                        self.report(test, wall, processor, messages.get(test, []))
                        is_reported |= test in messages
                    case "testSkipped" if "(" in test:
                        self.report(test, None, None, [])
        status = self.process.wait()
        limit.cancel()
        self.folder.cleanup()
        self.log.seek(0)
        said = self.log.read()
        for line in said.splitlines():
            if line.endswith(("is skipped.", "are skipped.")):
                self.note(line)
        lost = [test for test in begun if "(" in test]
        if status and (lost or not is_reported):
            found = [*sum(messages.values(), []), f"the process ended with status {status}; its output ends with:\n{said[-4000:]}"]
            for test in lost or self.suites[:1]:
                self.report(test, 0, 0, found)
        return status == 0

    def clocks(self):
        """Wall clock and processor, in seconds."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return time.monotonic(), sum(map(int, fields[11:15])) / TICK
        except OSError:
            return time.monotonic(), 0
