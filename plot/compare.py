#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare.py - say of each series of two result files whether it got better or worse.

Exit status: 0 nothing is worse, 1 something is, 2 unusable input, 3 nothing comparable.
"""

import gc
import sys

import command
import comparison
import matching


def parse(argv):
    """The command line as a namespace."""
    parser = command.Parser(prog="compare.py", description="Compare two results of ./runtest: a "
                            "verdict for each series. Exit status: 0 nothing is worse, 1 something "
                            "is, 2 unusable input, 3 nothing comparable.")
    parser.add_argument("base", metavar="BASE", help="result file, or a folder of them")
    parser.add_argument("new", metavar="NEW", help="the same, of what is to be judged")
    command.add_rules(parser)
    parser.add_argument("--interleaved", action="store_true",
                        help="the two sides ran by turns: a drift has hit both alike")
    parser.add_argument("--ignore", action="append", default=[], metavar="PARAM",
                        help="leave this setting of params out of the key (may be repeated)")
    parser.add_argument("--force", action="store_true",
                        help="compare native rows of two machines")
    return parser.parse_args(argv)


def main(argv):
    """Run the command line; return the exit status."""
    gc.disable()  # nothing here is garbage, and looking for it takes a fifth of the time
    options = parse(argv)
    rules = command.rules_of(options, options.interleaved)
    base, new = (matching.load(path, options.ignore) for path in (options.base, options.new))
    found = comparison.compare(base, new, rules, options.force)
    status = command.show(found, options)
    if status == 3:
        print("compare.py: nothing comparable: no series has an ok row on both sides",
              file=sys.stderr)
    return status


if __name__ == "__main__":
    command.run("compare.py", main)
