# SPDX-License-Identifier: GPL-2.0-or-later
"""gnuplot_layout - where the parts of a picture lie: panels, legend, small print. In pixels from
the upper left; what text takes is estimated, rather too wide than too narrow.
"""

import math
import unicodedata

from figure import GUIDE

WIDTH, HEIGHT = 1200, 750  # a long legend or many panels make a picture higher
LINE_PX = 21  # of a legend
_COLUMN_CHAR_PX = 10.2  # what gnuplot takes for a character of SVG when it places columns
_RIGHT_PX = 330  # a legend with wider names goes below
_PANEL_HEIGHT = 300  # at least, where there are several rows of panels


def width_px(value):
    """About how wide a legend's text is drawn."""
    def of(char):
        if unicodedata.east_asian_width(char) in "WF":
            return 16
        if char in "mMwW@%&…":
            return 14.5
        return 6 if char in "fijlrtI ,.:;|!'()[]/-" else 11.5 if char.isupper() else 9.3
    return sum(map(of, value))


class Box:
    """The axes of a panel: left, top, width, height; first: of its row."""

    def __init__(self, left, top, right, bottom, first, page_height):
        self.left, self.top, self.width, self.height = left, top, right - left, bottom - top
        self.first = first
        self._page = page_height

    def margins(self):
        """The commands that put the axes there."""
        return [f"set lmargin at screen {self.left / WIDTH:.4f}",
                f"set rmargin at screen {(self.left + self.width) / WIDTH:.4f}",
                f"set tmargin at screen {1 - self.top / self._page:.4f}",
                f"set bmargin at screen {1 - (self.top + self.height) / self._page:.4f}"]


