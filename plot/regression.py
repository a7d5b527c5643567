# SPDX-License-Identifier: GPL-2.0-or-later
"""regression - the regression chart: the change of each series with its interval, worst first."""

import math

import drawing
import formats
import verdict
from gnuplot import quote
from text import clean, shorten

WIDTH = 1200  # pixels
MOST_ROWS = 60
_ROW_PX, _TOP_PX, _FOOT_PX = 22, 112, 112
# verdict: colour and gnuplot's point type; told apart by shape where there is no colour
_MARKS = {verdict.WORSE: ("#c03000", 11), verdict.BETTER: ("#00805a", 9),
          verdict.SAME: ("#404040", 6), verdict.INCONCLUSIVE: ("#808080", 2)}
_MOST = 16  # a ratio beyond is drawn there


def _drawable(comparison):
    """The results with a ratio that are drawn, worst first (those called worse, then all others by
    ratio), and how many are left out: of too many, those that are the same go first."""
    found = [result for result in comparison.results
             if result.decision.ratio is not None and not math.isnan(result.decision.ratio)]
    kept = found[:MOST_ROWS]  # they come as a table has them: worse, better, inconclusive, same
    kept.sort(key=lambda result: (result.decision.verdict != verdict.WORSE, result.decision.ratio,
                                  result.label))
    return kept, len(found) - len(kept)


def _percent(ratio):
    return (min(ratio, _MOST) - 1) * 100


def _x_range(rows, least):
    """(lowest, highest) change in percent that the axis shows."""
    ends = [0.0, -150 * least, 150 * least]
    for result in rows:
        ends.append(_percent(result.decision.ratio))
        # An interval far wider than the changes does not set the scale.
        if result.decision.low is not None:
            ends += [max(_percent(result.decision.low), -100),
                     min(_percent(result.decision.high), 2 * abs(ends[-1]) + 60)]
    room = (max(ends) - min(ends)) * 0.04
    return min(ends) - room, max(ends) + room


def _data(rows, wanted):
    """A data block of rows of one verdict: x, y, low, high; y counts from 1 at the bottom."""
    lines = []
    for y, result in enumerate(reversed(rows), 1):
        decision = result.decision
        if decision.verdict != wanted:
            continue
        x = _percent(decision.ratio)
        low, high = ((x, x) if decision.low is None else
                     (_percent(decision.low), _percent(decision.high)))
        lines.append(f"{x:.6g} {y} {low:.6g} {high:.6g}")
    return lines


def _value_text(result):
    decision = result.decision
    mark = "≡ " if result.simulated else ""
    return f"{mark}{formats.change_text(decision)}  {decision.verdict}"


def _names(rows, comparison):
    several = len({result.key.machine for result in comparison.results}) > 1
    return [shorten((f"{result.key.machine}: " if several else "") + result.label, 66)
            for result in rows]


def _title(comparison):
    machines = sorted({result.key.machine for result in comparison.results})
    where = ", ".join("native" if name == "native" else f"{clean(name)} (simulated)"
                      for name in machines)
    return [shorten(f"Change of throughput, {where}", 90),
            shorten(f"{comparison.base}  →  {comparison.new}", 130),
            shorten(formats.summary(comparison), 130)]


def _foot(rows, more):
    """The lines below: what the marks mean, and what is not drawn."""
    lines = ["▼ worse   ▲ better   ○ same   × inconclusive."]
    if not all(result.simulated for result in rows):
        lines[0] += ("  Line: 95 % interval of the ratio of medians.  Grey band: native changes "
                     "below the least effect that counts.")
    if any(result.simulated for result in rows):
        lines.append("≡ simulated: exact, without an interval; every difference is a change.")
    if more:
        lines.append(f"{more} more series are not drawn, such as are the same first.")
    return lines


def script(comparison):
    """The gnuplot program that draws a comparison.Comparison."""
    rows, more = _drawable(comparison)
    names = _names(rows, comparison)
    left = min(40 + 7.6 * max(map(len, names)), 560)
    right = 190
    height = _TOP_PX + _FOOT_PX + _ROW_PX * max(len(rows), 3)
    low, high = _x_range(rows, comparison.rules.min_effect)
    least = comparison.rules.min_effect * 100
    marks = {wanted: _data(rows, wanted) for wanted in _MARKS}

    def body(font):
        small = font * 0.82
        lines = [f"set lmargin at screen {left / WIDTH:.4f}",
                 f"set rmargin at screen {1 - right / WIDTH:.4f}",
                 f"set tmargin at screen {1 - (_TOP_PX - 24) / height:.4f}",
                 f"set bmargin at screen {_FOOT_PX / height:.4f}", "unset key", "set border 1",
                 f"set xrange [{low:.6g}:{high:.6g}]", f"set yrange [0.3:{len(rows) + 0.7}]",
                 f"set xtics format '%+g%%' nomirror out font ',{font * 0.9:.1f}'",
                 f"set ytics scale 0 noenhanced font ',{small:.1f}'",
                 "set ytics (" + ", ".join(f"{quote(name)} {y}" for y, name in
                                           enumerate(reversed(names), 1)) + ")",
                 "set grid xtics lc rgb '#dddddd' lt 1 lw 0.6",
                 "set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb '#202020' lw 1.2",
                 f"set xlabel 'Change of operations per second' font ',{font * 0.9:.1f}'"]
        if not all(result.simulated for result in rows):
            lines.append(f"set object 1 rect from {-least:.6g}, graph 0 to {least:.6g}, graph 1 "
                         "behind fc rgb '#e8e8e8' fs solid noborder")
        for number, line in enumerate(_title(comparison), 1):
            size = font * (1.27 if number == 1 else 0.91)
            lines.append(drawing.label(number, line, (20 / WIDTH, 1 - (2 + 21 * number) / height),
                                       size))
        foot = _foot(rows, more)
        lines += [drawing.label(10 + i, line, (20 / WIDTH, (8 + 15 * (len(foot) - i)) / height
                                               - 12 / height), small)
                  for i, line in enumerate(foot)]
        lines += [f"set label {100 + y} {quote(_value_text(result))} at graph 1.01, first {y} left "
                  f"noenhanced font ',{small:.1f}'"
                  for y, result in enumerate(reversed(rows), 1)]
        parts = []
        for wanted, data in marks.items():
            if data:
                colour, shape = _MARKS[wanted]
                lines += [f"$D{shape} << EOD", *data, "EOD"]
                parts += [f"$D{shape} using 1:2:3:4 with xerrorbars pt 0 lw 1.6 lc rgb '{colour}'",
                          f"$D{shape} using 1:2 with points pt {shape} ps 1.1 lw 1.6 "
                          f"lc rgb '{colour}'"]
        return [*lines, "plot " + ", ".join(parts)]

    return drawing.program(body, WIDTH, height)


def draw(comparison):
    """The chart as {suffix: bytes}; empty where no series has a ratio. Raises GnuplotError."""
    return drawing.render(script(comparison)) if _drawable(comparison)[0] else {}
