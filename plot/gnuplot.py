# SPDX-License-Identifier: GPL-2.0-or-later
"""gnuplot - draw Figures as PNG and SVG with gnuplot.

Text of any content is safe here: it reaches gnuplot only through quote(), and numbers only as
numbers. gnuplot runs in a folder of its own and writes names that this module chose.
"""

import concurrent.futures
import math
import os
import shutil
import subprocess
import tempfile

import gnuplot_layout as layout
from figure import BARS, GUIDE, POINTS, RANGE, STEPS, bottoms, scales
from frame import BAND_FROM
from text import clean

MOST_CURVES = 400
# suffix: terminal, size of its main font (points in PNG, pixels in SVG), spacing of the legend
# that makes its lines layout.LINE_PX high, size of a point
TERMINALS = {"png": ("pngcairo noenhanced", 11, 1.2, 1.1), "svg": ("svg noenhanced", 14, 1.0, 0.7)}
_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#b0508c", "#000000", "#a07000", "#3a9bdc",
            "#5b2a86"]
# Two of these are told apart in print and by the colour-blind; their numbers have no common
# divisor, so shape and dash repeat together only after 13 * 8 curves.
_SHAPES = [7, 8, 5, 12, 11, 2, 6, 9, 4, 13, 1, 10, 3]
_DASHES = ["solid", "(14,6)", "(4,4)", "(14,4,3,4)", "(24,6)", "(14,4,3,4,3,4)", "(8,3)",
           "(26,4,8,4)"]
_PATTERNS = [3, 4, 2, 5, 1, 6, 7]
_GREY = ["lc rgb '#606060' lw 2 dt (2,4)", "lc rgb '#909090' lw 3 dt (10,4)"]  # of guides


class GnuplotError(Exception):
    """No picture. str() is one line: why, and what to try."""


def quote(value):
    """A gnuplot string of any text: single quotes, in which nothing is expanded or escaped."""
    return "'" + clean(value).replace("'", "''") + "'"


def quote_lines(value):
    """The same of text in several lines."""
    return " . \"\\n\" . ".join(quote(line) for line in value.split("\n"))


def _style(curve, look):
    """How a curve is drawn, for its plot and its place in the legend."""
    colour = f"lc rgb '{_COLOURS[look % len(_COLOURS)]}'"
    shape, dash = _SHAPES[look % len(_SHAPES)], _DASHES[look % len(_DASHES)]
    if curve.style == GUIDE:
        return f"with lines {_GREY[look % len(_GREY)]}"
    if curve.style == BARS:
        return f"with boxes {colour} fs pattern {_PATTERNS[look % len(_PATTERNS)]} border"
    if curve.style == RANGE:
        return f"with boxes {colour} lw 2 fs solid 0.25 border"
    if curve.style == POINTS:
        return f"with points {colour} lw 1.8 pt {shape} ps 1.4"
    if curve.style == STEPS:
        return f"with steps {colour} lw 2 dt {dash}"
    return f"with linespoints {colour} lw 1.8 dt {dash} pt {shape}"


def _block(name, rows):
    return [f"${name} << EOD", *(" ".join(f"{value:.9g}" for value in row) for row in rows), "EOD"]


def _curve(name, curve, look, place, base):
    """(data blocks, plot elements) of one curve; place is (x, y) of Scales, base where bars begin.
    """
    x, y = place
    style = _style(curve, look)
    if curve.style == RANGE:
        rows = [(x(p.x), y(p.y), x(p.x) - 0.3, x(p.x) + 0.3, y(p.low), y(p.high))
                for p in curve.points]
    if curve.style == BARS:
        rows = [(x(p.x), base[curve.label, p.x] + p.y / 2, x(p.x) - 0.38, x(p.x) + 0.38,
                 base[curve.label, p.x], base[curve.label, p.x] + p.y)
                for p in curve.points if p.y > 0]
    if curve.style in (BARS, RANGE):
        style = style.replace("with boxes", "using 1:2:3:4:5:6 with boxxyerror")
        return (_block(name, rows), [f"${name} {style} notitle"]) if rows else ([], [])
    if curve.style in (GUIDE, STEPS):
        return (_block(name, [(x(p.x), y(p.y)) for p in curve.points]),
                [f"${name} using 1:2 {style} notitle"])
    data = _block(name, [(x(p.x), y(p.y)) for p in curve.points])
    bounds = [(x(p.x), y(p.y), y(max(p.low, 0)), y(max(p.high, 0)))
              for p in curve.points if p.low is not None and p.low != p.high]
    elements = []
    colour = f"lc rgb '{_COLOURS[look % len(_COLOURS)]}'"
    if bounds:
        data += _block(f"B{name}", bounds)
        style_of = (f"using 1:3:4 with filledcurves fs transparent solid 0.18 noborder {colour}"
                    if len(curve.points) >= BAND_FROM
                    else f"using 1:2:3:4 with yerrorbars pt 0 lw 1.2 dt solid {colour}")
        elements.append(f"$B{name} {style_of} notitle")
    every = "" if curve.style == POINTS else f" pi {math.ceil(len(curve.points) / 24)}"
    elements.append(f"${name} using 1:2 {style}{every} notitle")
    return data, elements


def _ticks(scale, name, slanted):
    texts = ", ".join(f"{quote_lines(text)} {place:.9g}" for place, text in scale.ticks)
    turned = " rotate by -25" if slanted else ""
    return f"set {name}tics ({texts}) noenhanced nomirror out{turned}"


