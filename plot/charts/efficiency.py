# SPDX-License-Identifier: GPL-2.0-or-later
"""efficiency - throughput in percent of what as many tasks alone would give, against tasks."""

import frame
from figure import Axis, Panel

ORDER = 20
IDEAL = "100 %: as fast as alone"


def figures(data):
    """A Figure for each series.Chart that has efficiencies of more than one task."""
    return [figure for figure in map(_figure, data.charts) if figure]


def _percent(row):
    return None if row.efficiency is None else 100 * row.efficiency


def _bound(column):
    """The efficiency that a bound of the rate would be; that of 1 task is taken as exact."""
    def of(row):
        rate = getattr(row, column)
        if rate is None or row.efficiency is None or not row.ops_per_sec:
            return None
        return 100 * row.efficiency * rate / row.ops_per_sec
    return of


def _figure(chart):
    points = [line.points(_percent, _bound("ops_low"), _bound("ops_high")) for line in chart.lines]
    most = max((point.tasks for found in points for point in found), default=0)
    if most < 2:
        return None
    curves = [frame.guide(IDEAL, [(1, 100), (most, 100)])]
    curves += [frame.curve(line, look, found)
               for look, (line, found) in enumerate(zip(chart.lines, points)) if found]
    return frame.build(chart, "efficiency", "efficiency", frame.tasks_axis(),
                       Axis("Efficiency", "% of the same line's 1-task rate", "efficiency_pct"),
                       [Panel(curves)], [frame.interval_note(points)], marks=frame.marks(chart))
