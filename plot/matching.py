# SPDX-License-Identifier: GPL-2.0-or-later
"""matching - find what two sets of result files have in common: series by key, and their names.

A series is all that was run alike: the columns `testcase` to `tasks` with `machine` and `params`.
Not in the key are `repeat` (repeats are what is compared), `seed` (it orders the points; simulated
repeats are paired by it), `host` (of native rows there must be one), and `batch_used`, since that
is what a batch as given has become, and a change of it is a result.
"""

import collections
import glob
import operator
import os

import results
from text import clean, shorten, sort_key

COLUMNS = ("machine", "testcase", "counter", "kind", "batch", "policy", "mode", "placement",
           "tasks")
LABEL_WIDTH = 90  # characters; more is no name
# Figures of a row beside its rate, which a simulated machine repeats exactly.
FIGURES = ("ops", "lock_acquisitions", "lock_contended", "lock_wait_pct", "spills", "error_max",
           "error_bound", "read_ns", "sum_ns", "refused", "batch_used")
# Header lines that tell the sides apart; a difference is worth a line.
HEADER_KEYS = ("commit", "compiler", "kernel", "cpu", "topology", "governor", "smt")
_key_columns = operator.attrgetter(*COLUMNS)

Key = collections.namedtuple("Key", [*COLUMNS, "params"])


class Series:
    """Rows of one key: ok, a list of Row in the order of time, and failed, those with another
    status."""

    def __init__(self):
        self.ok = []
        self.failed = []


class Side:
    """All that was read of one side.

    name: as given. series: dict of Key to Series. header: dict of key to the list of its values.
    hosts: names of the hosts of native ok rows. notes: what the user should know.
    """

    def __init__(self, name):
        self.name = name
        self.series = collections.defaultdict(Series)
        self.header = collections.defaultdict(list)
        self.hosts = set()
        self.notes = []


def files_of(path):
    """A file as a list of itself; a folder as its *.csv files, sorted."""
    if not os.path.isdir(path):
        return [path]
    found = sorted(glob.glob(os.path.join(glob.escape(path), "*.csv")))
    if not found:
        raise results.ResultsError(f"{path}: no file there ends in .csv: a result file, or a "
                                   "folder of them, is needed")
    return found


def _identity(row):
    """What two rows have in common only if they are the same measurement."""
    return (row.run_id, row.host, row.time, row.repeat, row.seed, row.policy, row.ops,
            row.ops_per_sec, row.status)


def side_of(name, sources, rows, ignored=()):
    """A Side of rows that were read. ignored: names of params that are left out of the key."""
    side = Side(name)
    settings = {}  # by the identity of a params dict: rows of equal params share one
    for row in rows:
        params = settings.get(id(row.params))
        if params is None:
            params = tuple(sorted(item for item in row.params.items() if item[0] not in ignored))
            settings[id(row.params)] = params
        series = side.series[Key(*_key_columns(row), params)]
        (series.ok if row.status == "ok" else series.failed).append(row)
        if row.status == "ok" and row.machine == "native":
            side.hosts.add(row.host)
    twice = 0
    for series in side.series.values():
        for which in ("ok", "failed"):
            found = getattr(series, which)
            kept = list({_identity(row): row for row in found}.values())
            twice += len(found) - len(kept)
            setattr(series, which, sorted(kept, key=operator.attrgetter("time")))
    if twice:
        side.notes.append(f"{name}: rows that are there twice, counted once: {twice}")
    for source in sources:
        side.notes += source.notes
        for key, values in source.header.items():
            side.header[key] += [value for value in values if value not in side.header[key]]
    return side


def load(path, ignored=()):
    """The Side of a result file, or of a folder of them. Raises ResultsError."""
    sources, rows = [], []
    for file in files_of(path):
        source, found = results.read(file)
        if not found:
            source.fail(0, "has no row: a result CSV with at least one is needed")
        sources.append(source)
        rows += found
    return side_of(path, sources, rows, ignored)


def check_machines(base, new, force=False):
    """Refuse to compare native rates of different machines, unless forced. Raises ResultsError."""
    hosts = sorted(base.hosts | new.hosts)
    what = ""
    if len(hosts) > 1:
        what = f"hosts {', '.join(shorten(host, 40) for host in hosts[:4])}"
    elif base.hosts and new.hosts:
        cpus = {tuple(sorted(side.header["cpu"])) for side in (base, new)} - {()}
        if len(cpus) > 1:
            what = "CPUs " + " and ".join(shorten(", ".join(cpu), 60) for cpu in sorted(cpus))
    if what and not force:
        raise results.ResultsError(f"{base.name}, {new.name}: native rows of two machines are "
                                   f"mixed ({what}): compare files of one, or give --force")
    return [f"native rows of two machines are compared ({what})"] if what else []


def header_changes(base, new):
    """Lines that say which header line differs between the sides, as mmtests does of kernels."""
    changes = []
    for key in HEADER_KEYS:
        before, after = base.header.get(key), new.header.get(key)
        if before and after and sorted(before) != sorted(after):
            changes.append(f"{key}: {shorten(', '.join(before), 70)} -> "
                           f"{shorten(', '.join(after), 70)}")
    return changes


def _words(key, differ):
    """The words of a series' name: those that say what it is, and those in which it differs."""
    words = [key.testcase]
    if key.counter:
        words.append(key.counter)
    if key.batch:
        words.append(key.batch)
    if "mode" in differ and key.mode:
        words.append(key.mode)
    words.append(f"{key.tasks} task{'' if key.tasks == 1 else 's'}")
    for name in ("policy", "placement", "kind"):
        if name in differ and getattr(key, name):
            words.append(f"{name}={getattr(key, name)}")
    words += [f"{name}={value}" for name, value in key.params if f"params {name}" in differ]
    return words


def _differ(keys):
    """Names of the settings in which some keys differ; those of params as `params NAME`."""
    seen = {name: {getattr(key, name) for key in keys} for name in ("mode", "policy", "placement")}
    # A workload without a counter has no kind: that alone does not tell two series apart.
    seen["kind"] = {key.kind for key in keys if key.counter not in ("", "none")}
    every = [dict(params) for params in dict.fromkeys(key.params for key in keys)]
    for name in {name for params in every for name in params}:
        seen[f"params {name}"] = {params.get(name) for params in every}
    return {name for name, values in seen.items() if len(values) > 1}


def labels(keys):
    """{key: name}: each name is one line, says what its series is, and is there once."""
    groups = collections.defaultdict(list)
    for key in keys:
        groups[key.machine, key.testcase].append(key)
    named, taken = {}, collections.Counter()
    for (machine, _), found in groups.items():
        differ = _differ(found)
        for key in found:
            label = shorten(" ".join(_words(key, differ)), LABEL_WIDTH)
            taken[machine, label] += 1
            if taken[machine, label] > 1:
                label += f" #{taken[machine, label]}"
            named[key] = label
    return named


def order(key):
    """A sort key of keys: native first, then by name with the numbers in it by value."""
    return (key.machine != "native", sort_key(key.machine), sort_key(key.testcase),
            sort_key(key.counter), sort_key(key.batch), sort_key(key.mode), key.tasks or 0,
            sort_key(key.policy), sort_key(repr(key.params)))


def failures(side):
    """{key less policy: rows}: a point that failed has not come to know its policy."""
    found = collections.defaultdict(list)
    for key, series in side.series.items():
        found[key._replace(policy="")] += series.failed
    return found


def name_of(key):
    """A key on one line, whole, for messages."""
    return clean(" ".join(_words(key, ())))
