#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""history.py - keep the results of many runs: list them, see the trend, judge a new one by them.

Exit status: 0, 1 (gate) something is worse, 2 unusable input, 3 (gate) nothing comparable.
"""

import csv
import dataclasses
import io
import math
import sqlite3
import statistics
import sys

import changes
import command
import comparison
import matching
import results
import store
import trend
import verdict
from scipy import special
from text import clean, file_stem

DATABASE = "results/history.db"
FEWEST_RUNS = 3  # good ones, before a native run is judged by them


def parse(argv):
    """The command line as a namespace."""
    parser = command.Parser(prog="history.py", description="A history of runs in a SQLite file.")
    parser.add_argument("--db", default=DATABASE, metavar="FILE",
                        help=f"the history (default: {DATABASE})")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION",
                                    parser_class=command.Parser)
    one = actions.add_parser("add", help="add result files; the same run twice is one")
    one.add_argument("files", nargs="+", metavar="FILE.csv")
    mark = one.add_mutually_exclusive_group()
    mark.add_argument("--bad", dest="good", action="store_false", default=None,
                      help="mark their runs as bad: the gate does not go by them")
    mark.add_argument("--good", dest="good", action="store_true", default=None,
                      help="mark them as good again")
    actions.add_parser("list", help="list the runs")
    one = actions.add_parser("trend", help="levels and change points of each series")
    one.add_argument("--series", default="", metavar="TEXT",
                     help="only those whose machine or name has this text in it")
    one.add_argument("--last", type=command.count, metavar="N", help="only the last N runs")
    one.add_argument("--min-effect", type=command.share, default=verdict.MIN_EFFECT,
                     metavar="3%", help="the least change of level that counts (default: 3%%)")
    one.add_argument("-o", "--output", metavar="DIR", help="folder for a chart of each series")
    one = actions.add_parser("gate", help="compare a result with the last good runs")
    one.add_argument("new", metavar="NEW", help="result file, or a folder of them")
    one.add_argument("--last", type=command.count, default=10, metavar="N",
                     help="how many good runs to go by (default: 10)")
    one.add_argument("--add", action="store_true",
                     help="add it afterwards, marked bad if something is worse")
    one.add_argument("--force", action="store_true", help="compare native rows of two machines")
    command.add_rules(one)
    one = actions.add_parser("export", help="CSV files and otava.yaml, as otava reads them")
    one.add_argument("-o", "--output", required=True, metavar="DIR", help="folder for them")
    return parser.parse_args(argv)


def note(message):
    """Say something the user should know on stderr."""
    print(f"history.py: note: {clean(message)}", file=sys.stderr)


def add(options):
    """Add files. All are read before anything is written."""
    sides = [matching.load(path) for path in options.files]
    for side in sides:
        for message in side.notes:
            note(message)
        if not any(series.ok for series in side.series.values()):
            raise results.ResultsError(f"{side.name}: no row is ok: there is nothing to keep")
    with store.Store(options.db, create=True) as db:
        for side in sides:
            runs, rows = db.add(side, options.good)
            known = "" if rows else " (known already)"
            print(f"{clean(side.name)}: {runs} new runs, {rows} new rows{known}")
    return 0


def _commit(header):
    return ", ".join(header.get("commit", []))


def list_(options):
    """Print the runs, oldest first."""
    with store.Store(options.db, create=False) as db:
        lines = [(clean(time), clean(run_id), clean(host), clean(_commit(header)) or "-",
                  "good" if good else "bad")
                 for _, run_id, host, time, header, good in db.runs()]
    lines.insert(0, ("time", "run", "host", "commit", "mark"))
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    for line in lines:
        print("  ".join(f"{word:{width}}" for word, width in zip(line, widths)).rstrip())
    return 0


def _series(db, last=None):
    """[(key, label, runs, medians)] of all series, in order; runs as of Store.runs()."""
    runs = {run[0]: run for run in db.runs(last=last)}
    keys = db.keys()
    medians = db.medians(list(runs))
    labels = matching.labels(keys[number] for number in medians)
    found = [(keys[number], labels[keys[number]], [runs[run] for run, _ in points],
              [value for _, value in points]) for number, points in medians.items()]
    return sorted(found, key=lambda item: matching.order(item[0]))


def trends_of(db, wanted="", last=None, least=verdict.MIN_EFFECT):
    """The Trends of a history. A simulated level is exact, so any change of it is one."""
    found = []
    for key, label, runs, values in _series(db, last):
        if wanted in f"{key.machine}: {label}":
            exact = key.machine != "native"
            starts = ([i for i in range(1, len(values)) if values[i] != values[i - 1]] if exact
                      else changes.change_points(values, least))
            named = [(run_id, time, _commit(header), good)
                     for _, run_id, _, time, header, good in runs]
            found.append(trend.Trend(label, key.machine, named, values, starts))
    return found


def show_trend(options):
    """Print the trends, and draw them with -o."""
    with store.Store(options.db, create=False) as db:
        found = trends_of(db, options.series, options.last, options.min_effect)
    if not found:
        raise command.UsageError(f"{options.db}: no series there"
                                 + (f" has {options.series!r} in it" if options.series else ""))
    if options.output is not None:
        files = {}
        for each in found:
            stem = file_stem("trend", each.machine, each.label.replace(" ", "_"))
            files.update((f"{stem}.{suffix}", content)
                         for suffix, content in trend.draw(each).items())
        command.write(options.output, files)
    sys.stdout.write(trend.as_text(found))
    return 0


def noise_of(rates_by_run, chance):
    """How far a further run of the same program may lie from the others by `chance`, as a share:
    the prediction interval of its median. Infinite with fewer than FEWEST_RUNS runs."""
    medians = [statistics.median(rates) for rates in rates_by_run.values()]
    count = len(medians)
    if count < FEWEST_RUNS or not statistics.median(medians):
        return math.inf
    reach = -special.stdtrit(count - 1, chance / 2) * math.sqrt(1 + 1 / count)
    return float(reach * statistics.stdev(medians) / statistics.median(medians))


def _last_only(series):
    """Of a simulated series the rows of the last run: the figures before are no noise of it."""
    series.ok = [row for row in series.ok if row.run_id == series.ok[-1].run_id]


def judge(base, new, rules, force=False):
    """The Comparison of new rows with those of good runs (matching.Side, as Store.side() gives)."""
    outside, few = {}, {}
    native = [key for key in base.series if key.machine == "native" and key in new.series]
    for key, series in base.series.items():
        if key.machine != "native":
            _last_only(series)
    for key in native:
        by_run = {}
        for row in base.series[key].ok:
            by_run.setdefault((row.run_id, row.host), []).append(row.ops_per_sec)
        outside[key] = noise_of(by_run, rules.alpha / len(native))
        if len(by_run) < FEWEST_RUNS:
            few[key] = len(by_run)
    found = comparison.compare(base, new, rules, force, outside)
    for result in found.results:
        if result.key in few:
            count = few[result.key]
            result.decision = dataclasses.replace(
                result.decision, verdict=verdict.INCONCLUSIVE, needed=None,
                reason=f"{count} good run{'s' if count > 1 else ''} in the history: "
                       f"{FEWEST_RUNS} are needed")
    found.results.sort(key=comparison.sort_key)
    return found


def gate(options):
    """Judge a result by the last good runs."""
    rules = command.rules_of(options)
    new = matching.load(options.new)
    mine = {(row.run_id, row.host) for series in new.series.values()
            for row in series.ok + series.failed}
    with store.Store(options.db, create=False) as db:
        runs = [run for run in db.runs(good_only=True) if (run[1], run[2]) not in mine]
        runs = runs[-options.last:]
        if runs:
            base = db.side(runs, f"last {len(runs)} good runs of {options.db}")
            found = judge(base, new, rules, options.force)
            status = command.show(found, options)
        else:
            status = 3
        if status == 3:
            print("history.py: nothing comparable: no good run there has a series of "
                  f"{clean(options.new)}", file=sys.stderr)
        if options.add and any(series.ok for series in new.series.values()):
            db.add(new, good=status != 1)
    return status


def _csv(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _plain(value):
    """Text that is no formula to a spreadsheet, and needs no quotes."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "._:-") else "_"
                   for char in value).lstrip("-_") or "unknown"


