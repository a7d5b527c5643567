# SPDX-License-Identifier: GPL-2.0-or-later
"""scaling - throughput in ops per second against tasks, beside the ideal."""

import frame
import series
from figure import Axis, Panel

ORDER = 10
LINEAR = "linear (fastest 1-task rate)"


def figures(data):
    """A Figure for each series.Chart."""
    return [_figure(chart) for chart in data.charts]


def _figure(chart):
    points = [line.points() for line in chart.lines]
    curves = [frame.curve(line, look, found)
              for look, (line, found) in enumerate(zip(chart.lines, points))]
    note = frame.interval_note(points)
    rate = series.linear_rate(chart)
    if rate is None:
        note += " No 1-task point, so no linear."
    else:
        every = sorted({tasks for line in chart.lines for tasks in line.by_tasks} | {1})
        curves.insert(0, frame.guide(LINEAR, [(tasks, rate * tasks) for tasks in every]))
    return frame.build(chart, "scaling", "scaling", frame.tasks_axis(),
                       Axis("Throughput", "ops/s", "ops_per_sec", si=True), [Panel(curves)],
                       [note], marks=frame.marks(chart))
