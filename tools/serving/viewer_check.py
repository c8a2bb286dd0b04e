"""Ten viewers of a capture device, three of which stall, beside a recording: the others get every frame, the recording loses none, memory
and descriptors stay as they are, and what viewers leave behind is freed. See tools/check-viewers."""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from page_program import Served

TICKS = os.sysconf("SC_CLK_TCK")


class Viewer(threading.Thread):
    """Watches a stream, and notes the sequence numbers of its fragments."""

    def __init__(self, served, query, stalls=False):
        super().__init__(daemon=True)
        parts = urlsplit(served.url)
        self.socket = socket.socket()
        # A viewer that stalls does not have megabytes waiting in its own system.
        if stalls:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        self.socket.connect((parts.hostname, parts.port))
        self.socket.sendall(
            f"GET /api/v1/stream?{query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            f"Authorization: Bearer {served.token}\r\n\r\n".encode())  # fmt: skip
        self.stalls, self.sequences, self.status = stalls, [], ""
        self.start()

    def run(self):
        received = b""
        try:
            while block := self.socket.recv(1 << 16):
                received += block
                if not self.status:
                    self.status = received.split(b"\r\n", 1)[0].decode()
                while (place := received.find(b"mfhd")) >= 0 and len(received) >= place + 12:
                    self.sequences.append(int.from_bytes(received[place + 8 : place + 12], "big"))
                    received = received[place + 12 :]
                received = received[-16:]
                if self.stalls and len(self.sequences) > 30:
                    return
        except OSError:
            pass

    def gaps(self):
        return sum(later - one - 1 for one, later in zip(self.sequences, self.sequences[1:]))

    def leave(self):
        self.socket.close()


def processes(served):
    """The program and the server that it has started."""
    own = served.process.pid
    children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
    return [own] + [int(child) for child in children]


def memory(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def seconds_of_work(pids):
    fields = [Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in pids]
    return sum(int(field[11]) + int(field[12]) for field in fields) / TICKS


class Checks:
    def __init__(self):
        self.failed = False

    def check(self, name, holds, words=""):
        print(f"{'ok  ' if holds else 'FAIL'} {name}: {words}", flush=True)
        self.failed |= not holds


def main():
    parser = argparse.ArgumentParser(prog="tools/check-viewers", description=__doc__)
    parser.add_argument("headroom", nargs="?", default=".build/release/headroom")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--mode", default="NV12:1920x1080@30")
    options = parser.parse_args()
    subprocess.run([Path(__file__).parent.parent / "preload" / "build"], check=True)
    library = Path(options.headroom).resolve().parent.parent / "preload" / "v4l2.so"
    if not library.exists():
        library = Path(".build/preload/v4l2.so").resolve()
    os.environ.update(LD_PRELOAD=str(library), V4L2_PRELOAD_MODES=options.mode, V4L2_PRELOAD_COLOR="1:1:1:2")
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        watch(checks, options, Path(folder) / "take.mkv")
    return 1 if checks.failed else 0


def watch(checks, options, take):
    query = "width=960&height=540"
    with Served(options.headroom, "/dev/video70", "-o", take, "-c:v", "libx264") as served:
        del os.environ["LD_PRELOAD"]
        time.sleep(3)
        pids = processes(served)
        alone = [(memory(pid), descriptors(pid)) for pid in pids]
        viewers = [Viewer(served, query, stalls=index % 3 == 1 and index < 9) for index in range(10)]
        time.sleep(min(10, options.seconds / 3))
        early, work, begin = [memory(pid) for pid in pids], seconds_of_work(pids), time.monotonic()
        time.sleep(options.seconds)
        late = [memory(pid) for pid in pids]
        cores = (seconds_of_work(pids) - work) / (time.monotonic() - begin)
        state = served.state()
        awake = [viewer for viewer in viewers if not viewer.stalls]
        counts = [len(viewer.sequences) for viewer in awake]
        checks.check("viewers that keep up get every frame", min(counts) > 20 * options.seconds and
                     not any(viewer.gaps() for viewer in awake), f"{min(counts)} to {max(counts)} frames, "
                     f"{sum(viewer.gaps() for viewer in awake)} left out")  # fmt: skip
        checks.check("no frame is dropped", state["dropped"] == 0 and state["lost"] == 0, f"{state['dropped']}, {state['lost']}")
        checks.check("the recording lacks none", state["not_recorded"] == 0, str(state["not_recorded"]))
        growth = [after - before for before, after in zip(early, late)]
        checks.check("memory is flat", all(kib < 16_384 for kib in growth), f"{early} to {late} KiB")
        print(f"     {cores:.2f} cores for ten viewers and the recording", flush=True)
        for viewer in viewers:
            viewer.leave()
        for _ in range(30):
            Viewer(served, query).leave()
        time.sleep(6)
        left = [(memory(pid), descriptors(pid)) for pid in pids]
        checks.check("what viewers had is freed", all(now[1] <= then[1] for now, then in zip(left, alone)),
                     f"descriptors {[now[1] for now in left]}, before {[then[1] for then in alone]}")  # fmt: skip
        checks.check("no viewer is left", served.state()["viewers"] == [])
        status = served.end()
        checks.check("it ends", status == 143, f"status {status}")
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", take],
        capture_output=True, check=True, text=True)  # fmt: skip
    checks.check("the recording is whole", int(probe.stdout) > 30 * options.seconds, f"{probe.stdout.strip()} frames")


if __name__ == "__main__":
    sys.exit(main())
