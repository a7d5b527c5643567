# SPDX-License-Identifier: GPL-2.0-or-later
"""store - the history of runs in SQLite: adding result files, and reading them back as sides.

All text goes in as parameters of a statement. A run is one by its run_id and host, and a row of it
one by what it measured, so that adding a file again, or the whole file after a part of it, changes
nothing twice.
"""

import contextlib
import json
import os
import sqlite3

import matching
import results
from command import UsageError

VERSION = 1  # of the tables; PRAGMA user_version
APPLICATION = 0x77696268  # PRAGMA application_id: "wibh"
WAIT_S = 30  # for another program that writes

_TABLES = """
CREATE TABLE run (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, host TEXT NOT NULL,
    time TEXT NOT NULL, header TEXT NOT NULL, good INTEGER NOT NULL, UNIQUE (run_id, host));
CREATE TABLE series (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE sample (run INTEGER NOT NULL REFERENCES run, series INTEGER NOT NULL
    REFERENCES series, time TEXT NOT NULL, repeat TEXT NOT NULL, seed TEXT NOT NULL,
    batch_used TEXT NOT NULL, ops_per_sec REAL NOT NULL,
     UNIQUE (run, series, time, repeat, seed, ops_per_sec));
CREATE INDEX sample_series ON sample (series, run);
CREATE INDEX run_time ON run (time);
"""
FEW = 999  # numbers in one statement


