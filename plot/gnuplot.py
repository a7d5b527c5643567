# SPDX-License-Identifier: GPL-2.0-or-later
"""gnuplot - draw pictures of curves over a count (tasks), as PNG and SVG.

Text of any content is safe here: it reaches gnuplot only through quote(), and numbers only as
numbers. gnuplot runs in a folder of its own and writes names that this module chose.
"""

import dataclasses
import math
import os
import shutil
import subprocess
import tempfile
import unicodedata

from text import clean, si_scale

WIDTH, HEIGHT = 1200, 750  # pixels; a long legend makes a picture higher
MOST_CURVES = 400
# suffix: terminal, size of its main font (points in PNG, pixels in SVG), spacing of the legend
# that makes its lines _LINE_PX high, size of a point
TERMINALS = {"png": ("pngcairo noenhanced", 11, 1.2, 1.1), "svg": ("svg noenhanced", 14, 1.0, 0.7)}
_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#b0508c", "#000000", "#a07000", "#3a9bdc",
            "#5b2a86"]
# Two of these are told apart in print and by the colour-blind; their numbers have no common
# divisor, so shape and dash repeat together only after 13 * 8 curves.
_SHAPES = [7, 8, 5, 12, 11, 2, 6, 9, 4, 13, 1, 10, 3]
_DASHES = ["solid", "(14,6)", "(4,4)", "(14,4,3,4)", "(24,6)", "(14,4,3,4,3,4)", "(8,3)",
           "(26,4,8,4)"]
BAND_FROM = 25  # points of a curve: above, bars would touch
_LINE_PX = 21  # of a legend
_COLUMN_CHAR_PX = 10.2  # what gnuplot takes for a character of SVG when it places columns
_RIGHT_PX = 330  # a legend with wider names goes below


class GnuplotError(Exception):
    """No picture. str() is one line: why, and what to try."""


@dataclasses.dataclass
class Curve:
    """label and points: list of (x, y, low, high), low and high None where there is no interval."""

    label: str
    points: list


@dataclasses.dataclass
class Picture:
    """All of a picture. y_unit (such as ops/s) gets an SI prefix; guide is the name of a straight
    line through the origin with guide_slope (y per x; None: no such line)."""

    title: str
    subtitle: list
    footnotes: list
    x_label: str
    y_label: str
    y_unit: str
    curves: list
    guide: str = ""
    guide_slope: float = None


def quote(value):
    """A gnuplot string of any text: single quotes, in which nothing is expanded or escaped."""
    return "'" + clean(value).replace("'", "''") + "'"


def width_px(value):
    """About how wide a legend's text is drawn, in pixels; rather too wide than too narrow."""
    def of(char):
        if unicodedata.east_asian_width(char) in "WF":
            return 16
        if char in "mMwW@%&…":
            return 14.5
        return 6 if char in "fijlrtI ,.:;|!'()[]/-" else 11.5 if char.isupper() else 9.3
    return sum(map(of, value))


def x_ticks(largest):
    """The distance of the ticks, a whole number, that gives at most 18 of them."""
    step = 1
    while largest / step > 18:
        lead = int(str(step)[0])
        step = step * 5 // 2 if lead == 2 else step * 2
    return step


def _y_top(picture):
    """Where the y axis ends: over all data, and over the guide unless it dwarfs the data."""
    data = max(y if high is None else max(y, high)
               for curve in picture.curves for _, y, _, high in curve.points)
    top = data
    if picture.guide_slope:
        widest = max(x for curve in picture.curves for x, *_ in curve.points)
        end = picture.guide_slope * widest
        top = end if data < end <= 2 * data else data * 1.15 if end > data else data
    return top * 1.05 if top > 1e-9 else 1.0


