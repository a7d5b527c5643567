# SPDX-License-Identifier: GPL-2.0-or-later
"""batch - throughput against batch, a curve for each counter and some task counts; knees marked."""

import collections
import statistics

import frame
import series
from figure import Axis, Curve, Panel, Point
from text import sort_key

ORDER = 50
WITHIN = 0.05  # of the ceiling: the smallest batch that comes so near is the knee
MOST_COUNTS = 3
LEAST_BATCHES = 3  # two make no curve


def figures(data):
    """A Figure for each series.Chart in which a counter ran with three batches or more."""
    return [figure for figure in map(_figure, data.charts) if figure]


def _families(chart):
    """{family: [Line]} of those with enough batches."""
    found = collections.defaultdict(list)
    for line in chart.lines:
        if any(row.batch_used for row in line.rows):
            found[line.family].append(line)
    return {family: lines for family, lines in found.items()
            if len({row.batch_used for line in lines for row in line.rows}) >= LEAST_BATCHES}


def _task_counts(lines):
    """The most tasks, and from the others about a quarter of them and 1, as far as they ran."""
    counts = sorted({tasks for line in lines for tasks in line.by_tasks})
    most = counts[-1]
    wanted = [most, min(counts, key=lambda tasks: abs(tasks - most / 4)), counts[0]]
    return sorted(set(wanted), reverse=True)[:MOST_COUNTS]


def _points(lines, tasks):
    """[Point] over the batches in force, rising: the median of a batch's lines and repeats."""
    found = collections.defaultdict(list)
    names = {}
    for line in lines:
        for row in line.by_tasks.get(tasks, ()):
            if row.batch_used:
                found[row.batch_used].append(row)
                names[row.batch_used] = row.batch
    result = []
    for used, rows in sorted(found.items()):
        lows = [row.ops_per_sec if row.ops_low is None else row.ops_low for row in rows]
        highs = [row.ops_per_sec if row.ops_high is None else row.ops_high for row in rows]
        has_bounds = len(rows) > 1 or rows[0].ops_low is not None
        result.append(Point(used, statistics.median(row.ops_per_sec for row in rows),
                            min(lows) if has_bounds else None, max(highs) if has_bounds else None,
                            more=f"batch {names[used]}"))
    return result


def knee(points):
    """The first of rising Points that is within WITHIN of the highest, None without three."""
    if len(points) < LEAST_BATCHES:
        return None
    ceiling = max(point.y for point in points)
    return next(point for point in points if point.y >= (1 - WITHIN) * ceiling)


def _figure(chart):
    families = _families(chart)
    curves = []
    for family in sorted(families, key=sort_key):
        for tasks in _task_counts(families[family]):
            points = _points(families[family], tasks)
            at = knee(points)
            if at:
                at.note = f"knee {at.x:,}"
                words = "task" if tasks == 1 else "tasks"
                curves.append(Curve(f"{family}, {tasks} {words}", points,
                                    lines=tuple(families[family])))
    if not curves:
        return None
    return frame.build(chart, "batch", "throughput against batch",
                       Axis("Batch in force", series.unit(chart), "batch_used", log=True),
                       Axis("Throughput", "ops/s", "ops_per_sec", si=True), [Panel(curves)],
                       [f"Knee: the smallest batch that was run and is within {WITHIN:.0%} of the "
                        "highest throughput of its curve.",
                        "Bar: 95 % interval, over all repeats where there are several."])
