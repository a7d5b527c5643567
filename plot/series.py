# SPDX-License-Identifier: GPL-2.0-or-later
"""series - sort rows into charts and lines. Pure: rows in, plain values out.

A chart is one (testcase, mode, machine). A line in it is one set of settings: counter, batch, and
whatever else can differ. What a chart draws of its lines is up to its maker: points() here gives
the scaling chart its throughput; other columns go the same way.
"""

import collections
import operator
import re
import statistics

from text import clean, shorten, sort_key

_PLACES = {"package": "package {}", "smt": "SMT siblings", "again": "CPUs used again"}
LABEL_WIDTH = 72  # characters; more is no legend

# One point of a line: tasks, the value with the bounds of its interval (None where the rows give
# none) and the number of repeats behind it. Values have the unit of their column.
Point = collections.namedtuple("Point", "tasks value low high repeats")


class Line:
    """Rows of equal settings: label (unique in its chart), family (the label without its batch),
    settings (dict), rows (list, ok), by_tasks (the rows by their tasks, rising)."""

    def __init__(self, settings):
        self.settings = settings
        self.rows = []
        self.label = ""
        self.family = ""
        self.by_tasks = {}

    def points(self, value="ops_per_sec", low="ops_low", high="ops_high"):
        """List of Point by rising tasks, of columns (default: ops per second). A column is given by
        name, or as a function of a row.

        A point is the median of its repeats. Its interval is the row's own where there is one
        repeat, and goes from the lowest lower to the highest upper bound where there are more; a
        repeat without bounds counts with its value.
        """
        value, low, high = (column if callable(column) else operator.attrgetter(column)
                            for column in (value, low, high))
        result = []
        for tasks, rows in self.by_tasks.items():
            rows = [row for row in rows if value(row) is not None]
            if not rows:
                continue
            values = [value(row) for row in rows]
            lows = [low(row) for row in rows]
            highs = [high(row) for row in rows]
            if len(rows) == 1:
                bounds = lows[0], highs[0]
            else:
                bounds = (min(v if b is None else b for b, v in zip(lows, values)),
                          max(v if b is None else b for b, v in zip(highs, values)))
            result.append(Point(tasks, statistics.median(values), *bounds, len(rows)))
        return result


class Chart:
    """What one picture shows.

    testcase, mode, machine: raw text of the key. lines: list of Line, sorted. common: dict of the
    settings all lines share. left_out: Counter of (status, reason) of rows that are not drawn.
    sources: list of the Sources the rows come from.
    """

    def __init__(self, key):
        self.testcase, self.mode, self.machine = key
        self.simulated = self.machine != "native"
        self.lines = []
        self.common = {}
        self.left_out = collections.Counter()
        self.sources = []

    @property
    def name(self):
        """The chart in a few words, for messages."""
        return ", ".join(clean(word) for word in (self.testcase, self.mode, self.machine) if word)


def _settings(row, with_run=False):
    """All that makes two rows parts of different lines, as a dict in the order of labels.

    Simulated figures are the same on every host; native ones are not.
    """
    settings = {"counter": row.counter, "batch": row.batch, "kind": row.kind,
                "policy": row.policy, "placement": row.placement}
    if row.machine == "native":
        settings["host"] = row.host
    if with_run:
        settings["run"] = row.run_id
    for key, value in sorted(row.params.items()):
        settings[f"params.{key}" if key in settings else key] = value
    return settings


def _runs_collide(rows):
    """Whether two runs measured the same point: then they are compared, not repeats."""
    if len({row.run_id for row in rows}) < 2:
        return False
    runs = collections.defaultdict(set)
    for row in rows:
        point = (*_settings(row).items(), row.tasks, row.repeat)
        runs[point].add(row.run_id)
    return any(len(ids) > 1 for ids in runs.values())


def _make_lines(rows):
    """The ok rows of one chart as a sorted list of Line, still without labels."""
    with_run = _runs_collide(rows)
    lines = {}
    for row in rows:
        settings = _settings(row, with_run)
        line = lines.setdefault(tuple(sorted(settings.items())), Line(settings))
        line.rows.append(row)

    for line in lines.values():
        by_tasks = collections.defaultdict(list)
        for row in line.rows:
            by_tasks[row.tasks].append(row)
        line.by_tasks = dict(sorted(by_tasks.items()))

    def order(line):
        first = line.rows[0]
        rest = [sort_key(f"{key}={value}") for key, value in line.settings.items()]
        return sort_key(first.counter), first.batch_used or 0, rest

    return sorted(lines.values(), key=order)


