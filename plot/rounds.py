# SPDX-License-Identifier: GPL-2.0-or-later
"""rounds - run two commands by turns, in an order drawn for each round, and keep their rows."""

import os
import random
import shlex
import signal
import subprocess

import matching
import results
from command import UsageError
from text import clean, shorten

GRACE_S = 10  # that a command has to end after Ctrl-C, before it is killed
_OWN = ("--output", "--format", "--progress")  # options of runtest that are set here


class Interrupted(Exception):
    """A signal has ended the rounds; number is that of the signal."""

    def __init__(self, number):
        super().__init__(signal.Signals(number).name)
        self.number = number


def words_of(option, command):
    """The words of a runtest command line. Raises UsageError."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{option} {command!r}: {error}: write it as for a shell") from error
    if not words:
        raise UsageError(f"{option} is empty: give a runtest command line, as './runtest mmap1'")
    for word in words[1:]:
        name = word.partition("=")[0]
        if (word.startswith("-o") or
                (len(name) > 3 and any(own.startswith(name) for own in _OWN))):
            raise UsageError(f"{option}: {word} is set by ab.py: leave it out")
    return words


class Runner:
    """Runs commands one at a time; a signal ends the one that runs, with all its processes."""

    def __init__(self):
        self.pending = None
        self.spawning = False

    def __enter__(self):
        self.before = {number: signal.signal(number, self._note)
                       for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *error):
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _note(self, number, _frame):
        if self.pending is None:
            self.pending = number
            if not self.spawning:  # a child whose number is not known yet would be left behind
                raise Interrupted(number)

    def run(self, words):
        """(exit status, last line of standard error). The command has a process group of its own,
        so that Ctrl-C reaches it through here alone, once."""
        self.spawning = True
        try:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, start_new_session=True)
        finally:
            self.spawning = False
        try:
            if self.pending is not None:
                raise Interrupted(self.pending)
            _, said = process.communicate()
        except BaseException:
            self._end(process)
            raise
        lines = said.decode(errors="replace").strip().splitlines()
        return process.returncode, lines[-1] if lines else ""

    def _end(self, process):
        """Ask the whole group to end, then kill what is left of it."""
        try:
            os.killpg(process.pid, self.pending or signal.SIGTERM)
            process.communicate(timeout=GRACE_S)
        except (subprocess.TimeoutExpired, ProcessLookupError):
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Side:
    """One of the two commands: its option, its words, the file that its rows are gathered in, and
    what was read of them."""

    def __init__(self, option, command, path):
        self.option, self.command = option, command
        self.words = words_of(option, command)
        self.path = path
        self.sources, self.rows = [], []

    def fail(self, number, what):
        raise UsageError(f"{self.option}, round {number}: {shorten(self.command, 80)}: {what}")

    def run(self, runner, number, path):
        """Run once with its rows in `path`, and take them over. Raises UsageError."""
        words = [*self.words, f"--output={path}", "--format=csv", "--progress=never"]
        try:
            status, said = runner.run(words)
        except OSError as error:
            self.fail(number, f"cannot be run: {error.strerror or error}")
        # 1 is a point that failed: its row says so, and the others are good.
        if status not in (0, 1):
            how = f"ended by signal {-status}" if status < 0 else f"exit status {status}"
            self.fail(number, f"{how}{': ' + clean(said) if said else ''}")
        try:
            source, rows = results.read(path)
        except results.ResultsError as error:
            self.fail(number, f"left no rows that can be read: {clean(said) or error}")
        if not any(row.status == "ok" for row in rows):
            reason = next((row.reason for row in rows if row.reason), said)
            self.fail(number, f"no row is ok{': ' + shorten(reason, 80) if reason else ''}")
        self.sources.append(source)
        self.rows += rows
        self._gather(path)

    def _gather(self, path):
        """Append the rows of a file to those of the side: header lines and names stand there once,
        as the first round wrote them."""
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.readlines()
        if os.path.exists(self.path):
            head = next(i for i, line in enumerate(lines) if line.strip() and line[0] != "#")
            lines = lines[head + 1:]
        with open(self.path, "a", encoding="utf-8", newline="") as file:
            file.writelines(lines)

    def side(self):
        """What was read, as a matching.Side."""
        return matching.side_of(self.command, self.sources, self.rows)


def run(sides, rounds, runner, chance, folder, say):
    """Run each Side once a round. chance: random.Random; folder: of temporary files; say(text) is
    told what runs."""
    for number in range(1, rounds + 1):
        for side in chance.sample(sides, len(sides)):
            say(f"round {number} of {rounds}: {side.option.lstrip('-')}")
            path = os.path.join(folder, "round.csv")
            side.run(runner, number, path)
            os.remove(path)


def chance_of(seed):
    """The order of the rounds for a seed."""
    return random.Random(seed)
