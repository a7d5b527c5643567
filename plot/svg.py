# SPDX-License-Identifier: GPL-2.0-or-later
"""svg - a Figure as SVG for a page: its colours are the page's, its points tell their values.

Text of any content is safe here: all markup is made by element(), which escapes. Nothing has a
style of its own, so that a page may forbid such.
"""

import math

from markupsafe import Markup, escape

import gnuplot_layout as layout
from figure import BARS, GUIDE, POINTS, RANGE, STEPS, bottoms, scales
from frame import BAND_FROM
from text import clean

WIDTH = 760
COLOURS = 8  # classes c0 to c7 of the page
_DASHES = ["none", "10 4", "3 3", "10 3 3 3", "16 4", "10 3 3 3 3 3", "6 2", "18 5 6 5"]
# Shapes about a point, of a size that looks the same.
_SHAPES = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M0 -5L4.6 3.4H-4.6z", "M-3.6 -3.6H3.6V3.6H-3.6z",
           "M0 -5L4.4 0L0 5L-4.4 0z", "M0 5L4.6 -3.4H-4.6z", "M-4 -4L4 4M4 -4L-4 4",
           "M-5 0H5M0 -5V5", "M-4.4 -1.6L0 -5L4.4 -1.6L2.7 4H-2.7z", "M-4.5 -2H4.5V2H-4.5z",
           "M-2 -4.5H2V4.5H-2z", "M-4 -4L4 4M4 -4L-4 4M0 -5V5"]


def element(tag, attributes=(), *children):
    """Markup of one element; attributes is a dict, a value of None is left out."""
    said = "".join(f' {key}="{escape(value)}"' for key, value in dict(attributes).items()
                   if value is not None)
    inside = "".join(child if isinstance(child, Markup) else escape(clean(child))
                     for child in children)
    return Markup(f"<{tag}{said}>{inside}</{tag}>")


