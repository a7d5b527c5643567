# SPDX-License-Identifier: GPL-2.0-or-later
"""report_tables - the tables and sentences of the report page: text and numbers, no markup."""

import collections
import statistics

import figure
from results import STATUSES
from text import clean

MOST_ROWS = 2000  # of a section: more make no page
_SOURCE_KEYS = ["command", "cpu", "topology", "places", "kernel", "governor", "smt", "program",
                "commit", "compiler"]


def title(data):
    """What the page is about: `mmap1, brk1 on native, 4s72c144t`."""
    testcases = dict.fromkeys(clean(chart.testcase) for chart in data.charts)
    machines = dict.fromkeys(clean(chart.machine) for chart in data.charts)
    if not testcases:
        return "Published and simulated" if data.published else "Latency"
    return f"{_few(testcases)} on {_few(machines)}"


def _few(names):
    names = list(names)
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def section_title(chart):
    """One testcase, mode, machine; whether it was simulated."""
    mode = f", {clean(chart.mode)} mode" if chart.mode else ""
    where = "native" if not chart.simulated else f"{clean(chart.machine)} (simulated)"
    return f"{clean(chart.testcase)}{mode}, {where}"


def in_words(chart):
    """A sentence on who was the fastest with the most tasks, '' where only one line was there."""
    most = max(tasks for line in chart.lines for tasks in line.by_tasks)
    at = [(statistics.median(row.ops_per_sec for row in line.by_tasks[most]), line.label)
          for line in chart.lines if most in line.by_tasks]
    at.sort(key=lambda pair: -pair[0])
    if len(at) < 2:
        return ""
    words = "task" if most == 1 else "tasks"
    said = (f"With {most} {words}, “{at[0][1]}” had the highest throughput, "
            f"{figure.short(at[0][0])} ops/s, and “{at[-1][1]}” the lowest, "
            f"{figure.short(at[-1][0])} ops/s")
    return said + (f": {at[0][0] / at[-1][0]:.3g} times." if at[-1][0] else ".")


def sources(data):
    """A list of dicts, one for each file: path, what its rows are, header lines that say where."""
    found = collections.defaultdict(list)
    for row in data.rows:
        found[id(row.source)].append(row)
    result = []
    for source in data.sources:
        rows = found[id(source)]
        counts = [f"{sum(row.status == status for row in rows)} {status}" for status in STATUSES
                  if any(row.status == status for row in rows)]
        hosts = dict.fromkeys(row.host for row in rows if row.host)
        lines = [("machine", _few(dict.fromkeys(clean(row.machine) for row in rows))),
                 ("host", _few(map(clean, hosts))),
                 ("testcases", _few(dict.fromkeys(clean(row.testcase) for row in rows))),
                 ("began", clean(min((row.time for row in rows if row.time), default=""))),
                 ("rows", ", ".join(counts))]
        lines += [(key, "; ".join(clean(value) for value in source.header.get(key, [])))
                  for key in _SOURCE_KEYS]
        said = ", ".join(value for key, value in lines
                         if value and key in ("machine", "rows"))
        result.append({"path": clean(source.path), "said": said,
                       "lines": [pair for pair in lines if pair[1]]})
    return result


def warnings(data):
    """Notes on the data and warnings of the runs, each once, with the files that say it."""
    found = {}
    for source in data.sources:
        for text in source.header.get("warning", []):
            found.setdefault(clean(text), []).append(clean(source.path))
    told = [(text, _few(dict.fromkeys(paths))) for text, paths in found.items()]
    # The loader notes warnings and failures too: here they stand by themselves.
    return told + [(clean(note), "") for note in data.notes
                   if ": warning: " not in note and ": not drawn: " not in note]


def failures(data):
    """[(what, reason, where)] of rows that are no number."""
    return [(" ".join(clean(word) for word in (
        row.testcase, row.counter, row.batch, row.mode, f"{row.tasks or '?'} tasks") if word),
             row.status + (f": {clean(row.reason)}" if row.reason else ""),
             f"{clean(row.source.path)}:{row.line}")
            for row in data.rows if row.status != "ok"][:MOST_ROWS]


def _percent(part, whole):
    return None if part is None or not whole else 100 * part / whole


def _half_interval(row):
    if row.ops_low is None or not row.ops_per_sec:
        return None
    return 100 * (row.ops_high - row.ops_low) / 2 / row.ops_per_sec


# Title, what it says on hover, value of a row (None where there is none), how it is written.
_COLUMNS = [
    ("tasks", "tasks that worked", lambda row: row.tasks, "{:,}"),
    ("repeat", "number of the repeat", lambda row: row.repeat, "{:,}"),
    ("ops/s", "operations a second, all tasks together", lambda row: row.ops_per_sec, "{:,.0f}"),
    ("± 95 %", "half of the 95 % interval, in percent", _half_interval, "{:.1f} %"),
    ("effic.", "efficiency: by tasks, against one task",
     lambda row: _percent(row.efficiency, 1), "{:.0f} %"),
    ("min/max", "the slowest task's rate by the fastest's",
     lambda row: _percent(row.task_min, row.task_max) if row.tasks > 1 else None, "{:.0f} %"),
    ("locks/op", "lock acquisitions for each operation",
     lambda row: row.lock_acquisitions / row.ops
     if row.ops and row.lock_acquisitions is not None else None, "{:.3g}"),
    ("wait", "share of the tasks' time spent waiting for locks",
     lambda row: row.lock_wait_pct, "{:.1f} %"),
    ("error", "largest error of the cheap read that was seen",
     lambda row: row.error_max, "{:,.0f}"),
    ("bound", "what that error can never exceed", lambda row: row.error_bound, "{:,.0f}"),
    ("read ns", "cost of a cheap read", lambda row: row.read_ns, "{:,.4g}"),
    ("sum ns", "cost of an exact read", lambda row: row.sum_ns, "{:,.4g}"),
    ("refused", "requests that the policy did not admit", lambda row: row.refused or None,
     "{:,}"),
    ("steal", "CPU time that the hypervisor took away", lambda row: row.steal_pct or None,
     "{:.1f} %"),
]


def rows(chart, every, ids):
    """The table of a section: heads [(title, help)], rows [{line, label, first, cells, where}],
    left (how many rows are not shown). Columns without anything in them are left out."""
    found = [(line, row) for line in chart.lines for row in line.rows]
    shown = found[:MOST_ROWS]
    values = [[value(row) for _, _, value, _ in _COLUMNS] for _, row in shown]
    kept = [at for at in range(len(_COLUMNS)) if any(cells[at] is not None for cells in values)]
    made, seen = [], set()
    for (line, row), cells in zip(shown, values):
        name = ids[id(line)]
        made.append({
            "line": name, "label": line.label, "first": name not in seen,
            "cells": [("" if cells[at] is None else format(cells[at], ".15g"),
                       "" if cells[at] is None else _COLUMNS[at][3].format(cells[at]))
                      for at in kept],
            "where": f"{clean(row.source.path)}:{row.line}"})
        seen.add(name)
    return {"heads": [_COLUMNS[at][:2] for at in kept], "rows": made,
            "left": len(found) - len(shown), "all": len(every)}
