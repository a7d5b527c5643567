# SPDX-License-Identifier: GPL-2.0-or-later
"""latency_histogram - how long accesses took: the share of them in each bucket of latency.

With the most tasks that ran, and with the fewest beside them.
"""

import collections

from figure import STEPS, Axis, Curve, Figure, Panel, Point, in_time
from text import shorten, sort_key

ORDER = 70
TOLD = (50, 99, 99.9)  # percentiles


def figures(data):
    """A Figure for each testcase, mode and machine that has histograms."""
    found = collections.defaultdict(list)
    for row in data.latency:
        found[row.testcase, row.mode, row.machine].append(row)
    groups = {(chart.testcase, chart.mode, chart.machine): chart for chart in data.charts}
    return [_figure(key, found[key], groups.get(key))
            for key in sorted(found, key=lambda names: [sort_key(name) for name in names])]


def _series(rows):
    """{label words: {(low, high): count}} of the fewest and the most tasks, repeats added up."""
    counts = sorted({row.tasks for row in rows})
    shown = [row for row in rows if row.tasks in (counts[0], counts[-1])]
    phases = len({row.phase for row in shown}) > 1
    # The same point of two runs is compared; different points of two runs are one series.
    points = collections.defaultdict(set)
    for row in shown:
        points[row.counter, row.batch, row.tasks, row.repeat, row.phase].add(row.run_id)
    runs = any(len(ids) > 1 for ids in points.values())
    found = {}
    for row in shown:
        words = [row.counter or "no counter", row.batch, f"phase {row.phase}" if phases else "",
                 f"run {row.run_id}" if runs else ""]
        label = " ".join(word for word in words if word)
        tasks = f", {row.tasks} {'task' if row.tasks == 1 else 'tasks'}"
        buckets = found.setdefault((label, row.tasks, tasks), collections.Counter())
        buckets[row.low_ns, row.high_ns or 2 * row.low_ns] += row.count
    return {shorten(label, 60) + tasks: buckets for (label, _, tasks), buckets in
            sorted(found.items(), key=lambda item: (sort_key(item[0][0]), -item[0][1]))}


def percentile(buckets, percent):
    """The upper end of the bucket in which the percentile lies, in ns."""
    wanted = sum(buckets.values()) * percent / 100
    for (_, high), count in sorted(buckets.items()):
        wanted -= count
        if wanted <= 0:
            return high
    return max(high for _, high in buckets)


def _points(buckets):
    """A staircase: the share at each bucket's low end, and 0 where a gap or the end comes."""
    total = sum(buckets.values())
    points, end = [], None
    for (low, high), count in sorted(buckets.items()):
        if end is not None and low > end:
            points.append(Point(end, 0))
        points.append(Point(low, 100 * count / total,
                            more=f"{in_time(low)} to {in_time(high)}: {count:,} accesses"))
        end = high
    return points + [Point(end, 0)]


def _figure(key, rows, chart):
    found = {label: buckets for label, buckets in _series(rows).items() if sum(buckets.values())}
    curves = [Curve(label, _points(buckets), style=STEPS) for label, buckets in found.items()]
    said = [f"{shorten(label, 60)}: "
            + ", ".join(f"{percent:g} % within {in_time(percentile(buckets, percent))}"
                        for percent in TOLD) for label, buckets in list(found.items())[:4]]
    testcase, mode, machine = key
    where = "native" if machine == "native" else f"{machine} (simulated)"
    return Figure(chart="latency", names=list(zip(("testcase", "mode", "machine"), key)),
                  title=shorten(f"{testcase}: latency of an access, {mode} mode, machine {where}",
                                104),
                  x=Axis("Latency", "", "low_ns", log=True, zero="0", tick=in_time),
                  y=Axis("Share of all accesses", "%", "share_pct", log=True, zero="0",
                         tick="{:.12g}".format),
                  panels=[Panel(curves)], group=chart,
                  footnotes=[*said, "A step is a bucket, from its lower end to the next; repeats "
                             "are added up. Both axes are logarithmic, so that rare slow accesses "
                             "are seen."])
