#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ab.py - run two builds by turns and compare them; a suspected regression is run again.

Exit status: 0 nothing is worse (with --aa: few enough false alarms), 1 something is, 2 unusable
input or a command that fails, 3 nothing comparable, 130 or 143 interrupted.
"""

import dataclasses
import os
import shutil
import sys
import tempfile

import command
import comparison
import rounds
import verdict
from scipy import special

WANTED = 0.05  # the share of series that may be called where nothing has changed


def parse(argv):
    """The command line as a namespace."""
    parser = command.Parser(prog="ab.py", description="Run two runtest command lines by turns, in "
                            "random order within a round, and compare them. What looks worse is "
                            "run for as many rounds again, and counts if it is worse there too.")
    parser.add_argument("--base", required=True, metavar="CMD",
                        help="runtest command line without --output, one word to the shell")
    parser.add_argument("--new", metavar="CMD", help="the same, of what is to be judged")
    parser.add_argument("--rounds", type=command.count, default=20, metavar="N",
                        help="runs of each command (default: 20)")
    parser.add_argument("--seed", type=command.count, default=1, metavar="N",
                        help="of the order within the rounds (default: 1)")
    parser.add_argument("--aa", action="store_true",
                        help="compare the base with itself, and print the false-alarm rate")
    parser.add_argument("--comparisons", type=command.count, default=20, metavar="N",
                        help="with --aa: how many (default: 20)")
    parser.add_argument("--quiet", action="store_true", help="do not say what runs")
    command.add_rules(parser)
    options = parser.parse_args(argv)
    if options.aa and options.new is not None:
        parser.error("--aa compares the base with itself: leave --new out")
    if not options.aa and options.new is None:
        parser.error("--new CMD is needed (or --aa)")
    return options


def say(text):
    """Tell on stderr what happens; on a terminal over what was told before."""
    if sys.stderr.isatty():
        print(f"\r\033[Kab.py: {text}", end="", file=sys.stderr, flush=True)
    else:
        print(f"ab.py: {text}", file=sys.stderr)


def done_saying():
    """End the line that say() has left open on a terminal."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class Session:
    """The rounds of one command line: where rows are gathered, the order, and the signals."""

    def __init__(self, options, runner, folder):
        self.options, self.runner, self.folder = options, runner, folder
        self.chance = rounds.chance_of(options.seed)
        self.keep = options.output or folder
        self.rules = command.rules_of(options, interleaved=True)

    def compare(self, new, suffix=""):
        """Run all rounds of the base and `new`, and compare: a Comparison."""
        sides = [rounds.Side("--base", self.options.base, self._path(f"base{suffix}.csv")),
                 rounds.Side("--new", new, self._path(f"new{suffix}.csv"))]
        tell = (lambda text: None) if self.options.quiet else say
        rounds.run(sides, self.options.rounds, self.runner, self.chance, self.folder,
                   lambda text: tell(f"{suffix.lstrip('-')} {text}".strip()))
        base, judged = (side.side() for side in sides)
        return comparison.compare(base, judged, self.rules)

    def _path(self, name):
        path = os.path.join(self.keep, name)
        if os.path.exists(path):
            os.remove(path)
        return path


def confirm(found, again):
    """Let a series count as worse only if it is worse in a second Comparison too. Of a series that
    was suspected the second one's figures are shown: those of the first were picked for being bad.
    """
    second = {result.key: result for result in again.results}
    kept = []
    for result in found.results:
        if result.decision.verdict == verdict.WORSE and result.key in second:
            other = second[result.key]
            first = f"{(result.decision.ratio - 1) * 100:+.1f}% in the first rounds"
            if other.decision.verdict == verdict.WORSE:
                result = dataclasses.replace(other, notes=[*other.notes, f"confirmed: {first}"])
            else:
                decision = dataclasses.replace(other.decision, verdict=verdict.INCONCLUSIVE,
                                               reason=f"not confirmed: {first}")
                result = dataclasses.replace(other, decision=decision)
        kept.append(result)
    kept.sort(key=comparison.sort_key)
    return dataclasses.replace(found, results=kept)


def _suspects(found):
    return {result.key for result in found.results if result.decision.verdict == verdict.WORSE}


def judge(session):
    """Run, run again where something looks worse, show: the exit status."""
    found = session.compare(session.options.new)
    suspects = _suspects(found)
    if suspects:
        if not session.options.quiet:
            say(f"{len(suspects)} series look worse: running again")
        found = confirm(found, session.compare(session.options.new, "-again"))
    done_saying()
    return command.show(found, session.options)


def rate_interval(alarms, total):
    """The 95 % interval of a share by Clopper and Pearson: (low, high)."""
    low = special.betaincinv(alarms, total - alarms + 1, 0.025) if alarms else 0.0
    high = special.betaincinv(alarms + 1, total - alarms, 0.975) if alarms < total else 1.0
    return float(low), float(high)


def check_self(session):
    """Compare the base with itself many times and print how often a series is called: the exit
    status. Suspects are not run again here: this is the stricter figure."""
    alarms = total = 0
    for number in range(1, session.options.comparisons + 1):
        found = session.compare(session.options.base, f"-{number}")
        total += len(found.results)
        called = [result for result in found.results
                  if result.decision.verdict in (verdict.WORSE, verdict.BETTER)]
        alarms += len(called)
        done_saying()
        print(f"comparison {number}: {len(found.results)} series, "
              f"{found.count(verdict.SAME)} same, {found.count(verdict.INCONCLUSIVE)} inconclusive"
              f", {len(called)} called", flush=True)
        for result in called:
            change = (result.decision.ratio - 1) * 100
            print(f"  {result.decision.verdict} {change:+.1f}%: {result.label}", flush=True)
    low, high = rate_interval(alarms, total)
    print(f"false-alarm rate: {alarms} of {total} series, {alarms / total:.1%} (95% interval "
          f"{low:.1%}..{high:.1%}), wanted: at most {WANTED:.0%}")
    return 1 if alarms > WANTED * total else 0


def main(argv):
    """Run the command line; return the exit status."""
    options = parse(argv)
    for option in ("base", "new"):
        if getattr(options, option) is not None:
            rounds.words_of(f"--{option}", getattr(options, option))
    if options.output is not None:
        command.write(options.output, {})
    folder = tempfile.mkdtemp(prefix="ab-")
    try:
        with rounds.Runner() as runner:
            session = Session(options, runner, folder)
            return check_self(session) if options.aa else judge(session)
    except rounds.Interrupted as error:
        done_saying()
        kept = f"; rows so far are in {options.output}" if options.output else ""
        print(f"ab.py: interrupted{kept}", file=sys.stderr)
        return 128 + error.number
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    command.run("ab.py", main)
