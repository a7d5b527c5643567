#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.py - one HTML page of result files: what ran where, warnings, charts and rows.

The page holds all it needs and asks nothing of any network. Exit status: 0 written, 2 not.
"""

import argparse
import base64
import gc
import hashlib
import os
import signal
import sys

import jinja2

import charts
import inputs
import report_tables
import results
import svg
from text import clean

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message):
        self.exit(2, f"report.py: {clean(message)}: see report.py --help\n")


def parse(argv):
    """The command line as a namespace: files, output."""
    parser = Parser(prog="report.py", description="Write one HTML page of result CSV files: what "
                    "ran where, warnings, charts and rows.")
    parser.add_argument("files", nargs="+", metavar="FILE.csv",
                        help="results of ./runtest, or of `make reproduce`")
    parser.add_argument("-o", "--output", metavar="FILE.html", required=True,
                        help="the page; one that is there is replaced")
    options = parser.parse_args(argv)
    if not options.output or os.path.isdir(options.output):
        parser.error(f"{options.output!r} is a folder: -o needs the name of a file")
    return options


def _asset(name):
    """(text of a file of the page, what a policy calls it)."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        text = file.read()
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return text, f"'sha256-{digest}'"


def _figure(figure, name, ids):
    """What the template needs of a Figure; name is its anchor."""
    looks = figure.looks()
    legend = []
    for curve in figure.legend():
        known = [ids[id(line)] for line in curve.lines if id(line) in ids]
        # Curves of bars are parts of every line: they lead to none.
        legend.append({"label": clean(curve.label), "swatch": svg.swatch(curve, looks[curve.label]),
                       "lines": [] if curve.style == "bars" else known})
    return {"name": name, "title": clean(figure.title), "picture": svg.draw(figure, ids),
            "legend": legend, "kind": figure.chart,
            "notes": [clean(line) for line in figure.footnotes
                      if not line.startswith("Warning: ")]}


def sections(data):
    """A list of dicts for the template: a section for each series.Chart, then one for the rest."""
    figures = charts.figures(data)
    made = []
    for index, chart in enumerate(data.charts):
        ids = {id(line): f"g{index}l{number}" for number, line in enumerate(chart.lines)}
        found = [figure for figure in figures if figure.group is chart]
        made.append({"name": f"g{index}", "title": report_tables.section_title(chart),
                     "said": report_tables.in_words(chart),
                     "common": [(key, clean(value)) for key, value in chart.common.items()],
                     "figures": [_figure(figure, f"g{index}f{number}", ids)
                                 for number, figure in enumerate(found)],
                     "table": report_tables.rows(chart, data.rows, ids)})
    rest = [figure for figure in figures if figure.group is None]
    if rest:
        made.append({"name": "more", "title": "Published and simulated"
                     if data.published else "Latency", "said": "", "common": [],
                     "figures": [_figure(figure, f"more{number}", {})
                                 for number, figure in enumerate(rest)], "table": None})
    return made


def page(data):
    """The whole page as text."""
    css, css_hash = _asset("page.css")
    script, script_hash = _asset("page.js")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=True,
                                     undefined=jinja2.StrictUndefined, trim_blocks=True,
                                     lstrip_blocks=True)
    return environment.get_template("page.html.j2").render(
        css=jinja2.utils.markupsafe.Markup(css), script=jinja2.utils.markupsafe.Markup(script),
        css_hash=css_hash, script_hash=script_hash, title=report_tables.title(data),
        sources=report_tables.sources(data), warnings=report_tables.warnings(data),
        failures=report_tables.failures(data), sections=sections(data))


def write(path, text):
    """Write a file, whole or not at all."""
    try:
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".part", path)
    finally:
        if os.path.exists(path + ".part"):
            os.remove(path + ".part")


def main(argv):
    """Run the command line; return the exit status."""
    options = parse(argv)
    try:
        write(options.output, page(inputs.load(options.files)))
        print(options.output)
        return 0
    except results.ResultsError as error:
        message = str(error)
    except OSError as error:
        message = (f"{options.output}: cannot be written ({error.strerror or error}): -o needs a "
                   "file in a folder that is there and can be written")
    print(f"report.py: {clean(message)}", file=sys.stderr)
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
