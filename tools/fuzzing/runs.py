"""One run: the command, its limits, and what is wrong with how it ended."""

import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

# What the program promises: done, failed, wrong usage, verification not passed, worth trying again.
STATUSES = {0, 1, 2, 3, 75}
MEGABYTE = 1 << 20
# The bar on memory, for runs that encode nothing.
BASE, PER_UNIT = 128 * MEGABYTE, 40
TRAPS = [b"AddressSanitizer", b"Fatal error", b"runtime failure", b"terminate called"]


@dataclass
class Limits:
    seconds: float
    # Address space, so that one run cannot take the machine down; 0: none.
    bytes: int = 0


@dataclass
class Result:
    status: int = 0
    seconds: float = 0
    processor: float = 0
    memory: int = 0
    said: bytes = b""
    timed_out: bool = False
    faults: list = field(default_factory=list)


def environment():
    # Leaks of FFmpeg on damaged files are FFmpeg's; a signal is what counts.
    sanitizer = "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1"
    return dict(os.environ, ASAN_OPTIONS=sanitizer, SWIFT_BACKTRACE="enable=no", NO_COLOR="1")


def run(words, folder, limits):
    """Runs a command in a folder; what it says is kept to the last 4000 bytes."""
    result, begin = Result(), time.monotonic()

    def limit():
        if limits.bytes:
            resource.setrlimit(resource.RLIMIT_AS, (limits.bytes, limits.bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

    with open(folder / "said", "w+b") as said, open(os.devnull, "w+b") as null:
        process = subprocess.Popen(
            words, stdin=null, stdout=null, stderr=said, env=environment(), cwd=folder, preexec_fn=limit, start_new_session=True)
        timer = threading.Timer(limits.seconds, lambda: kill(process.pid, result))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        result.status = process.returncode
        said.seek(max(0, said.seek(0, os.SEEK_END) - 4000))
        result.said = said.read()
    (folder / "said").unlink()
    result.seconds = time.monotonic() - begin
    result.processor = usage.ru_utime + usage.ru_stime
    result.memory = usage.ru_maxrss * 1024
    return result


def kill(pid, result):
    result.timed_out = True
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def judge(result, words, source, pixels, folder, limits):
    """What is wrong, a sentence each."""
    faults = []
    if result.timed_out:
        faults.append(f"did not end within {limits.seconds:g} s ({result.processor:.1f} s of processor)")
    elif result.status < 0:
        faults.append(f"ended by signal {-result.status}")
    elif result.status not in STATUSES:
        faults.append(f"exit status {result.status}")
    if any(trap in result.said for trap in TRAPS):
        faults.append("a trap in what it said")
    left = sorted(p.name for p in folder.iterdir() if p.name.startswith(".") or p.name.endswith(".part"))
    if left:
        faults.append(f"left {', '.join(left)}")
    if "null" in words and not faults:
        size = source.stat().st_size
        bar = BASE + PER_UNIT * (pixels + size)
        if result.memory > bar:
            real = decoded_pixels(source)
            if result.memory > BASE + PER_UNIT * (max(pixels, real) + size):
                faults.append(f"took {result.memory // MEGABYTE} MB; {bar // MEGABYTE} MB are allowed for {max(pixels, real)} pixels")
    result.faults = faults
    return faults


def decoded_pixels(source):
    """Pixels of the largest frame that ffmpeg decodes of a file: what it really holds, whatever the program says of it."""
    words = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=width,height", "-read_intervals", "%+#20",
             "-of", "json", source]  # fmt: skip
    try:
        text = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60).stdout
        frames = json.loads(text or b"{}").get("frames", [])
    except (subprocess.TimeoutExpired, ValueError):
        return 0
    return max((f.get("width", 0) * f.get("height", 0) for f in frames), default=0)


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