def _panel(figure, panel, box, index):
    """(commands, plot elements) of one panel in its box of the page."""
    x, y = scales(figure, panel, max(3, min(18, int(box.width / 48))))
    places = x.place, y.place
    looks, base = figure.looks(), bottoms(panel)
    down = -0.9 if any("\n" in text for _, text in x.ticks) else 0
    commands = [*box.margins(), f"set xlabel {quote(x.title)} noenhanced offset 0,{down}",
                f"set ylabel {quote(y.title if box.first or panel.y else '')} noenhanced",
                f"set xrange [{x.low:.9g}:{x.high:.9g}]", f"set yrange [{y.low:.9g}:{y.high:.9g}]",
                _ticks(x, "x", layout.is_slanted(x, box)), _ticks(y, "y", False)]
    labels = [(box.left + box.width / 2, box.top - 12, panel.title, "center font ',{normal}'")] \
        if panel.title else []
    # What begins with a task begins between it and the one before.
    commands += [f"set arrow from {at - 0.5:.9g}, graph 0 to {at - 0.5:.9g}, graph 1 nohead back "
                 "lc rgb '#707070' lw 1.2 dt (6,4)" for at, _ in figure.marks]
    labels += [(*place, text, "left font ',{small}' textcolor rgb '#505050'")
               for *place, text in layout.mark_labels(figure.marks, box, x)]
    labels += [(at_x, at_y, text, f"{side} font ',{{small}}'")
               for at_x, at_y, text, side in layout.notes(panel, box, x, y)]
    data, elements = [], []
    for number, curve in enumerate(panel.curves):
        blocks, parts = _curve(f"P{index}_{number}", curve, looks[curve.label], places, base)
        data += blocks
        elements += parts
    return data + commands, labels, elements


def script(figure, suffix, name):
    """The gnuplot program that draws a Figure as one kind of picture into a file."""
    terminal, font, spacing, point = TERMINALS[suffix]
    page = layout.Page(figure)
    lines = ["reset", "set encoding utf8",
             f"set terminal {terminal} size {layout.WIDTH},{page.height} font 'DejaVu Sans,{font}' "
             "background rgb 'white'", f"set output '{name}'", f"set pointsize {point}",
             "set border 3", "set bars 0.7", "unset key",
             "set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.6", "set style fill pattern",
             "set multiplot"]
    for index, (panel, box) in enumerate(zip(figure.panels, page.boxes)):
        commands, labels, elements = _panel(figure, panel, box, index)
        labels += page.small_print() if index == 0 else []
        lines += commands
        lines += [f"set label {number} {quote(text)} at screen {x / layout.WIDTH:.4f},"
                  f"{1 - y / page.height:.4f} noenhanced front " + how.format(
                      big=f"{1.27 * font:.1f}", normal=f"{0.91 * font:.1f}",
                      small=f"{0.82 * font:.1f}")
                  for number, (x, y, text, how) in enumerate(labels, 1)]
        lines += ["plot " + ", \\\n  ".join(elements or ["NaN notitle"]), "unset label",
                  "unset arrow"]
    looks = figure.looks()
    # The legend has a plot of its own, as wide as the page, so that gnuplot makes full lines.
    lines += [page.key(spacing), *page.whole(), "unset border", "unset tics", "unset xlabel",
              "unset ylabel", "set xrange [0:1]", "set yrange [0:1]",
              "plot " + ", \\\n  ".join(["-1 notitle"] + [
                  f"keyentry {_style(curve, looks[curve.label])} title {quote(curve.label)} "
                  "noenhanced" for curve in figure.legend()])]
    return "\n".join(lines + ["unset multiplot", "unset output"]) + "\n"


def _run(program, figures):
    """Run gnuplot once for several figures: [{suffix: bytes}]; raises GnuplotError."""
    with tempfile.TemporaryDirectory(prefix="chart-") as folder:
        path = os.path.join(folder, "script.gp")
        with open(path, "w", encoding="utf-8") as file:
            for index, figure in enumerate(figures):
                for suffix in TERMINALS:
                    file.write(script(figure, suffix, f"{index}.{suffix}"))
        done = subprocess.run([program, "-d", "script.gp"], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False, timeout=600)
        made = []
        for index in range(len(figures)):
            made.append({})
            for suffix in TERMINALS:
                out = os.path.join(folder, f"{index}.{suffix}")
                if os.path.exists(out) and os.path.getsize(out):
                    with open(out, "rb") as file:
                        made[-1][suffix] = file.read()
    if done.returncode or not all(len(files) == len(TERMINALS) for files in made):
        said = clean(" ".join(done.stderr.decode(errors="replace").split()))[-300:]
        raise GnuplotError(f"gnuplot drew nothing ({said or done.returncode}): gnuplot 5.4 with "
                           "the terminals pngcairo and svg is needed, package gnuplot-nox")
    return made


def draw(figures):
    """Draw Figures: a list of {suffix (png, svg): the file's bytes}. Raises GnuplotError."""
    for figure in figures:
        count = len(figure.legend())
        if count > MOST_CURVES:
            raise GnuplotError(f"{figure.title}: {count} series in one chart: at most "
                               f"{MOST_CURVES} can be drawn, give files with fewer settings")
    program = shutil.which("gnuplot")
    if not program:
        raise GnuplotError("gnuplot is not there: install the package gnuplot-nox, or use --text")
    # A gnuplot draws on one CPU, and its start takes longer than a picture: one for each CPU.
    workers = min(len(os.sched_getaffinity(0)), len(figures))
    parts = [figures[start::workers] for start in range(workers)]
    try:
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            made = list(pool.map(lambda part: _run(program, part), parts))
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GnuplotError(f"gnuplot cannot be run ({error}): package gnuplot-nox and a folder "
                           "for temporary files (TMPDIR) are needed") from error
    return [made[index % workers][index // workers] for index in range(len(figures))]
