# SPDX-License-Identifier: GPL-2.0-or-later
"""figure - what a chart shows, before anything draws it: curves in panels, and their axes.

A chart module makes Figures; gnuplot.py, svg.py and table() draw and print them. Values are in
their own units (tasks, ops per second, ns); how they lie on paper is for Scale alone.
"""

import dataclasses
import math

from text import clean, si_scale

LINE, POINTS, STEPS, BARS, RANGE, GUIDE = "line", "points", "steps", "bars", "range", "guide"


@dataclasses.dataclass
class Point:
    """x and y; low and high bound y (None: no interval); note is drawn beside it, more is told
    where there is room for it (hover, text)."""

    x: float
    y: float
    low: float = None
    high: float = None
    note: str = ""
    more: str = ""


@dataclasses.dataclass
class Curve:
    """label and list of Point. style is one of the above: BARS of a panel are stacked, a RANGE is
    a box from low to high, a GUIDE is no data. look: its number among colours and shapes (None: its
    place in the legend). lines: the series.Lines it shows."""

    label: str
    points: list
    style: str = LINE
    look: int = None
    lines: tuple = ()


@dataclasses.dataclass
class Axis:
    """What one axis is. column is its name in text. si: the unit gets a prefix (k, M). log: by
    powers of ten, and what is 0 stands apart under the name `zero`. categories: x is an index into
    these names. top: where the axis should end at least."""

    label: str
    unit: str = ""
    column: str = ""
    si: bool = False
    log: bool = False
    zero: str = "0"
    categories: list = None
    top: float = None
    tick: object = None  # of a log axis: the function that writes a value (short())


@dataclasses.dataclass
class Panel:
    """Curves with axes in common; an x or y of its own replaces the figure's."""

    curves: list
    title: str = ""
    x: Axis = None
    y: Axis = None


@dataclasses.dataclass
class Figure:
    """One picture. names: what tells it from others of its chart, as (column, value) pairs; they
    become its file name. marks: (x, text) of what begins there."""

    chart: str
    names: list
    title: str
    x: Axis
    y: Axis
    panels: list
    subtitle: list = dataclasses.field(default_factory=list)
    footnotes: list = dataclasses.field(default_factory=list)
    marks: list = dataclasses.field(default_factory=list)
    group: object = None  # the series.Chart it shows, None where it is none

    def legend(self):
        """Curves of all panels, one of each label, in order; guides come first."""
        found = {}
        for panel in self.panels:
            for curve in panel.curves:
                found.setdefault(curve.label, curve)
        return sorted(found.values(), key=lambda curve: curve.style != GUIDE)

    def looks(self):
        """{label: number among colours and shapes} of the legend."""
        result, free = {}, {True: 0, False: 0}
        for curve in self.legend():
            guide = curve.style == GUIDE
            result[curve.label] = free[guide] if curve.look is None else curve.look
            free[guide] += 1
        return result


class Scale:
    """An axis over its values: low and high (places), ticks ((place, text) pairs), title.

    place(value) is where a value lies between low and high: the value, or its logarithm.
    """

    def __init__(self, axis, values, ticks=18, margin=0.05, from_zero=True):
        self.axis = axis
        self.title = axis.label + (f" ({axis.unit})" if axis.unit else "")
        values = [value for value in values if value is not None]
        if axis.top is not None:
            values.append(axis.top)
        if axis.categories is not None:
            self.low, self.high = -0.6, len(axis.categories) - 0.4
            step = math.ceil(len(axis.categories) / ticks)
            self.ticks = [(i, name) for i, name in enumerate(axis.categories) if i % step == 0]
        elif axis.log:
            self._log(values, ticks)
        else:
            self._linear(max(values, default=0), ticks, margin, from_zero)

    def place(self, value):
        """Where a value is between low and high."""
        if not self.axis.log:
            return value
        return math.log10(value) if value > 0 else self._zero

    def _linear(self, most, ticks, margin, from_zero):
        top = most if most > 1e-9 else 1.0
        self.low, self.high = 0, top * (1 + margin) if from_zero else max(top * 1.02, top + 0.3)
        factor, prefix = si_scale(top) if self.axis.si else (1.0, "")
        if self.axis.si:
            self.title = f"{self.axis.label} ({f'{prefix} {self.axis.unit}'.strip()})"
        step = nice_step(self.high / factor, ticks, whole=not from_zero)
        count = int(self.high / factor / step + 1e-9)
        self.ticks = [(i * step * factor, f"{i * step:.12g}") for i in range(count + 1)]

    def _log(self, values, ticks):
        positive = [math.log10(value) for value in values if value > 0]
        first, last = min(positive, default=0), max(positive, default=1)
        if last - first < 1:  # less than a power of ten is shown as one, so that a tick is seen
            middle = (first + last) / 2
            first, last = min(first, math.floor(middle)), max(last, math.floor(middle) + 1)
        room = 0.06 * (last - first) + 0.05
        self._zero = first - room - 0.09 * (last - first) - 0.2
        self.low, self.high = first - room, last + room
        self.ticks = []
        if any(value <= 0 for value in values):
            self.ticks.append((self._zero, self.axis.zero))
            self.low = self._zero - room
        write = self.axis.tick or short
        powers = range(math.floor(first - room), math.floor(last + room) + 1)
        step = max(1, math.ceil((last - first) / ticks))
        wide = max(len(line) for power in powers for line in write(2 * 10.0 ** power).split("\n"))
        fit = ticks * 5 / max(5, wide + 1)  # `ticks` is for names of five characters
        step = max(step, math.ceil((self.high - self.low) / fit))
        for leads in ((1, 2, 5), (1, 3), (1,)):
            if len(leads) * (self.high - self.low) <= fit:
                break
        values = [lead * 10.0 ** power for power in powers[::step] for lead in leads]
        self.ticks += [(math.log10(value), write(value)) for value in values
                       if first - room <= math.log10(value) <= last + room]