def _layout(picture):
    """(settings, height in px): margins and legend, placed by the size of the text in them."""
    names = [curve.label for curve in picture.curves]
    names += [picture.guide] if picture.guide_slope is not None else []
    chars, width = max(map(len, names)), max(map(width_px, names))
    top = 44 + 20 * len(picture.subtitle)
    foot = 12 + 18 * len(picture.footnotes)
    entry = width + 84
    if width <= _RIGHT_PX:
        height = max(HEIGHT, top + foot + 64 + _LINE_PX * (len(names) + 1))
        right, bottom, rows = WIDTH - entry - 10, foot + 58, len(names)
        key, order = (right + 8, height - top), f"vertical maxrows {rows}"
    else:
        # gnuplot has no more columns than it thinks fit the width of the axes.
        columns = max(1, int((WIDTH - 120) // (chars * _COLUMN_CHAR_PX + 95)))
        columns = 1 if width > 10.5 * chars else columns  # wider than gnuplot takes it to be
        rows = math.ceil(len(names) / columns)
        legend = rows * _LINE_PX + 12
        height = max(HEIGHT, top + foot + 68 + legend + 420)
        right, bottom = WIDTH - 30, foot + legend + 68
        # Vertical order would be wrapped into columns at the height of the axes.
        key, order = (20, bottom - 68), f"horizontal maxcols {columns}"
    return [f"set lmargin at screen {90 / WIDTH:.4f}",
            f"set rmargin at screen {right / WIDTH:.4f}",
            f"set tmargin at screen {1 - top / height:.4f}",
            f"set bmargin at screen {bottom / height:.4f}",
            f"set key at screen {key[0] / WIDTH:.4f},{key[1] / height:.4f} left top Left reverse "
            f"{order} samplen 5 noenhanced"], height


def _labels(picture, height, font):
    """Title, subtitle and footnotes as labels at fixed places; font is the main font's size."""
    places = [(height - 22, picture.title, 1.27)]
    places += [(height - 46 - 19 * i, line, 0.91) for i, line in enumerate(picture.subtitle)]
    count = len(picture.footnotes)
    places += [(14 + 18 * (count - 1 - i), line, 0.82)
               for i, line in enumerate(picture.footnotes)]
    return [f"set label {i} {quote(line)} at screen {20 / WIDTH:.4f},{y / height:.4f} left "
            f"noenhanced font ',{size * font:.1f}'" for i, (y, line, size) in enumerate(places, 1)]


def _curve(index, curve, scale):
    """(data blocks, plot elements) of one curve: its intervals, and before them line and points."""
    colour = f"lc rgb '{_COLOURS[index % len(_COLOURS)]}'"
    shape, dash = _SHAPES[index % len(_SHAPES)], _DASHES[index % len(_DASHES)]
    data = [f"$P{index} << EOD", *(f"{x} {y / scale:.9g}" for x, y, _, _ in curve.points), "EOD"]
    bounds = [f"{x} {y / scale:.9g} {max(low, 0) / scale:.9g} {max(high, 0) / scale:.9g}"
              for x, y, low, high in curve.points if low is not None]
    elements = []
    if bounds:
        data += [f"$B{index} << EOD", *bounds, "EOD"]
        band = len(curve.points) >= BAND_FROM
        style = (f"using 1:3:4 with filledcurves fs transparent solid 0.18 noborder {colour}"
                 if band else f"using 1:2:3:4 with yerrorbars pt 0 lw 1.2 dt solid {colour}")
        elements.append(f"$B{index} {style} notitle")
    every = math.ceil(len(curve.points) / 24)
    elements.append(f"$P{index} using 1:2 with linespoints {colour} lw 1.8 dt {dash} pt {shape} "
                    f"pi {every} title {quote(curve.label)} noenhanced")
    return data, elements


def script(picture):
    """The gnuplot program that draws a Picture into out.png and out.svg of its folder."""
    layout, height = _layout(picture)
    top = _y_top(picture)
    scale, prefix = si_scale(top / 1.05)
    unit = f"{prefix} {picture.y_unit}".strip()
    widest = max(x for curve in picture.curves for x, *_ in curve.points)
    lines = ["set encoding utf8", *layout,
             f"set xlabel {quote(picture.x_label)} noenhanced",
             f"set ylabel {quote(f'{picture.y_label} ({unit})')} noenhanced",
             f"set xrange [0:{max(widest * 1.02, widest + 0.3):.9g}]",
             f"set yrange [0:{top / scale:.9g}]",
             f"set xtics 0,{x_ticks(widest)} format '%.0f' nomirror out",
             "set ytics format '%g' nomirror out", "set border 3", "set bars 0.7",
             "set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.6"]
    elements = []
    if picture.guide_slope is not None:
        start = min(1, widest)
        lines += ["$GUIDE << EOD", *(f"{x} {picture.guide_slope / scale * x:.9g}"
                                     for x in (start, widest)), "EOD"]
        elements.append("$GUIDE using 1:2 with lines lc rgb '#606060' lw 2 dt (2,4) "
                        f"title {quote(picture.guide)} noenhanced")
    for index, curve in enumerate(picture.curves):
        data, parts = _curve(index, curve, scale)
        lines += data
        elements += parts
    for suffix, (terminal, font, spacing, point) in TERMINALS.items():
        lines += [f"set terminal {terminal} size {WIDTH},{height} font 'DejaVu Sans,{font}' "
                  "background rgb 'white'", f"set output 'out.{suffix}'",
                  f"set key spacing {spacing}", f"set pointsize {point}",
                  *_labels(picture, height, font),
                  "plot " + ", \\\n  ".join(elements), "unset output"]
    return "\n".join(lines) + "\n"


def _run(program, commands):
    """Run gnuplot on a script in a folder of its own: (its result, {suffix: bytes it wrote})."""
    files = {}
    with tempfile.TemporaryDirectory(prefix="chart-") as folder:
        path = os.path.join(folder, "script.gp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(commands)
        done = subprocess.run([program, "-d", "script.gp"], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False, timeout=600)
        for suffix in TERMINALS:
            out = os.path.join(folder, f"out.{suffix}")
            if os.path.exists(out):
                with open(out, "rb") as file:
                    files[suffix] = file.read()
    return done, files


def draw(picture):
    """Draw a Picture: dict of suffix (png, svg) to the file's bytes. Raises GnuplotError."""
    if len(picture.curves) > MOST_CURVES:
        raise GnuplotError(f"{picture.title}: {len(picture.curves)} series in one chart: at most "
                           f"{MOST_CURVES} can be drawn, give files with fewer settings")
    program = shutil.which("gnuplot")
    if not program:
        raise GnuplotError("gnuplot is not there: install the package gnuplot-nox, or use --text")
    try:
        done, files = _run(program, script(picture))
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GnuplotError(f"gnuplot cannot be run ({error}): package gnuplot-nox and a folder "
                           "for temporary files (TMPDIR) are needed") from error
    if done.returncode or not all(files.get(suffix) for suffix in TERMINALS):
        said = clean(" ".join(done.stderr.decode(errors="replace").split()))[-300:]
        raise GnuplotError(f"gnuplot drew nothing ({said or done.returncode}): gnuplot 5.4 with "
                           "the terminals pngcairo and svg is needed, package gnuplot-nox")
    return files
