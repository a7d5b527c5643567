# SPDX-License-Identifier: GPL-2.0-or-later
"""trend - a series over its runs: levels, change points, as text and as a chart."""

import dataclasses

import drawing
import numpy as np
from gnuplot import quote
from text import clean, shorten, si_scale

WIDTH, HEIGHT = 1200, 520  # pixels
MOST_POINTS = 2000  # drawn one by one; above, a band from least to most
_BUCKETS = 600
_MOST_LABELS = 8  # change points with a text: the latest


@dataclasses.dataclass
class Trend:
    """One series: label and machine; runs, a list of (name, time, commit, good) in the order of
    time; values, their medians in ops per second; starts, the indices at which a level begins."""

    label: str
    machine: str
    runs: list
    values: list
    starts: list

    def levels(self):
        """[(first index, index after the last, median of the level)]."""
        edges = [0, *self.starts, len(self.values)]
        return [(first, after, float(np.median(self.values[first:after])))
                for first, after in zip(edges, edges[1:])]

    def changes(self):
        """[(index, change as a share)] of each change point."""
        levels = self.levels()
        return [(after[0], after[2] / before[2] - 1 if before[2] else 0.0)
                for before, after in zip(levels, levels[1:])]


def _when(run):
    """Date and commit of a run, for people."""
    _, time, commit, _ = run
    return f"{clean(time[:10])} {shorten(commit or 'commit unknown', 24)}"


def as_text(trends):
    """A table, a line for each series, and a line for each change point below it."""
    lines = []
    for trend in trends:
        first, _, level = trend.levels()[-1]
        lines.append(f"{clean(trend.machine)}: {trend.label}: {len(trend.values)} runs, "
                     f"{level:.6g} ops/s since run {first + 1}")
        for index, change in trend.changes():
            lines.append(f"  {change * 100:+.1f}% at run {index + 1}, {_when(trend.runs[index])}")
    return "\n".join(lines) + "\n"


def _points(trend, scale):
    """(data lines, plot elements) of the runs themselves."""
    values = np.array(trend.values) / scale
    if len(values) <= MOST_POINTS:
        good = [f"{i} {value:.6g}" for i, value in enumerate(values, 1) if trend.runs[i - 1][3]]
        bad = [f"{i} {value:.6g}" for i, value in enumerate(values, 1) if not trend.runs[i - 1][3]]
        lines, parts = [], []
        for name, data, style in (("GOOD", good, "pt 7 ps 0.6 lc rgb '#5a86b5'"),
                                  ("BAD", bad, "pt 2 ps 1.0 lw 1.5 lc rgb '#c03000'")):
            if data:
                lines += [f"${name} << EOD", *data, "EOD"]
                parts.append(f"${name} using 1:2 with points {style}")
        return lines, parts
    edges = np.linspace(0, len(values), _BUCKETS + 1).astype(int)
    data = [f"{(a + b + 1) / 2:.1f} {values[a:b].min():.6g} {values[a:b].max():.6g}"
            for a, b in zip(edges, edges[1:])]
    return (["$BAND << EOD", *data, "EOD"],
            ["$BAND using 1:2:3 with filledcurves fc rgb '#b5cbe2' fs solid noborder"])


def _ticks(trend):
    """Ticks of the x axis: run number and date, at most six."""
    count = len(trend.runs)
    places = sorted({round(1 + i * (count - 1) / 5) for i in range(6)})
    return "set xtics (" + ", ".join(
        f"{quote(f'{place} ({trend.runs[place - 1][1][:10]})')} {place}"
        for place in places) + ") nomirror out noenhanced"


def _foot(trend):
    what = ("Band: least and most of the runs" if len(trend.values) > MOST_POINTS else
            "Dot: median of a run's repeats.  ×: a run marked bad")
    more = (f"  The latest {_MOST_LABELS} of {len(trend.starts)} are labelled."
            if len(trend.starts) > _MOST_LABELS else "")
    return (f"{what}.  Thick line: level, the median between changes.  Dashed: change point.  "
            f"The axis does not begin at 0.{more}")


def _texts(trend, font):
    """Lines for title, subtitle and foot."""
    simulated = "" if trend.machine == "native" else " (simulated)"
    where = (f"machine {trend.machine}{simulated}, {len(trend.values)} runs, "
             f"{_when(trend.runs[0])} to {_when(trend.runs[-1])}")
    left = 20 / WIDTH
    return [drawing.label(1, shorten(trend.label, 90), (left, 1 - 24 / HEIGHT), font * 1.27),
            drawing.label(2, shorten(where, 130), (left, 1 - 48 / HEIGHT), font * 0.91),
            drawing.label(3, _foot(trend), (left, 16 / HEIGHT), font * 0.82)]


def _marks(trend, font):
    """Lines for the change points: a dashed line each, and a text for the latest of them."""
    lines, changes = [], trend.changes()
    for number, (index, change) in enumerate(changes):
        x = index + 0.5
        lines.append(f"set arrow {number + 1} from {x}, graph 0 to {x}, graph 1 nohead dt (10,6) "
                     "lw 1.4 lc rgb '#c03000'")
        if number >= len(changes) - _MOST_LABELS:
            side = "right" if index > 0.75 * len(trend.values) else "left"
            said = f" {change * 100:+.1f}%, {_when(trend.runs[index])} "
            y = 1 - (68 + 15 * (number % 2)) / HEIGHT
            lines.append(f"set label {10 + number} {quote(said)} at {x}, screen {y:.4f} {side} "
                         f"noenhanced font ',{font * 0.82:.1f}'")
    return lines


def _script(trend):
    """The gnuplot lines of one chart, as a function of the size of the main font."""
    scale, prefix = si_scale(max(max(trend.values), 1e-9))
    values = [value / scale for value in trend.values]
    least, most = min(values), max(values)
    room = (most - least) * 0.12 or most * 0.05 or 1.0
    data, parts = _points(trend, scale)
    levels = []
    for first, after, level in trend.levels():
        levels += [f"{edge + 0.5:.1f} {level / scale:.6g}" for edge in (first, after)] + [""]
    data += ["$LEVEL << EOD", *levels, "EOD"]
    parts.append("$LEVEL using 1:2 with lines lw 3 lc rgb '#000000'")

    def body(font):
        return ["unset key", "set border 3", f"set lmargin at screen {96 / WIDTH:.4f}",
                f"set rmargin at screen {1 - 70 / WIDTH:.4f}",
                f"set tmargin at screen {1 - 104 / HEIGHT:.4f}",
                f"set bmargin at screen {84 / HEIGHT:.4f}",
                f"set xrange [0.5:{len(values) + 0.5}]",
                f"set yrange [{max(least - room, 0):.6g}:{most + room:.6g}]",
                _ticks(trend), "set ytics format '%g' nomirror out",
                "set grid ytics lc rgb '#dddddd' lt 1 lw 0.6", "set xlabel 'Run (date)'",
                f"set ylabel {quote(f'Throughput ({prefix} ops/s)')} noenhanced",
                *_texts(trend, font), *_marks(trend, font), *data, "plot " + ", ".join(parts)]

    return body


def draw(trend):
    """The chart of a Trend as {suffix: bytes}. Raises GnuplotError."""
    return drawing.render(drawing.program(_script(trend), WIDTH, HEIGHT))