def nice_step(largest, most, whole=False):
    """The distance of ticks, 1, 2 or 5 times a power of ten, that gives at most `most` of them."""
    if largest <= 0:
        return 1
    power = 10.0 ** math.floor(math.log10(largest / most))
    for lead in (1, 2, 5, 10, 20, 50, 100):
        step = lead * power
        if largest / step <= most and (not whole or step >= 0.999):
            return round(step) if whole else step
    return 100 * power


def short(value):
    """A number in few characters: 4, 0.25, 12.3k, 1.5M."""
    factor, prefix = si_scale(abs(value))
    return f"{value / factor:.3g}{prefix}"


def in_bytes(value):
    """A number of bytes for people: 94 MiB."""
    step = 0
    while value >= 1000 and step < 6:
        value /= 1024
        step += 1
    return f"{value:.3g} {['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'][step]}"


def in_time(ns):
    """A time for people: 2.05 µs."""
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= factor:
            return f"{ns / factor:.3g} {unit}"
    return f"{ns:.3g} ns"


def scales(figure, panel, ticks):
    """(x, y): the Scales of one panel. Panels have the same y, but for those with their own."""
    points = [point for curve in panel.curves for point in curve.points]
    axis = panel.x or figure.x
    x = Scale(axis, [point.x for point in points], ticks, from_zero=False)
    if panel.y:
        return x, Scale(panel.y, _heights([panel], panel.y), 10)
    return x, Scale(figure.y, _heights(figure.panels, figure.y), 10)


def _heights(panels, axis):
    """All values that the y axis must hold; a guide counts unless it would dwarf the data."""
    heights, guides = [], []
    for panel in panels:
        sums = {}
        for curve in panel.curves:
            for point in curve.points:
                if curve.style == BARS:
                    sums[point.x] = sums.get(point.x, 0) + point.y
                elif curve.style == GUIDE:
                    guides.append(point.y)
                else:
                    heights += [point.y] + [bound for bound in (point.low, point.high)
                                            if bound is not None and bound > 0]
        heights += sums.values()
    data, guide = max(heights, default=0), max(guides, default=0)
    if not axis.log and guide > data:
        heights.append(guide if guide <= 2 * data else data * 1.15)
    return heights


def bottoms(panel):
    """{(label, x): where the bar of that curve begins}, the bars below it added up."""
    result, sums = {}, {}
    for curve in panel.curves:
        for point in curve.points if curve.style == BARS else ():
            result[curve.label, point.x] = sums.get(point.x, 0)
            sums[point.x] = sums.get(point.x, 0) + point.y
    return result


def table(figure):
    """A figure as a list of lines: a line that begins with #, the columns, tab-separated rows."""
    names = "\t".join(f"{key}={clean(value)}" for key, value in figure.names)
    lines = [f"# {figure.chart}\t{names}"]
    lines += [f"# from {number_text(x)} on: {clean(text)}" for x, text in figure.marks]
    titled = any(panel.title for panel in figure.panels)
    for index, panel in enumerate(figure.panels):
        axis = panel.x or figure.x
        columns = [*(["panel"] if titled else []), "series", axis.column, figure.y.column,
                   "low", "high", "note"]
        if index == 0 or axis.column != figure.x.column:
            lines.append("\t".join(columns))
        for curve in panel.curves:
            for point in curve.points:
                x = axis.categories[point.x] if axis.categories else number_text(point.x)
                said = "; ".join(clean(word) for word in (point.note, point.more) if word)
                lines.append("\t".join([
                    *([clean(panel.title)] if titled else []), clean(curve.label), clean(x),
                    *(number_text(y) for y in (point.y, point.low, point.high)), said]))
    return lines


def number_text(value):
    """A number with all its digits; empty where it is None."""
    return "" if value is None else format(value, ".15g")