def _n(value):
    """A coordinate."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _text(x, y, words, anchor="middle", kind="t", **more):
    return element("text", {"x": _n(x), "y": _n(y), "text-anchor": anchor, "class": kind, **more},
                   words)


def look(curve, number):
    """(class of its colour, dashes, shape) of a curve by its number in Figure.looks()."""
    if curve.style == GUIDE:
        return "guide", ["2 4", "8 4"][number % 2], None
    shape = None if curve.style in (STEPS, BARS, RANGE) else _SHAPES[number % len(_SHAPES)]
    return f"c{number % COLOURS}", _DASHES[number % len(_DASHES)], shape


def swatch(curve, number):
    """The sample of a curve for a legend."""
    colour, dash, shape = look(curve, number)
    parts = [element("path", {"d": "M1 7H39", "class": "line", "stroke-dasharray": dash})] \
        if curve.style not in (POINTS, BARS, RANGE) else []
    if curve.style in (BARS, RANGE):
        parts.append(element("rect", {"x": 2, "y": 2, "width": 36, "height": 10,
                                      "class": f"bar h{number % 4}"}))
    if shape:
        parts.append(element("path", {"d": shape, "class": "p", "transform": "translate(20,7)"}))
    return element("svg", {"viewBox": "0 0 40 14", "width": 40, "height": 14, "class": colour,
                           "aria-hidden": "true"}, *parts)


class _Panel:
    """One panel being drawn: places of values in pixels."""

    def __init__(self, figure, panel, box):
        self.figure, self.panel, self.box = figure, panel, box
        self.x, self.y = scales(figure, panel, max(3, int(box.width / 46)))
        self.base, self.looks = bottoms(panel), figure.looks()

    def px(self, value):
        return self.box.left + self.box.width * (self.x.place(value) - self.x.low) / (
            self.x.high - self.x.low)

    def py(self, value):
        part = (self.y.place(value) - self.y.low) / (self.y.high - self.y.low)
        return self.box.top + self.box.height * (1 - min(part, 1.02))

    def axes(self):
        """Grid, ticks, titles, marks."""
        box, parts = self.box, []
        bottom, right = box.top + box.height, box.left + box.width
        for place, words in self.y.ticks:
            y = box.top + box.height * (1 - (place - self.y.low) / (self.y.high - self.y.low))
            parts += [element("path", {"d": f"M{_n(box.left)} {_n(y)}H{_n(right)}", "class": "g"}),
                      _text(box.left - 6, y + 4, words, "end")]
        slanted = layout.is_slanted(self.x, box)
        for place, words in self.x.ticks:
            x = box.left + box.width * (place - self.x.low) / (self.x.high - self.x.low)
            parts.append(element("path", {"d": f"M{_n(x)} {_n(bottom)}v5", "class": "a"}))
            for row, line in enumerate(words.split("\n")):
                turn = f"rotate(30 {_n(x)} {_n(bottom + 16)})" if slanted else None
                parts.append(_text(x, bottom + 18 + 14 * row, line,
                                   "start" if slanted else "middle", transform=turn))
        down = 38 + 14 * any("\n" in words for _, words in self.x.ticks) + 42 * slanted
        parts.append(_text(box.left + box.width / 2, bottom + down, self.x.title))
        if box.first or self.panel.y:
            left, middle = box.left - 50, box.top + box.height / 2
            parts.append(_text(left, middle, self.y.title,
                               transform=f"rotate(-90 {_n(left)} {_n(middle)})"))
        if self.panel.title:
            parts.append(_text(box.left + box.width / 2, box.top - 10, self.panel.title, kind="b"))
        parts.append(element("path", {"d": f"M{_n(box.left)} {_n(box.top)}V{_n(bottom)}"
                                      f"H{_n(right)}", "class": "a"}))
        for at, _ in self.figure.marks:
            parts.append(element("path", {"d": f"M{_n(self.px(at - 0.5))} {_n(box.top)}"
                                          f"V{_n(bottom)}", "class": "m"}))
        parts += [_text(x, y, words, "start", "n") for x, y, words
                  in layout.mark_labels(self.figure.marks, box, self.x)]
        return parts

    def _interval(self, curve):
        """Band or bars of a curve's intervals."""
        bounds = [(self.px(p.x), self.py(max(p.low, 0)), self.py(max(p.high, 0)))
                  for p in curve.points if p.low is not None and p.low != p.high]
        if not bounds:
            return []
        if len(curve.points) >= BAND_FROM:
            path = [f"{_n(x)} {_n(high)}" for x, _, high in bounds]
            path += [f"{_n(x)} {_n(low)}" for x, low, _ in reversed(bounds)]
            return [element("path", {"d": "M" + "L".join(path) + "z", "class": "band"})]
        return [element("path", {"d": "".join(
            f"M{_n(x)} {_n(low)}V{_n(high)}m-3 0h6M{_n(x - 3)} {_n(low)}h6"
            for x, low, high in bounds), "class": "bars"})]

    def _blocks(self, curve, number):
        """Bars and ranges."""
        parts = []
        for p in curve.points:
            start = self.base.get((curve.label, p.x), 0)
            low, high = (p.low, p.high) if curve.style == RANGE else (start, start + p.y)
            half = 0.3 if curve.style == RANGE else 0.38
            if curve.style == BARS and p.y <= 0:
                continue
            left, top = self.px(p.x - half), self.py(high)
            parts.append(element("rect", {
                "x": _n(left), "y": _n(top), "width": _n(self.px(p.x + half) - left),
                "height": _n(max(self.py(low) - top, 1.5)), "class": f"bar h{number % 4} v"},
                element("title", (), self.told(curve, p))))
        return parts

    def curve(self, curve, ids):
        """One curve as a group."""
        number = self.looks[curve.label]
        colour, dash, shape = look(curve, number)
        parts = []
        if curve.style in (BARS, RANGE):
            parts = self._blocks(curve, number)
        else:
            parts = self._interval(curve) if curve.style != GUIDE else []
            places = [(self.px(p.x), self.py(p.y)) for p in curve.points]
            if curve.style == STEPS:
                path = f"M{_n(places[0][0])} {_n(places[0][1])}" + "".join(
                    f"H{_n(x)}V{_n(y)}" for x, y in places[1:])
            else:
                path = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in places)
            if curve.style != POINTS:
                parts.append(element("path", {"d": path, "class": "line",
                                              "stroke-dasharray": dash}))
            if curve.style != GUIDE:
                parts += [element("path", {
                    "d": shape or _SHAPES[0], "transform": f"translate({_n(x)},{_n(y)})",
                    "class": "p v" if shape else "p v faint"},
                    element("title", (), self.told(curve, p)))
                    for (x, y), p in zip(places, curve.points)]
        said = " ".join(ids[id(line)] for line in curve.lines if id(line) in ids)
        return element("g", {"class": f"s {colour}", "data-s": said or None}, *parts)

    def told(self, curve, p):
        """What a point tells: series, x, y with its interval, and what else is known of it."""
        axis = self.panel.x or self.figure.x
        height = self.panel.y or self.figure.y
        x = axis.categories[p.x] if axis.categories else f"{p.x:,.12g}"
        value = f"{p.y:,.4g}" if p.y < 1000 else f"{p.y:,.0f}"
        value += "" if p.low is None or p.low == p.high else f" ({p.low:,.4g} to {p.high:,.4g})" \
            if p.y < 1000 else f" ({p.low:,.0f} to {p.high:,.0f})"
        words = [f"{self.panel.title}: {curve.label}" if self.panel.title and curve.style == BARS
                 else curve.label, f"{axis.label or axis.column} {x}",
                 f"{height.label or height.column} {value} {height.unit}".strip()]
        return " · ".join(clean(word) for word in [*words, p.more] if word)

    def notes(self):
        """Words beside points."""
        anchor = {"left": "start", "right": "end", "center": "middle"}
        return [_text(x, y + 4, words, anchor[side], "n") for x, y, words, side
                in layout.notes(self.panel, self.box, self.x, self.y)]