def export(options):
    """Write a CSV for each series, and the configuration that names them all. otava takes no empty
    field, so series with other runs cannot share a file."""
    files, tests = {}, []
    with store.Store(options.db, create=False) as db:
        for key, label, runs, values in _series(db):
            stem = file_stem(key.machine, label.replace(" ", "_"))
            rows = [("time", "commit", "run_id", "ops_per_sec")]
            rows += [(_plain(time), _plain(_commit(header)), _plain(run_id), f"{value:.15g}")
                     for (_, run_id, _, time, header, _), value in zip(runs, values)]
            files[f"{stem}.csv"] = _csv(rows)
            tests.append(f'  "{stem}":\n    type: csv\n    file: "{stem}.csv"\n'
                         "    time_column: time\n    attributes: [commit, run_id]\n"
                         "    metrics:\n      ops_per_sec:\n        column: ops_per_sec\n"
                         "        direction: 1\n    csv_options:\n      delimiter: ','\n")
    if not tests:
        raise command.UsageError(f"{options.db}: there is no run to export")
    files["otava.yaml"] = ("tests:\n" + "".join(tests)).encode()
    command.write(options.output, files)
    print(f"{len(tests)} series in {clean(options.output)}, named in otava.yaml")
    return 0


def main(argv):
    """Run the command line; return the exit status."""
    options = parse(argv)
    try:
        return {"add": add, "list": list_, "trend": show_trend, "gate": gate,
                "export": export}[options.action](options)
    except sqlite3.Error as error:
        raise command.UsageError(f"{options.db}: cannot be read ({error})") from error


if __name__ == "__main__":
    command.run("history.py", main)
