"""Programs that are killed with all that they have started, after a time limit or when the run is interrupted."""

import contextlib
import os
import signal
import subprocess
import threading

running = set()


class Program:
    def __init__(self, words, log, environment, limit):
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment, start_new_session=True)  # fmt: skip
        self.pid, self.limit, self.is_late = self.process.pid, limit, False
        running.add(self)
        self.timer = threading.Timer(limit, self.expire)
        self.timer.daemon = True
        self.timer.start()

    def expire(self):
        self.is_late = True
        self.kill()

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def wait(self):
        """Waits for the end; returns the exit status. Its children and theirs are in `used`."""
        _, status, self.used = os.wait4(self.pid, 0)
        self.timer.cancel()
        running.discard(self)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode

    def ending(self, status):
        """What is said of the end."""
        return f"SIGKILL after {self.limit} s" if self.is_late else f"status {status}"


def kill_all():
    for each in list(running):
        each.kill()
