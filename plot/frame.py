# SPDX-License-Identifier: GPL-2.0-or-later
"""frame - what the charts of one series.Chart have in common: titles, small print, task marks."""

import series
from figure import GUIDE, Axis, Curve, Figure, Point
from text import shorten

_SUBTITLE_WIDTH = 150  # characters of the small lines that fit a picture
BAND_FROM = 25  # points of a curve: above, bars of intervals would touch, and a band is drawn


def title(chart, what):
    """What is shown of which testcase, mode and machine; a simulated machine is always said."""
    mode = f", {chart.mode} mode" if chart.mode else ""
    machine = "native" if not chart.simulated else f"{chart.machine} (simulated)"
    return shorten(f"{chart.testcase}: {what}{mode}, machine {machine}", 104)


def subtitle(chart):
    """One or two lines: where it ran, and the settings all lines share."""
    hosts = {row.host for line in chart.lines for row in line.rows if row.host}
    cpus = dict.fromkeys(cpu for source in chart.sources for cpu in source.header.get("cpu", []))
    where = []
    if cpus and not chart.simulated:
        where.append("CPU: " + " / ".join(cpus))
    if hosts and not chart.simulated:
        where.append("host: " + ", ".join(sorted(hosts)))
    common = "  ".join(f"{key}={value}" for key, value in chart.common.items())
    return [shorten(words, _SUBTITLE_WIDTH) for words in ("   ".join(where), common) if words]


def interval_note(curves):
    """What a line and its bars or bands mean, from curves of series.Point."""
    points = [point for curve in curves for point in curve]
    most = max((point.repeats for point in points), default=0)
    bands = {len(curve) >= BAND_FROM for curve in curves if curve and curve[0].low is not None}
    mark = "Bar or band" if len(bands) > 1 else "Band" if True in bands else "Bar"
    if most > 1:
        return (f"Line: median of up to {most} repeats. {mark}: from the lowest to the highest "
                "bound of their 95 % intervals.")
    if any(point.low is not None for point in points):
        return f"{mark}: 95 % interval."
    return "The rows give no interval."


def footnotes(chart, *first):
    """What the marks mean, what is left out, and the files' warnings: a list of lines."""
    notes = [line for line in first if line]
    if chart.left_out:
        notes.append(f"Not drawn: {series.left_out(chart)}.")
    warnings = list(dict.fromkeys(warning for source in chart.sources
                                  for warning in source.header.get("warning", [])))
    notes += [f"Warning: {warning}" for warning in warnings[:3]]
    if len(warnings) > 3:
        notes.append(f"{len(warnings) - 3} more warnings in the files.")
    return [shorten(line, _SUBTITLE_WIDTH + 10) for line in notes]


def names(chart):
    """The (column, value) pairs of a Figure of this chart."""
    return [("testcase", chart.testcase), ("mode", chart.mode), ("machine", chart.machine)]


def build(chart, name, what, x, y, panels, notes=(), **more):
    """A Figure of a series.Chart with the usual frame."""
    return Figure(chart=name, names=names(chart), title=title(chart, what), x=x, y=y,
                  panels=panels, subtitle=subtitle(chart), footnotes=footnotes(chart, *notes),
                  group=chart, **more)


def tasks_axis():
    """The axis of most charts."""
    return Axis("Tasks", column="tasks")


def marks(chart):
    """Figure.marks of an axis of tasks: packages and siblings that the chart's tasks come to."""
    most = max(tasks for line in chart.lines for tasks in line.by_tasks)
    return [(tasks, text) for tasks, text in series.places(chart) if 1 < tasks <= most]


def curve(line, look, points):
    """A Curve of series.Points of a Line over its tasks; its settings' number gives its look."""
    return Curve(line.label, [Point(p.tasks, p.value, p.low, p.high,
                                    more=f"{p.repeats} repeats" if p.repeats > 1 else "")
                              for p in points], look=look, lines=(line,))


def guide(label, points):
    """A Curve that is no data, from (x, y) pairs."""
    return Curve(label, [Point(x, y) for x, y in points], style=GUIDE)
