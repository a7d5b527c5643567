# SPDX-License-Identifier: GPL-2.0-or-later
"""inputs - files of any kind that charts are made from, told apart by their column names."""

import collections
import os

import latency
import published
import results
import series


class Data:
    """All that was read: charts (series.Chart), latency (latency.Row), published (published.Row),
    sources, rows (results.Row, as read), notes (for the user, one line each)."""

    def __init__(self):
        self.charts, self.latency, self.published = [], [], []
        self.sources, self.rows, self.notes = [], [], []


def _columns(path):
    """The column names of a file as far as a look at its head tells; [] where it cannot."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    return line.rstrip("\r\n").split(",")
    except (OSError, ValueError):
        pass
    return []


def _companions(paths):
    """The latency files that stand beside result files, FILE.latency.csv for FILE.csv."""
    beside = [path[:-4] + ".latency.csv" for path in paths if path.endswith(".csv")]
    return [path for path in beside if os.path.isfile(path)]


def load(paths):
    """Read all files into a Data. Raises ResultsError; nothing to draw at all is one too."""
    data = Data()
    seen = set()
    data.notes = [f"{path}: given twice, read once"
                  for path, times in collections.Counter(paths).items() if times > 1]
    for path in [*paths, *_companions(paths)]:
        if os.path.realpath(path) in seen:
            continue
        seen.add(os.path.realpath(path))
        names = _columns(path)
        if latency.is_header(names):
            source, rows = latency.read(path)
            data.latency += rows
        elif published.is_header(names):
            source, rows = published.read(path)
            data.published += rows
        else:
            source, rows = results.read(path)
            data.rows += rows
        data.sources.append(source)
        data.notes += source.notes
        data.notes += [f"{path}: warning: {text}" for text in source.header.get("warning", [])]
    data.charts, more = series.charts(data.rows)
    data.notes += more
    if not data.charts and not data.published and not data.latency:
        counts = [f"{sum(row.status == status for row in data.rows)} {status}"
                  for status in results.STATUSES if status != "ok"]
        raise results.ResultsError(f"{', '.join(paths)}: nothing to draw: no row with status ok "
                                   f"({', '.join(counts)})")
    return data
