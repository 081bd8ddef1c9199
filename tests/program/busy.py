"""A machine that has other work: a busy child for each processor that this process may use."""

import contextlib
import os
import subprocess
import sys


@contextlib.contextmanager
def busy_machine(seconds=100):
    """Keeps every processor busy, each by a child that stays on it, until the end of the block or for `seconds`."""
    loop = "import os, sys, time\n" \
           "os.sched_setaffinity(0, {int(sys.argv[1])})\n" \
           "print(flush=True)\n" \
           "end = time.monotonic() + float(sys.argv[2])\n" \
           "while time.monotonic() < end: pass\n"
    children = [subprocess.Popen([sys.executable, "-c", loop, str(cpu), str(seconds)], stdout=subprocess.PIPE)
                for cpu in sorted(os.sched_getaffinity(0))]
    try:
        for child in children:
            child.stdout.readline()  # it has begun
        yield
    finally:
        for child in children:
            child.kill()
            child.communicate()
