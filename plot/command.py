# SPDX-License-Identifier: GPL-2.0-or-later
"""command - what the command lines of compare.py, ab.py and history.py share."""

import argparse
import os
import re
import signal
import sys

import formats
import gnuplot
import regression
import results
import verdict
from text import clean


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message):
        self.exit(2, f"{self.prog.split()[0]}: {clean(message)}: see {self.prog} --help\n")


class UsageError(Exception):
    """Input that cannot be used. str() is one line: what is wrong, what would be right."""


def share(value):
    """`3%` or `0.03` as 0.03: from 0 to below 1."""
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)(%?)", value)
    number = float(found[1]) / (100 if found[2] else 1) if found else 1.0
    if number >= 1:
        raise argparse.ArgumentTypeError(f"{value!r} is no share: write it as 3% or 0.03")
    return number


def count(value):
    """A whole number of at least 1."""
    if not re.fullmatch(r"[0-9]{1,6}", value) or int(value) == 0:
        raise argparse.ArgumentTypeError(f"{value!r} is no number from 1 to 999999")
    return int(value)


def add_rules(parser):
    """The options that say what counts as a change, and how it is shown."""
    parser.add_argument("--min-effect", type=share, default=verdict.MIN_EFFECT, metavar="3%",
                        help="the least native change that counts (default: 3%%)")
    parser.add_argument("--alpha", type=share, default=verdict.ALPHA, metavar="0.05",
                        help="chance that a comparison without a change calls one (default: 0.05)")
    parser.add_argument("--format", choices=formats.FORMATS, default="text",
                        help="of what is printed (default: text)")
    parser.add_argument("--all", action="store_true",
                        help=f"tables of more than {formats.MOST_ROWS} rows too")
    parser.add_argument("-o", "--output", metavar="DIR",
                        help="folder for all formats and the regression chart")


def rules_of(options, interleaved=False):
    """The verdict.Rules of a parsed command line."""
    if options.alpha == 0:
        raise UsageError("--alpha is 0, which nothing can be: write it as 0.05")
    return verdict.Rules(options.min_effect, options.alpha, interleaved)


def write(folder, files):
    """Write {file name: bytes} into a folder, whole files only. Raises UsageError."""
    paths = {os.path.join(folder, name): content for name, content in files.items()}
    try:
        os.makedirs(folder, exist_ok=True)
        try:
            for path, content in paths.items():
                with open(path + ".part", "wb") as file:
                    file.write(content)
            for path in paths:
                os.replace(path + ".part", path)
        finally:
            for path in paths:
                if os.path.exists(path + ".part"):
                    os.remove(path + ".part")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error.strerror or error}): -o needs a "
                         "folder that can be made and written") from error


def show(found, options):
    """Print a Comparison in the format wanted; with -o write every format and the chart. Returns
    the exit status."""
    maker, _ = formats.FORMATS[options.format]
    text = maker(found, options.all)
    if options.output is not None:
        files = {name: make(found, options.all).encode()
                 for make, name in formats.FORMATS.values()}
        files.update((f"regression.{suffix}", content)
                     for suffix, content in regression.draw(found).items())
        write(options.output, files)
    sys.stdout.write(text)
    return found.status


def run(name, main):
    """Run main(argv) as a program: errors are one line, and the exit status is its."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(sys.argv[1:]))
    except (results.ResultsError, gnuplot.GnuplotError, UsageError) as error:
        print(f"{name}: {clean(str(error))}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