class Page:
    """The layout of a Figure: height of the picture, boxes of its panels."""

    def __init__(self, figure):
        self._figure = figure
        names = [curve.label for curve in figure.legend()]
        chars, width = max(map(len, names)), max(map(width_px, names))
        count = len(figure.panels)
        columns = count if count <= 2 else 2 if count == 4 else min(3, count)
        rows = math.ceil(count / columns)
        top = 48 + 20 * len(figure.subtitle)
        foot = 18 + 18 * len(figure.footnotes)
        top += 34 if figure.marks else 0
        below = 62 + (22 if _two_line_ticks(figure) else 0) + (30 if _long_names(figure) else 0)
        need = rows * (_PANEL_HEIGHT + below + 30) if rows > 1 else 420
        right = WIDTH - 24
        if width <= _RIGHT_PX and count == 1:
            self.height = max(HEIGHT, top + foot + below + LINE_PX * (len(names) + 1))
            right = WIDTH - width - 94
            self._key = (right + 8, top, "vertical maxrows " + str(len(names)))
            bottom = self.height - foot
        else:
            # gnuplot has no more columns than it thinks fit the width of the plot.
            fit = 1 if width > 10.5 * chars else max(
                1, int((WIDTH - 120) // (chars * _COLUMN_CHAR_PX + 95)))
            legend = math.ceil(len(names) / fit) * LINE_PX + 14
            self.height = max(HEIGHT, top + need + below + legend + foot)
            bottom = self.height - foot - legend
            self._key = (20, bottom, f"horizontal maxcols {fit}")
        self.boxes = self._grid(columns, rows, top, right, bottom, below)

    def _grid(self, columns, rows, top, right, bottom, below):
        titled = 26 if any(panel.title for panel in self._figure.panels) else 0
        own_y = any(panel.y for panel in self._figure.panels)
        gap = 78 if own_y else 50
        left = 100
        right -= 70 if _long_names(self._figure) else 0
        width = (right - left - gap * (columns - 1)) / columns
        height = (bottom - top - rows * (below + titled)) / rows
        boxes = []
        for index in range(len(self._figure.panels)):
            row, column = divmod(index, columns)
            x = left + column * (width + gap)
            y = top + titled + row * (height + below + titled)
            boxes.append(Box(x, y, x + width, y + height, column == 0, self.height))
        return boxes

    def whole(self):
        """The margins of a plot as wide as the page."""
        return Box(20, 20, WIDTH - 20, self.height - 20, True, self.height).margins()

    def key(self, spacing):
        """The command that places the legend."""
        x, y, order = self._key
        return (f"set key at screen {x / WIDTH:.4f},{1 - y / self.height:.4f} left top Left "
                f"reverse {order} samplen 5 spacing {spacing} noenhanced")

    def small_print(self):
        """Title, subtitle and footnotes as (x, y, text, how) labels."""
        figure = self._figure
        places = [(20, 22, figure.title, "left font ',{big}'")]
        places += [(20, 46 + 19 * i, line, "left font ',{normal}'")
                   for i, line in enumerate(figure.subtitle)]
        count = len(figure.footnotes)
        places += [(20, self.height - 14 - 18 * (count - 1 - i), line, "left font ',{small}'")
                   for i, line in enumerate(figure.footnotes)]
        return places


def _axes(figure):
    return [panel.x or figure.x for panel in figure.panels]


def _two_line_ticks(figure):
    return any(axis.tick and "\n" in axis.tick(1) for axis in _axes(figure))


def _long_names(figure):
    return any(len(name) > 6 for axis in _axes(figure) for name in axis.categories or ())


def is_slanted(scale, box):
    """Whether the names of an axis are too wide to stand side by side."""
    names = scale.axis.categories or []
    return bool(names) and len(scale.ticks) * max(map(width_px, names)) > box.width


def mark_labels(marks, box, x):
    """The words of Figure.marks above the axes, in two rows, as (x, y, text): what finds no room
    has no words."""
    ends, result = [0, 0], []
    for at, text in marks:
        left = box.left + box.width * (at - 0.5 - x.low) / (x.high - x.low)
        for row, end in enumerate(ends):
            if left > end:
                result.append((left - 2, box.top - 10 - 15 * row, text))
                ends[row] = left + 0.8 * width_px(text) + 8
                break
    return result


def notes(panel, box, x, y):
    """The notes of a panel's points as (x, y, text, side), placed so that they cover no other note
    and no point as far as there is room. Points of a curve in the same place share one note, and
    what is beside a point of another curve is not said again."""
    def spot(point):
        return (box.left + box.width * (x.place(point.x) - x.low) / (x.high - x.low),
                box.top + box.height * (1 - (y.place(point.y) - y.low) / (y.high - y.low)))

    curves = [curve for curve in panel.curves if curve.style != GUIDE]
    taken = [(px - 5, py - 5, px + 5, py + 5) for curve in curves
             for px, py in map(spot, curve.points)]
    for curve in panel.curves:
        ends = [spot(point) for point in curve.points] if curve.style == GUIDE else []
        taken += [(x0, y0 - 2, x1, y0 + 2) for (x0, y0), (x1, y1) in zip(ends, ends[1:])
                  if abs(y0 - y1) < 1]
    result, said = [], []
    for curve in curves:
        shared = {}
        for point in curve.points:
            if point.note:
                px, py = spot(point)
                near = next((at for at in shared if math.dist(at, (px, py)) < 9), (px, py))
                shared.setdefault(near, []).append(point.note)
        for (px, py), words in shared.items():
            text = ", ".join(dict.fromkeys(words))
            if any(text == other and math.dist(at, (px, py)) < 24 for other, at in said):
                continue
            said.append((text, (px, py)))
            wide = 0.85 * width_px(text)
            tries = [(side, px + dx, py + dy) for dy in (-16, 16, -30, 30, -44, 44, -58)
                     for side, dx in (("left", 4), ("right", -4), ("center", 0))]
            tries += [("left", px + 10, py), ("right", px - 10, py)]
            rects = [(left_of(side, at, wide), mid - 8, left_of(side, at, wide) + wide, mid + 8)
                     for side, at, mid in tries]
            best = min(range(len(tries)), key=lambda i: (_cost(rects[i], taken, box), i))
            taken.append(rects[best])
            side, at, mid = tries[best]
            result.append((at, mid, text, side))
    return result


def left_of(side, at, wide):
    """Where a text begins."""
    return at - {"left": 0, "center": wide / 2, "right": wide}[side]


def _cost(rect, taken, box):
    left, top, right, bottom = rect
    outside = left < box.left + 2 or right > box.left + box.width or top < box.top
    outside = outside or bottom > box.top + box.height
    return outside * 1000 + sum(not (right < a or c < left or bottom < b or d < top)
                                for a, b, c, d in taken)
