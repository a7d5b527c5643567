# SPDX-License-Identifier: GPL-2.0-or-later
"""scaling - the scaling chart: throughput in ops per second against tasks, beside the ideal."""

import series
from gnuplot import BAND_FROM, Curve, Picture
from text import clean, shorten

LINEAR = "linear (fastest 1-task rate)"
_SUBTITLE_WIDTH = 150  # characters of the small lines that fit a picture


def table(charts):
    """The curves of charts as text: a header row and tab-separated rows, a list of lines.

    Rates are in ops per second with all digits; what is absent is empty. The ideal is there as a
    series named `linear`, at every number of tasks that the chart has.
    """
    lines = ["testcase\tmode\tmachine\tseries\ttasks\trepeats\tops_per_sec\tops_low\tops_high"]
    for chart in charts:
        names = [clean(name) for name in (chart.testcase, chart.mode, chart.machine)]
        every = set()
        for line in chart.lines:
            for point in line.points():
                every.add(point.tasks)
                rates = ["" if rate is None else format(rate, ".15g")
                         for rate in (point.value, point.low, point.high)]
                lines.append("\t".join([*names, line.label, str(point.tasks),
                                        str(point.repeats), *rates]))
        linear = series.linear_rate(chart)
        if linear is not None:
            lines += ["\t".join([*names, "linear", str(tasks), "", format(linear * tasks, ".15g"),
                                 "", ""]) for tasks in sorted(every)]
    return lines


def _title(chart):
    mode = f", {chart.mode} mode" if chart.mode else ""
    simulated = " (simulated)" if chart.simulated else ""
    return shorten(f"{chart.testcase}{mode}, machine {chart.machine}{simulated}", 90)


def _subtitle(chart):
    """One or two lines: where it ran, and the settings all lines share."""
    native_hosts = {row.host for line in chart.lines for row in line.rows if row.host}
    cpus = dict.fromkeys(cpu for source in chart.sources for cpu in source.header.get("cpu", []))
    where = []
    if cpus:
        where.append("host CPU: " + " / ".join(cpus))
    if native_hosts and not chart.simulated:
        where.append("host: " + ", ".join(sorted(native_hosts)))
    common = "  ".join(f"{key}={value}" for key, value in chart.common.items())
    return [shorten(words, _SUBTITLE_WIDTH) for words in ("   ".join(where), common) if words]


def _interval_note(curves):
    """What the line and the bars or bands of a picture mean, one sentence or two."""
    points = [point for curve in curves for point in curve]
    most = max(point.repeats for point in points)
    bands = {len(curve) >= BAND_FROM for curve in curves if curve[0].low is not None}
    mark = "Bar or band" if len(bands) > 1 else "Band" if True in bands else "Bar"
    if most > 1:
        return (f"Line: median of up to {most} repeats. {mark}: from the lowest to the highest "
                "bound of their 95 % intervals.")
    if any(point.low is not None for point in points):
        return f"{mark}: 95 % interval."
    return "The rows give no interval."


def _footnotes(chart, curves):
    """What the picture's marks mean and what it leaves out, a list of lines."""
    notes = [_interval_note(curves)]
    if series.linear_rate(chart) is None:
        notes[0] += " No 1-task point, so no linear."
    if chart.left_out:
        notes.append(f"Not drawn: {series.left_out(chart)}.")
    warnings = list(dict.fromkeys(warning for source in chart.sources
                                  for warning in source.header.get("warning", [])))
    notes += [f"Warning: {warning}" for warning in warnings[:3]]
    if len(warnings) > 3:
        notes.append(f"{len(warnings) - 3} more warnings in the files.")
    return [shorten(line, _SUBTITLE_WIDTH + 10) for line in notes]


def picture(chart):
    """The Picture of one series.Chart."""
    curves = [line.points() for line in chart.lines]
    drawn = [Curve(line.label, [(p.tasks, p.value, p.low, p.high) for p in points])
             for line, points in zip(chart.lines, curves)]
    return Picture(title=_title(chart), subtitle=_subtitle(chart),
                   footnotes=_footnotes(chart, curves), x_label="Tasks", y_label="Throughput",
                   y_unit="ops/s", curves=drawn, guide=LINEAR,
                   guide_slope=series.linear_rate(chart))
