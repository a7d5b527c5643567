# SPDX-License-Identifier: GPL-2.0-or-later
"""fairness - the slowest task's rate in percent of the fastest's, against tasks."""

import frame
from figure import Axis, Panel

ORDER = 60
IDEAL = "100 %: all tasks alike"


def figures(data):
    """A Figure for each series.Chart that has rates of several tasks."""
    return [figure for figure in map(_figure, data.charts) if figure]


def _percent(row):
    if row.tasks < 2 or row.task_min is None or not row.task_max:
        return None
    return 100 * row.task_min / row.task_max


def _figure(chart):
    points = [line.points(_percent, _percent, _percent) for line in chart.lines]
    points = [[point._replace(low=None, high=None) if point.repeats == 1 else point
               for point in found] for found in points]
    counts = [point.tasks for found in points for point in found]
    if not counts:
        return None
    curves = [frame.guide(IDEAL, [(min(counts), 100), (max(counts), 100)])]
    curves += [frame.curve(line, look, found)
               for look, (line, found) in enumerate(zip(chart.lines, points)) if found]
    most = max(point.repeats for found in points for point in found)
    note = (f"Line: median of up to {most} repeats. Bar or band: the least and most of them."
            if most > 1 else "Each point is one run: the slowest task's rate by the fastest's.")
    return frame.build(chart, "fairness", "fairness", frame.tasks_axis(),
                       Axis("Slowest task", "% of the fastest", "slowest_pct", top=100),
                       [Panel(curves)], [note], marks=frame.marks(chart))
