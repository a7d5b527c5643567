#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""chart.py - draw the charts of result files.

One PNG and one SVG per chart, testcase, mode and machine; the charts are the modules of charts/.
Exit status: 0 all drawn, 2 nothing written.
"""

import argparse
import gc
import os
import signal
import sys

import charts
import figure
import gnuplot
import inputs
import results
from text import clean, file_stem


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message):
        self.exit(2, f"chart.py: {clean(message)}: see chart.py --help\n")


def parse(argv):
    """The command line as a namespace: files, output (None with --text alone), text."""
    parser = Parser(prog="chart.py", description="Draw result CSV files as PNG and SVG: scaling, "
                    "trade-off and more, for each testcase, mode and machine.")
    parser.add_argument("files", nargs="+", metavar="FILE.csv",
                        help="results of ./runtest, or of `make reproduce`")
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
    """All Figures of the files; notes go to stderr. Raises ResultsError."""
    data = inputs.load(paths)
    for message in data.notes:
        note(message)
    return charts.figures(data)


def stem(one):
    """The file name of a Figure, without suffix."""
    return file_stem(one.chart, *(value for _, value in one.names))


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
        figures = load(options.files)
        if options.text:
            print("\n\n".join("\n".join(figure.table(one)) for one in figures))
            return 0
        pictures = {f"{stem(one)}.{suffix}": content
                    for one, drawn in zip(figures, gnuplot.draw(figures))
                    for suffix, content in drawn.items()}
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
    gc.disable()  # rows stay to the end: looking through them again and again finds nothing
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