def _boxes(figure):
    """(box of each panel, height of all)."""
    count = len(figure.panels)
    columns = 1 if count == 1 else 2
    rows = math.ceil(count / columns)
    axes = [panel.x or figure.x for panel in figure.panels]
    slanted = any(axis.categories and max(map(len, axis.categories)) > 6 for axis in axes)
    two = any(axis.tick and "\n" in axis.tick(1) for axis in axes)
    top = 16 + 32 * bool(figure.marks) + 22 * any(panel.title for panel in figure.panels)
    below = 48 + 42 * slanted + 14 * two
    tall = 330 if count == 1 else 280 if rows == 1 else 190
    gap = 72 if any(panel.y for panel in figure.panels) else 44
    right = WIDTH - (84 if slanted else 18)
    width = (right - 66 - gap * (columns - 1)) / columns
    boxes = []
    for index in range(count):
        row, column = divmod(index, columns)
        x, y = 66 + column * (width + gap), top + row * (top + tall + below)
        boxes.append(layout.Box(x, y, x + width, y + tall, column == 0, 1))
    return boxes, rows * (top + tall + below)


def draw(figure, ids):
    """The <svg> of a Figure. ids: {id(series.Line): name} of the lines that the page knows."""
    boxes, height = _boxes(figure)
    parts = []
    for panel, box in zip(figure.panels, boxes):
        drawn = _Panel(figure, panel, box)
        parts += drawn.axes()
        order = sorted(panel.curves, key=lambda curve: curve.style != GUIDE)
        parts += [drawn.curve(curve, ids) for curve in order if curve.points]
        parts += drawn.notes()
    return element("svg", {"viewBox": f"0 0 {WIDTH} {_n(height)}", "role": "img", "tabindex": 0,
                           "class": "chart", "aria-label": clean(figure.title)
                           + "; arrow keys go through its points"}, *parts)
