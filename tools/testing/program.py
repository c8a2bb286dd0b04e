"""Programs that are killed with all that they have started, after a time limit or when the run is interrupted."""

import contextlib
import itertools
import os
import signal
import subprocess
import threading
import time

running = set()
# Set when everything is to end: no program starts any more.
stopped = threading.Event()
# Process groups do not reach what a test starts: most of it has a group or session of its own. All of it inherits this variable.
MARK = "HEADROOM_TEST_PROGRAM"
numbers = itertools.count()
# Seconds after which a program is killed.
LIMIT = 2400


class Program:
    def __init__(self, words, log, environment, limit=LIMIT):
        self.mark = f"{os.getpid()}-{next(numbers)}"
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env={**environment, MARK: self.mark},
            start_new_session=True)  # fmt: skip
        self.pid, self.limit, self.is_late = self.process.pid, limit, False
        running.add(self)
        if stopped.is_set():
            self.kill()
        self.timer = threading.Timer(limit, self.expire)
        self.timer.daemon = True
        self.timer.start()

    def expire(self):
        self.is_late = True
        self.kill()

    def kill(self):
        """Kills the program and what it has started."""
        entry = f"{MARK}={self.mark}".encode()
        # What starts another meanwhile is found in the next round; what the kernel holds is not waited for.
        for _ in range(100):
            found = False
            for name in filter(str.isdigit, os.listdir("/proc")):
                # Zombies have no environment.
                with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                    if entry in file.read().split(b"\0"):
                        os.kill(int(name), signal.SIGKILL)
                        found = True
            if not found:
                return
            time.sleep(0.02)

    def wait(self):
        """Waits for the end, and ends what the program has left; returns its status. Its children and theirs are in `used`."""
        _, status, self.used = os.wait4(self.pid, 0)
        self.timer.cancel()
        self.kill()
        running.discard(self)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode

    def ending(self, status):
        """Describes how the program ended."""
        return f"SIGKILL after {self.limit} s" if self.is_late else f"status {status}"


def kill_all():
    """Ends all programs, and those that another thread is about to start."""
    stopped.set()
    for each in list(running):
        each.kill()