class Store:
    """An open history. `with` closes it; what was not committed by then has not happened."""

    def __init__(self, path, create):
        self.path = path
        if not create and not os.path.exists(path):
            raise UsageError(f"{path}: is not there: history.py add makes it")
        try:
            if create and os.path.dirname(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
            self.db = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
            try:
                self._open(create)
            except BaseException:
                self.db.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"{path}: cannot be used ({error}): a history of history.py, or a new "
                             "file in a folder that can be written, is needed") from error

    def _open(self, create):
        """Make the tables of a new file; refuse one of another version, or of another program."""
        with self.change() if create else contextlib.nullcontext():
            version, application = (self.db.execute(f"PRAGMA {name}").fetchone()[0]
                                    for name in ("user_version", "application_id"))
            empty = not self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if empty and create:
                for statement in _TABLES.split(";"):
                    self.db.execute(statement)
                self.db.execute(f"PRAGMA user_version = {VERSION}")
                self.db.execute(f"PRAGMA application_id = {APPLICATION}")
                return
        if application != APPLICATION:
            raise UsageError(f"{self.path}: is no history of runs: --db names another file")
        if version != VERSION:
            raise UsageError(f"{self.path}: is a history of version {version}: this program reads "
                             f"version {VERSION}")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.db.close()

    @contextlib.contextmanager
    def change(self):
        """All changes made inside happen together or not at all; other programs wait."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def _run_of(self, row, header, good):
        """(number of the run of a row, whether it is new); its mark is set, where good is not
        None."""
        which = (row.run_id, row.host)
        made = self.db.execute("INSERT OR IGNORE INTO run (run_id, host, time, header, good) "
                               "VALUES (?, ?, ?, ?, 1)", (*which, row.time, json.dumps(header)))
        if good is not None:
            self.db.execute("UPDATE run SET good = ? WHERE run_id = ? AND host = ?",
                            (good, *which))
        self.db.execute("UPDATE run SET time = min(time, ?) WHERE run_id = ? AND host = ?",
                        (row.time, *which))
        number = self.db.execute("SELECT id FROM run WHERE run_id = ? AND host = ?",
                                 which).fetchone()[0]
        return number, made.rowcount > 0

    def _series_of(self, key):
        """Number of a series, made if it is not there."""
        text = json.dumps(key)
        self.db.execute("INSERT OR IGNORE INTO series (key) VALUES (?)", (text,))
        return self.db.execute("SELECT id FROM series WHERE key = ?", (text,)).fetchone()[0]

    def add(self, side, good=None):
        """Add the ok rows of a matching.Side: (runs that are new, rows that are new)."""
        header = {key: side.header.get(key, []) for key in (*matching.HEADER_KEYS, "warning")}
        runs, new_runs, new_rows = {}, 0, 0
        try:
            with self.change():
                for key, series in side.series.items():
                    number = self._series_of(key) if series.ok else None
                    for row in series.ok:
                        which = (row.run_id, row.host)
                        if which not in runs:
                            runs[which], made = self._run_of(row, header, good)
                            new_runs += made
                        new_rows += self.db.execute(
                            "INSERT OR IGNORE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)",
                            (runs[which], number, row.time, _stored(row.repeat), _stored(row.seed),
                             _stored(row.batch_used), row.ops_per_sec)).rowcount
        except sqlite3.Error as error:
            raise UsageError(f"{self.path}: cannot be written: {error}") from error
        return new_runs, new_rows

    def runs(self, good_only=False, last=None):
        """Runs by time, oldest first: list of (number, run_id, host, time, header, good)."""
        where = "WHERE good" if good_only else ""
        limit = "" if last is None else f"LIMIT {int(last)}"
        found = self.db.execute("SELECT id, run_id, host, time, header, good FROM run "
                                f"{where} ORDER BY time DESC, id DESC {limit}").fetchall()
        return [(*run[:4], json.loads(run[4]), bool(run[5])) for run in reversed(found)]

    def keys(self):
        """{number: matching.Key} of all series."""
        found = {}
        for number, text in self.db.execute("SELECT id, key FROM series"):
            *columns, params = json.loads(text)
            found[number] = matching.Key(*columns, tuple(map(tuple, params)))
        return found

    def medians(self, run_numbers):
        """{series number: list of (run number, median of its repeats)} in the order of time."""
        place = {number: i for i, number in enumerate(run_numbers)}
        rates = {}
        for run, series, rate in self.db.execute("SELECT run, series, ops_per_sec FROM sample "
                                                 "ORDER BY series, run, ops_per_sec"):
            if run in place:
                rates.setdefault(series, {}).setdefault(run, []).append(rate)
        found = {}
        for series, by_run in rates.items():
            middles = [(run, (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2)
                       for run, values in by_run.items()]
            found[series] = sorted(middles, key=lambda pair: place[pair[0]])
        return found

    def samples(self, run_numbers):
        """Rows of these runs: list of (run, series, time, repeat, seed, batch_used, rate)."""
        found = []
        for at in range(0, len(run_numbers), FEW):
            part = run_numbers[at:at + FEW]
            marks = ",".join("?" * len(part))
            found += self.db.execute("SELECT run, series, time, repeat, seed, batch_used, "
                                     f"ops_per_sec FROM sample WHERE run IN ({marks}) "
                                     "ORDER BY run, time", part).fetchall()
        return found

    def side(self, runs, name):
        """Runs as a matching.Side: their rows, as if they had been read from files."""
        keys, by_number = self.keys(), {run[0]: run for run in runs}
        side = matching.Side(name)
        blank = results.Row(*[None] * len(results.Row._fields))._replace(extra={})
        for run, series, time, repeat, seed, batch_used, rate in self.samples(list(by_number)):
            _, run_id, host, *_ = by_number[run]
            key = keys[series]
            side.series[key].ok.append(blank._replace(
                run_id=run_id, host=host, time=time, repeat=_read(repeat), seed=_read(seed),
                batch_used=_read(batch_used), ops_per_sec=rate, machine=key.machine, status="ok"))
            if key.machine == "native":
                side.hosts.add(host)
        for run in runs:
            for key, values in run[4].items():
                side.header[key] += [each for each in values if each not in side.header[key]]
        return side


def _stored(value):
    """A whole number or None as it is stored: as text, since one of SQLite's has 64 bits, and two
    NULL are never equal."""
    return "" if value is None else str(value)


def _read(value):
    return None if value == "" else int(value)
