# SPDX-License-Identifier: GPL-2.0-or-later
"""wib.py - what the tests of the program share: running it, reading its rows, finding its tasks."""
import csv
import ctypes
import io
import os
import pathlib
import signal
import subprocess
import time
import uuid

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNTEST = str(ROOT / os.environ.get("RUNTEST", "runtest"))
SAN = os.environ.get("SAN", "")
# The thread sanitizer sees one process only.
MODES = ("thread",) if SAN == "thread" else ("process", "thread")
MODE = MODES[0]
SLOW = 6 if SAN else 1  # how much longer a sanitized program may take
MARK = "WILL_IT_BATCH_TEST"  # in the environment of a program and all its tasks
QUICK = ("--duration=60ms", "--warmup=0s", "--tasks=1", f"--mode={MODE}")
CPUS = sorted(os.sched_getaffinity(0))

needs_processes = pytest.mark.skipif(
    SAN == "thread", reason="the thread sanitizer sees one process only")
needs_plain = pytest.mark.skipif(
    bool(SAN), reason="a sanitizer bears no limit on addresses, no preloading and no valgrind")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
needs_two_cpus = pytest.mark.skipif(len(CPUS) < 2, reason="there is one CPU only")


def end_with_parent():
    """Of a program: the tests may be killed, and must not leave it running."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Result:
    """How a program ended and what it said."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"status {self.code}\n-- stdout\n{self.out}\n-- stderr\n{self.err}"


class Program:
    """A running runtest; `with` sees to it that nothing of it is left."""

    def __init__(self, cwd, *args, prefix=(), env=None, stdout=subprocess.PIPE, group=False):
        self.mark = uuid.uuid4().hex
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [*prefix, RUNTEST, *args], cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout,
            stderr=subprocess.PIPE, start_new_session=group, preexec_fn=end_with_parent,
            env={**os.environ, **(env or {}), MARK: self.mark})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        for pid in self.alive():
            os.kill(pid, signal.SIGKILL)

    @property
    def pid(self):
        return self.process.pid

    def end(self, timeout=60):
        """Waits for its end."""
        out, err = self.process.communicate(timeout=timeout * SLOW)
        return Result(self.process.returncode, (out or b"").decode(errors="surrogateescape"),
                      err.decode(errors="surrogateescape"))

    def alive(self):
        """Every process of it: what is marked so in its environment. Zombies have none."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                text = pathlib.Path(f"/proc/{name}/environ").read_bytes()
            except OSError:
                continue
            if f"{MARK}={self.mark}".encode() in text.split(b"\0"):
                found.append(int(name))
        return found

    def workers(self):
        """(pid, state) of the runner's children, zombies too."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                stat = pathlib.Path(f"/proc/{name}/stat").read_text(errors="replace")
            except OSError:
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if int(parent) == self.pid:
                found.append((int(name), state))
        return sorted(found)

    def wait_for(self, what, timeout=20):
        """Waits until what() is true, and gives it."""
        until = time.monotonic() + timeout * SLOW
        while time.monotonic() < until:
            value = what()
            if value:
                return value
            assert self.process.poll() is None, f"has ended: {self.end()}"
            time.sleep(0.002)
        raise AssertionError("it did not come to that")

    def wait_for_workers(self, count, seconds=0.0):
        """Waits until so many tasks run, and then so long."""
        self.wait_for(lambda: len(self.workers()) >= count)
        time.sleep(seconds)
        return [pid for pid, _ in self.workers()]


def run(cwd, *args, timeout=60, **more):
    with Program(cwd, *args, **more) as program:
        return program.end(timeout)


def parse(text):
    """Rows of a CSV text as dictionaries, strictly as RFC 4180 has it."""
    lines = text.splitlines(keepends=True)
    while lines and lines[0].startswith("#"):
        lines.pop(0)
    table = list(csv.reader(io.StringIO("".join(lines), newline=""), strict=True))
    assert table, f"no rows in {text!r}"
    for row in table:
        assert len(row) == len(table[0]), f"{len(row)} fields, not {len(table[0])}: {row}"
    return [dict(zip(table[0], row)) for row in table[1:]]


def columns(text):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return lines[0].split(",")


def header(text):
    """Header lines as (key, value)."""
    lines = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    return [tuple(line.split(": ", 1)) for line in lines]


def rows(cwd, *args, code=0, **more):
    """Runs with rows on standard output, and gives them."""
    result = run(cwd, *QUICK, "--output=-", *args, **more)
    assert result.code == code, result
    return parse(result.out)


def warnings_of(result):
    return [line for line in result.err.splitlines() if line.startswith("warning: ")]


def params(row):
    return dict(item.split("=", 1) for item in row["params"].split(";"))
