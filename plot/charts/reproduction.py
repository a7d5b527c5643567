# SPDX-License-Identifier: GPL-2.0-or-later
"""reproduction - published figures beside simulated ones: a Figure a block, a panel a metric."""

from figure import POINTS, RANGE, Axis, Curve, Figure, Panel, Point
from text import shorten

ORDER = 90
SHOWN = {"given": "simulated, given to the model", "fitted": "simulated, fitted on this row",
         "predicted": "simulated, predicted"}


def figures(data):
    """A Figure for each block of `make reproduce`."""
    blocks = {}
    for row in data.published:
        blocks.setdefault(row.block, {}).setdefault(row.metric, []).append(row)
    return [_figure(block, metrics) for block, metrics in blocks.items()]


def _panel(metric, rows):
    names = list(dict.fromkeys(row.row for row in rows))
    real = [Point(names.index(row.row), (row.published_low + row.published_high) / 2,
                  row.published_low, row.published_high) for row in rows]
    curves = [Curve("published", real, style=RANGE, look=0)]
    for look, (basis, label) in enumerate(SHOWN.items(), 1):
        points = [Point(names.index(row.row), row.simulated,
                        note="" if row.ratio is None else f"×{row.ratio:.3g}",
                        more=f"{row.simulated:g} against {row.published_low:g}"
                        + (f" to {row.published_high:g}"
                           if row.published_high > row.published_low else ""))
                  for row in rows if row.basis == basis]
        if points:
            curves.append(Curve(label, points, style=POINTS, look=look))
    return Panel(curves, metric,
                 Axis("", column="row", categories=[shorten(name, 24) for name in names]),
                 Axis(shorten(metric, 40), column="value"))


def _figure(block, metrics):
    """Metrics have units of their own, so each has its own panel and height."""
    panels = [_panel(metric, rows) for metric, rows in metrics.items()]
    return Figure(chart="reproduction", names=[("block", block)],
                  title=shorten(f"{block}: published and simulated", 104), x=panels[0].x,
                  y=Axis("", column="value"), panels=panels,
                  footnotes=["Published: a line, a box where a range is given. Simulated: what was "
                             "given to the model, fitted, or predicted; × is the ratio to the "
                             "published figure (to its nearer end)."])
