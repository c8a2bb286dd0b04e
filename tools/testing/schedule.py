"""Runs jobs side by side, up to the number of processors."""

import os
import threading
import time


ROOM = len(os.sched_getaffinity(0))


class Job:
    """Something to run. `cores` says how much of the processors it takes: 0 if it mostly waits, 2 if it is to run alone on two."""

    def __init__(self, name, run, cores=1.0, seconds=10.0, lock=None):
        self.name, self.run, self.cores, self.seconds, self.lock = name, run, cores, seconds, lock


def run(jobs, ended):
    """Runs all jobs, those that take longest first; `ended(job, passed, seconds)` is called when one ends."""
    waiting = sorted(jobs, key=lambda job: (job.cores > 0, -job.seconds * max(job.cores, 0.1)))
    running, change = [], threading.Condition()

    def work(job):
        start, passed = time.monotonic(), None
        try:
            passed = job.run()
        finally:
            with change:
                running.remove(job)
                try:
                    ended(job, passed, time.monotonic() - start)
                finally:
                    change.notify()

    def fits(job):
        if job.lock and any(other.lock == job.lock for other in running):
            return False
        return not running or sum(other.cores for other in running) + job.cores <= ROOM

    with change:
        while waiting or running:
            while job := next(filter(fits, waiting), None):
                waiting.remove(job)
                running.append(job)
                threading.Thread(target=work, args=(job,), daemon=True).start()
            change.wait()
