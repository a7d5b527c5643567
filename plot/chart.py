#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""chart.py - draw the scaling chart of result files: throughput against tasks.

One PNG and one SVG per testcase, mode and machine. Exit status: 0 all drawn, 2 nothing written.
"""

import argparse
import os
import signal
import sys

import gnuplot
import results
import scaling
import series
from text import clean, file_stem


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message):
        self.exit(2, f"chart.py: {clean(message)}: see chart.py --help\n")


def parse(argv):
    """The command line as a namespace: files, output (None with --text alone), text."""
    parser = Parser(prog="chart.py", description="Draw throughput against tasks from result CSV "
                    "files, as PNG and SVG: one chart per testcase, mode and machine.")
    parser.add_argument("files", nargs="+", metavar="FILE.csv", help="results of ./runtest")
    parser.add_argument("-o", "--output", metavar="DIR",
                        help="folder for the pictures, made if it is not there")
    parser.add_argument("--text", action="store_true",
                        help="print the series, tab-separated, and draw nothing (-o is not used)")
    options = parser.parse_args(argv)
    if not options.text and options.output is None:
        parser.error("-o DIR is needed, the folder for the pictures (or --text)")
    return options


def note(message):
    """Say something the user should know on stderr."""
    print(f"chart.py: note: {clean(message)}", file=sys.stderr)


def load(paths):
    """All charts of the files; notes go to stderr. Raises ResultsError."""
    rows, notes = [], []
    for path in paths:
        source, found = results.read(path)
        rows += found
        notes += source.notes
        notes += [f"{path}: warning: {text}" for text in source.header.get("warning", [])]
    charts, more = series.charts(rows)
    if not charts:
        counts = [f"{sum(row.status == status for row in rows)} {status}"
                  for status in results.STATUSES if status != "ok"]
        raise results.ResultsError(f"{', '.join(paths)}: nothing to draw: no row with status ok "
                                   f"({', '.join(counts)})")
    for message in notes + more:
        note(message)
    return charts


def write(folder, pictures):
    """Write {file name: bytes} into a folder, whole files only; return their paths."""
    os.makedirs(folder, exist_ok=True)
    paths = {os.path.join(folder, name): content for name, content in pictures.items()}
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
    return list(paths)


def main(argv):
    """Run the command line; return the exit status."""
    options = parse(argv)
    try:
        charts = load(options.files)
        if options.text:
            print("\n".join(scaling.table(charts)))
            return 0
        pictures = {}
        for chart in charts:
            stem = file_stem("scaling", chart.testcase, chart.mode, chart.machine)
            for suffix, content in gnuplot.draw(scaling.picture(chart)).items():
                pictures[f"{stem}.{suffix}"] = content
        print("\n".join(write(options.output, pictures)))
        return 0
    except (results.ResultsError, gnuplot.GnuplotError) as error:
        message = str(error)
    except OSError as error:
        message = (f"{options.output}: cannot be written ({error.strerror or error}): "
                   "-o needs a folder that can be made and written")
    print(f"chart.py: {clean(message)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
