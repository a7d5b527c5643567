# SPDX-License-Identifier: GPL-2.0-or-later
"""lockwait - share of the tasks' time spent waiting for locks, stacked by call site.

Each line has a panel of its own.
"""

import frame
from figure import BARS, Axis, Curve, Panel, Point
from results import number

ORDER = 30
MOST_PANELS = 12
OTHER = "site not told"


def figures(data):
    """A Figure for each series.Chart in which somebody waited."""
    return [figure for figure in map(_figure, data.charts) if figure]


def _sites(row):
    """{call site: percent} of one row; what no site accounts for is OTHER."""
    found = {}
    for item in row.lock_sites.split(";") if row.lock_sites else ():
        name, colon, share = item.rpartition(":")
        try:
            value = number(share)
        except ValueError as error:
            row.source.fail(row.line, f"lock_sites {item[:40]!r}: share {error}")
        if not colon or value is None or value < 0:
            row.source.fail(row.line, f"lock_sites {item[:40]!r} is not SITE:PERCENT with at "
                            "least 0 %")
        found[name] = found.get(name, 0) + value
    rest = (row.lock_wait_pct or 0) - sum(found.values())
    # The shares are rounded one by one, so that a little is always left.
    if rest > 0.02 * len(found) + 0.05:
        found[OTHER] = rest
    return found


def _shares(line):
    """{tasks: {site: percent}}, the mean of the repeats, so that the parts add up to the whole."""
    result = {}
    for tasks, rows in line.by_tasks.items():
        rows = [row for row in rows if row.lock_wait_pct is not None]
        each = [_sites(row) for row in rows]
        sites = sorted({site for shares in each for site in shares}, key=lambda s: (s == OTHER, s))
        if rows:
            result[tasks] = {site: sum(shares.get(site, 0) for shares in each) / len(each)
                             for site in sites}
    return result


def _figure(chart):
    lines = [(line, _shares(line)) for line in chart.lines]
    lines = [(line, shares) for line, shares in lines
             if any(value > 0 for sites in shares.values() for value in sites.values())]
    if not lines:
        return None
    most = {id(line): max(sum(sites.values()) for sites in shares.values())
            for line, shares in lines}
    kept = sorted(most, key=most.get, reverse=True)[:MOST_PANELS]
    shown = [pair for pair in lines if id(pair[0]) in kept]
    counts = sorted({tasks for _, shares in shown for tasks in shares})
    sites = sorted({site for _, shares in shown for at in shares.values() for site in at},
                   key=lambda site: (site == OTHER, site))
    panels = [Panel([Curve(site, [Point(counts.index(tasks), at.get(site, 0))
                                  for tasks, at in shares.items()], style=BARS, look=look,
                           lines=(line,)) for look, site in enumerate(sites)], title=line.label)
              for line, shares in shown]
    notes = ["Lines that never waited have no panel." if len(lines) < len(chart.lines) else "",
             f"{len(lines) - len(shown)} lines that waited less are not shown."
             if len(shown) < len(lines) else ""]
    return frame.build(chart, "lockwait", "waiting for locks by call site",
                       Axis("Tasks", column="tasks", categories=[str(count) for count in counts]),
                       Axis("Lock wait", "% of the tasks' time", "wait_pct"), panels, notes)
