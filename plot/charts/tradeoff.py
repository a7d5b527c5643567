# SPDX-License-Identifier: GPL-2.0-or-later
"""tradeoff - what a batch buys and what it costs: throughput against the error bound of the cheap
read, and beside it against what that read costs. With the most tasks that ran.
"""

import collections
import statistics

import frame
import series
from figure import GUIDE, Axis, Curve, Panel, Point, in_bytes, in_time, short
from text import sort_key

ORDER = 5
PAGE_BYTES = 4096  # of results, whatever the host's pages are
FRONTIER = "frontier: no point is both faster and nearer the truth"


def figures(data):
    """A Figure for each series.Chart with two points or more that have an error bound."""
    return [figure for figure in map(_figure, data.charts) if figure]


def _median(rows, column):
    values = [getattr(row, column) for row in rows if getattr(row, column) is not None]
    return statistics.median(values) if values else None


class _Spot:
    """One line at the task count of the picture: its throughput, bound and costs of reads."""

    def __init__(self, line, point, unit):
        rows = line.by_tasks[point.tasks]
        self.line, self.point = line, point
        self.bound, self.read_ns = _median(rows, "error_bound"), _median(rows, "read_ns")
        seen, sum_ns = _median(rows, "error_max"), _median(rows, "sum_ns")
        said = [f"batch {rows[0].batch_used:,} {unit}" if rows[0].batch_used else "",
                f"bound {_amount(self.bound, unit)}" if self.bound is not None else "",
                f"largest error seen {_amount(seen, unit)}" if seen is not None else "",
                f"a cheap read {in_time(self.read_ns)}" if self.read_ns is not None else "",
                f"an exact one {in_time(sum_ns)}" if sum_ns is not None else ""]
        self.more = ", ".join(word for word in said if word)

    def at(self, x):
        """Its Point with this x; the batch is the note."""
        return Point(x, self.point.value, self.point.low, self.point.high,
                     note=self.line.settings["batch"] or self.line.settings["counter"],
                     more=self.more)


def _amount(value, unit):
    told = f"{value:,.0f} {unit}"
    return f"{told} = {in_bytes(value * PAGE_BYTES)}" if unit == "pages" and value else told


def _pages(value):
    return f"{short(value)}\n{in_bytes(value * PAGE_BYTES)}"


def frontier(points):
    """The Points, by rising x, that no other beats in both: as far left and higher up."""
    best, result = None, []
    for point in sorted(points, key=lambda point: (point.x, -point.y)):
        if best is None or point.y > best:
            best = point.y
            result.append(point)
    return result


def _steps(points, last):
    """The frontier as a curve of steps that ends at `last`."""
    path = []
    for here, after in zip(points, points[1:] + [None]):
        path += [(here.x, here.y), (after.x if after else last, here.y)]
    return path


def _curves(spots, x):
    """A Curve for each family of spots that have an x, points by rising x."""
    families = {}
    for spot in spots:
        if x(spot) is not None:
            families.setdefault(spot.line.family, []).append(spot)
    result = []
    for family in sorted(families, key=sort_key):
        found = sorted(families[family], key=lambda spot: (spot.bound or 0, x(spot)))
        result.append(Curve(family, [spot.at(x(spot)) for spot in found],
                            lines=tuple(spot.line for spot in found)))
    return result


def _task_count(chart):
    """The most tasks with which half of the lines ran, of those that have a bound; 0 for none."""
    ran = collections.Counter(tasks for line in chart.lines for tasks, rows in line.by_tasks.items()
                              if any(row.error_bound is not None for row in rows))
    return max((tasks for tasks, lines in ran.items() if lines >= max(ran.values()) / 2),
               default=0)


def _spots(chart, tasks):
    """(those that have a bound, those that count nothing)."""
    spots = []
    for line in chart.lines:
        point = next((point for point in line.points() if point.tasks == tasks), None)
        if point:
            spots.append(_Spot(line, point, series.unit(chart)))
    return ([spot for spot in spots if spot.bound is not None],
            [spot for spot in spots if spot.bound is None])


def _floor(spots, curves):
    """Guides at the throughput of lines that count nothing, as wide as the curves."""
    xs = [point.x for curve in curves for point in curve.points]
    return [Curve(f"{spot.line.label}: nothing is counted",
                  [Point(min(xs), spot.point.value), Point(max(xs), spot.point.value)],
                  style=GUIDE, lines=(spot.line,)) for spot in spots[:1] if xs]


def _figure(chart):
    tasks = _task_count(chart)
    counting, idle = _spots(chart, tasks)
    if len(counting) < 2:
        return None
    unit = series.unit(chart)
    bounds = _curves(counting, lambda spot: spot.bound)
    looks = {curve.label: look for look, curve in enumerate(bounds)}
    every = [point for curve in bounds for point in curve.points]
    best = frontier(every)
    bounds += [frame.guide(FRONTIER, _steps(best, max(point.x for point in every)))] \
        if len(best) > 1 else []
    reads = _curves(counting, lambda spot: spot.read_ns)
    for curve in bounds + reads:
        curve.look = looks.get(curve.label)
    panels = [Panel(bounds + _floor(idle, bounds), "← closer to the truth",
                    Axis("Error bound of the cheap read", unit, "error_bound", log=True,
                         zero="exact", tick=_pages if unit == "pages" else None))]
    if reads:
        panels.append(Panel(reads + _floor(idle, reads), "← cheaper to read",
                            Axis("Cost of that read", "", "read_ns", log=True, zero="0",
                                 tick=in_time)))
    left = sum(tasks not in line.by_tasks for line in chart.lines)
    words = "task" if tasks == 1 else "tasks"
    return frame.build(chart, "tradeoff", f"what a batch buys, with {tasks} {words}",
                       panels[0].x, Axis("Throughput", "ops/s", "ops_per_sec", si=True), panels,
                       ["Each point is a batch, named beside it: better is up and to the left.",
                        frame.interval_note([[spot.point for spot in counting]]).replace(
                            "Line:", "Point:"),
                        f"Not shown: {left} lines without a run with {tasks} {words}."
                        if left else ""])