def _label(chart):
    """Name the lines of a chart by counter, batch and the settings that differ; fill common."""
    keys = dict.fromkeys(key for line in chart.lines for key in line.settings)
    values = {key: {line.settings.get(key, "") for line in chart.lines} for key in keys}
    differ = [key for key in keys if len(values[key]) > 1 and key not in ("counter", "batch")]
    chart.common = {key: chart.lines[0].settings[key] for key in keys
                    if len(values[key]) == 1 and key not in ("counter", "batch", "kind", "host")
                    and chart.lines[0].settings[key]}
    # A workload without a counter has no kind: kind is named only where it is needed.
    plain = {tuple(line.settings.get(key, "") for key in ("counter", "batch", *differ)
                   if key != "kind") for line in chart.lines}
    if len(plain) == len(chart.lines):
        differ = [key for key in differ if key != "kind"]
    taken = collections.Counter()
    for line in chart.lines:
        counter = line.settings["counter"] or "no counter"
        rest = [f"{key}={line.settings[key]}" for key in differ if line.settings.get(key)]
        words = [counter, line.settings["batch"], *rest]
        line.label = shorten(" ".join(word for word in words if word), LABEL_WIDTH)
        line.family = shorten(" ".join([counter, *rest]), LABEL_WIDTH)
        taken[line.label] += 1
        if taken[line.label] > 1:  # names equal but for what cannot be shown
            line.label += f" #{taken[line.label]}"


def _distinct(rows):
    """(rows without those that another repeats whole, how many those were)."""
    seen = {}
    for row in rows:
        content = row._replace(params=tuple(sorted(row.params.items())), source=None, line=0,
                               extra=tuple(sorted(row.extra.items())))
        seen.setdefault(content, row)
    return list(seen.values()), len(rows) - len(seen)


def charts(rows):
    """(list of Chart sorted by name, list of notes for the user) of rows of any files.

    Only rows of status ok become lines; the others are counted. A chart without an ok row is no
    chart: its note says so.
    """
    rows, twice = _distinct(rows)
    notes = [f"rows that are there twice, counted once: {twice}"] if twice else []
    found = collections.defaultdict(list)
    for row in rows:
        found[row.testcase, row.mode, row.machine].append(row)
    result = []
    for key in sorted(found, key=lambda names: [sort_key(name) for name in names]):
        chart = Chart(key)
        chart.left_out.update((row.status, row.reason) for row in found[key]
                              if row.status != "ok")
        chart.lines = _make_lines([row for row in found[key] if row.status == "ok"])
        chart.sources = list({id(row.source): row.source for row in found[key]}.values())
        if chart.lines:
            _label(chart)
            result.append(chart)
        notes += [f"{chart.name}: not drawn: {left_out(chart)}"] if chart.left_out else []
        notes += [] if chart.lines else [f"{chart.name}: no chart: it has no ok row"]
    return result, notes


def left_out(chart, width=60):
    """`2 failed (timeout), 1 skipped (...)`: what a chart does not draw; '' if all is drawn."""
    parts = []
    for status in sorted({status for status, _ in chart.left_out}):
        reasons = {reason: times for (which, reason), times in chart.left_out.items()
                   if which == status}
        said = [shorten(reason or "no reason given", width)
                + (f": {times}" if len(reasons) > 1 else "")
                for reason, times in sorted(reasons.items())]
        more = [f"{len(said) - 2} more reasons"] if len(said) > 3 else []
        parts.append(f"{sum(reasons.values())} {status} ("
                     + "; ".join(said[:2] + more if more else said) + ")")
    return ", ".join(parts)


def places(chart):
    """What the `places` header lines say: [(first task, text)] by rising task, where packages and
    SMT siblings begin. Empty where the files do not agree, or one does not say."""
    said = {tuple(source.header.get("places", [])) for source in chart.sources}
    found = []
    for word in " ".join(said.pop()).split() if len(said) == 1 else ():
        what, _, numbers = word.partition("=")
        for nth, number in enumerate(numbers.split(","), 2):
            if re.fullmatch("[1-9][0-9]{0,8}", number) and what in _PLACES:
                found.append((int(number), _PLACES[what].format(nth)))
    return sorted(found)


def unit(chart):
    """What the counters of a chart count, as `pages`: from the header lines `counts: KIND UNIT`;
    `counts` where they do not say, or say two."""
    kinds = {line.settings["kind"] for line in chart.lines}
    units = {words[1] for source in chart.sources for text in source.header.get("counts", [])
             if len(words := text.split()) == 2 and words[0] in kinds}
    return units.pop() if len(units) == 1 else "counts"


def linear_rate(chart):
    """The fastest 1-task rate of a chart in ops per second, None where no line has one task.

    That rate times tasks is the ideal: will-it-scale's `linear`.
    """
    rates = [point.value for line in chart.lines for point in line.points() if point.tasks == 1]
    return max(rates, default=None)
