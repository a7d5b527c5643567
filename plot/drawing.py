# SPDX-License-Identifier: GPL-2.0-or-later
"""drawing - gnuplot programs for charts that are no curves over tasks, and running them.

Every text in such a program must have gone through gnuplot.quote().
"""

import os
import shutil
import subprocess
import tempfile

from gnuplot import GnuplotError, quote
from text import clean

# suffix: terminal, size of its main font (points in PNG, pixels in SVG), size of a point
_TERMINALS = {"png": ("pngcairo noenhanced", 11, 1.1), "svg": ("svg noenhanced", 14, 0.7)}


def label(number, value, place, font, align="left"):
    """A gnuplot line that puts text at place, (x, y) as shares of the picture; font is its size."""
    return (f"set label {number} {quote(value)} at screen {place[0]:.5f},{place[1]:.5f} "
            f"{align} noenhanced font ',{font:.1f}'")


def program(body, width, height):
    """The whole program: the lines of body(size of the main font), once for each terminal. It
    writes out.png and out.svg."""
    lines = ["set encoding utf8"]
    for suffix, (terminal, font, point) in _TERMINALS.items():
        lines += ["reset session", f"set terminal {terminal} size {width},{height} "
                  f"font 'DejaVu Sans,{font}' background rgb 'white'",
                  f"set output 'out.{suffix}'", f"set pointsize {point}", *body(font),
                  "unset output"]
    return "\n".join(lines) + "\n"


def render(commands):
    """Run a program in a folder of its own: dict of suffix (png, svg) to the file's bytes. Raises
    GnuplotError."""
    found = shutil.which("gnuplot")
    if not found:
        raise GnuplotError("gnuplot is not there: install the package gnuplot-nox, or leave -o out")
    files = {}
    try:
        with tempfile.TemporaryDirectory(prefix="chart-") as folder:
            with open(os.path.join(folder, "script.gp"), "w", encoding="utf-8") as file:
                file.write(commands)
            done = subprocess.run([found, "-d", "script.gp"], cwd=folder, capture_output=True,
                                  stdin=subprocess.DEVNULL, check=False, timeout=600)
            for suffix in _TERMINALS:
                path = os.path.join(folder, f"out.{suffix}")
                if os.path.exists(path):
                    with open(path, "rb") as file:
                        files[suffix] = file.read()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GnuplotError(f"gnuplot cannot be run ({error}): package gnuplot-nox and a folder for "
                           "temporary files (TMPDIR) are needed") from error
    if done.returncode or not all(files.get(suffix) for suffix in _TERMINALS):
        said = clean(" ".join(done.stderr.decode(errors="replace").split()))[-300:]
        raise GnuplotError(f"gnuplot drew nothing ({said or done.returncode}): gnuplot 5.4 with "
                           "the terminals pngcairo and svg is needed, package gnuplot-nox")
    return files
