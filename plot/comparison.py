# SPDX-License-Identifier: GPL-2.0-or-later
"""comparison - all verdicts about two sides, ready to be shown. Pure: sides in, values out."""

import collections
import dataclasses
import statistics

import matching
import verdict
from text import clean, shorten

RANK = {verdict.WORSE: 0, verdict.BETTER: 1, verdict.INCONCLUSIVE: 2, verdict.SAME: 3}


@dataclasses.dataclass
class Result:
    """One series: key (matching.Key), label, simulated, decision (verdict.Decision), base and new
    (medians in ops per second, None where a side has no rate), counts (ok repeats of the sides),
    notes (list of text)."""

    key: tuple
    label: str
    decision: verdict.Decision
    base: float
    new: float
    counts: tuple
    notes: list = dataclasses.field(default_factory=list)

    @property
    def simulated(self):
        """Whether its rates are exact."""
        return self.key.machine != "native"

    @property
    def reason(self):
        """What there is to say beside the figures, on one line; '' if nothing."""
        return "; ".join(part for part in [clean(self.decision.reason), *self.notes] if part)


@dataclasses.dataclass
class Comparison:
    """base and new: names of the sides. results: list of Result, worst first. changes: header lines
    that differ. notes: what the user should know. only_base, only_new: names of series that only
    one side has."""

    base: str
    new: str
    rules: verdict.Rules
    results: list
    changes: list
    notes: list
    only_base: list
    only_new: list

    def count(self, wanted):
        """How many series have a verdict."""
        return sum(result.decision.verdict == wanted for result in self.results)

    @property
    def status(self):
        """The exit status: 0 nothing worse, 1 worse, 3 nothing comparable."""
        if not self.results:
            return 3
        return 1 if self.count(verdict.WORSE) else 0


def _exact_rates(rows):
    """({(repeat, seed, phase): rate}, repeats that disagree with themselves) of simulated rows."""
    rates, taken, unsteady = {}, collections.Counter(), 0
    for row in rows:
        taken[row.run_id, row.repeat, row.seed] += 1
        key = (row.repeat, row.seed, taken[row.run_id, row.repeat, row.seed])
        unsteady += rates.setdefault(key, row.ops_per_sec) != row.ops_per_sec
    return rates, unsteady


def _other_changes(base, new):
    """Notes on figures beside the rate that differ between two simulated series."""
    def values(rows, name):
        return {(row.repeat, row.seed): getattr(row, name) for row in rows}

    notes = []
    for name in matching.FIGURES:
        before, after = values(base, name), values(new, name)
        shared = sorted(set(before) & set(after))
        differ = [key for key in shared if before[key] != after[key]]
        if differ and name != "ops":
            pair = ["none" if value is None else f"{value:g}"
                    for value in (before[differ[0]], after[differ[0]])]
            notes.append(f"{name} {pair[0]} -> {pair[1]}")
        elif differ:
            notes.append("ops differ")
    return notes


def _by_ops(base, new):
    """The Decision by the operations of whole runs. A rate is a median of intervals with few
    operations each, so it moves in steps, and a small change may be none of it. Runs of other
    lengths say nothing."""
    lengths = {(row.duration_s, row.extra.get("warmup_s")) for row in base + new}
    sides = [{(row.repeat, row.seed): row.ops for row in rows} for rows in (base, new)]
    if len(lengths) > 1 or any(None in side.values() for side in sides):
        return verdict.Decision(verdict.SAME, 1.0)
    decision = verdict.decide_exact(*sides)
    if decision.verdict not in (verdict.WORSE, verdict.BETTER):
        return verdict.Decision(verdict.SAME, 1.0)
    return dataclasses.replace(decision, reason="by the operations of the whole run")


def _simulated(key, label, base, new):
    rates, unsteady = zip(_exact_rates(base.ok), _exact_rates(new.ok))
    decision = verdict.decide_exact(*rates)
    if decision.verdict == verdict.SAME:
        decision = _by_ops(base.ok, new.ok)
    notes = []
    if any(unsteady):
        decision = dataclasses.replace(decision, verdict=verdict.INCONCLUSIVE, reason="a repeat "
                                       "differs from itself: the run is not deterministic")
    else:
        notes = _other_changes(base.ok, new.ok)
        if decision.verdict != verdict.SAME and notes[:1] == ["ops differ"]:
            del notes[0]
    medians = [statistics.median(side.values()) for side in rates]
    return Result(key, label, decision, *medians, tuple(map(len, rates)), notes)


def _batch_note(base, new):
    """A list with a note if a batch as given came to another number; else empty."""
    before, after = ({row.batch_used for row in side.ok} for side in (base, new))
    if before == after:
        return []
    shown = [", ".join(str(value) for value in sorted(used, key=str)) for used in (before, after)]
    return [f"batch {shown[0]} -> {shown[1]} pages"]


def _failure_note(rows):
    """A list with a note on repeats of the new side that failed; else empty."""
    failed = [row for row in rows if row.status == "failed"]
    if not failed:
        return []
    return [f"{len(failed)} repeat{'s' if len(failed) > 1 else ''} failed: "
            f"{shorten(failed[0].reason or 'no reason given', 60)}"]


def _lost(key, label, base, rows):
    """The Result of a series that had rates and has none any more: it fails, or is skipped."""
    failed = [row for row in rows if row.status == "failed"]
    row = (failed or rows)[0]
    reason = f"{row.status}: {shorten(row.reason or 'no reason given', 80)}"
    said = verdict.WORSE if failed else verdict.INCONCLUSIVE
    return Result(key, label, verdict.Decision(said, 0.0 if failed else None, reason),
                  statistics.median(row.ops_per_sec for row in base.ok), None, (len(base.ok), 0))


def sort_key(result):
    """Orders results: worse first, by how much; then better, inconclusive, same."""
    ratio = result.decision.ratio
    return (RANK[result.decision.verdict], ratio if ratio is not None and ratio == ratio else 1.0,
            matching.order(result.key))


def compare(base, new, rules, force=False, outside=None):
    """The Comparison of two matching.Side. outside: {Key: noise known from elsewhere}. Raises
    ResultsError where two machines are mixed."""
    notes = [*base.notes, *new.notes, *matching.check_machines(base, new, force)]
    shared = [key for key in base.series
              if base.series[key].ok and key in new.series and new.series[key].ok]
    named = matching.labels(key for key in base.series if base.series[key].ok)
    found, gone = [], []
    lost = matching.failures(new)
    native = [key for key in shared if key.machine == "native"]
    pairs = [tuple([row.ops_per_sec for row in side.series[key].ok] for side in (base, new))
             for key in native]
    decisions = verdict.decide(pairs, rules, [(outside or {}).get(key, 0.0) for key in native])
    for key, rates, decision in zip(native, pairs, decisions):
        sides = base.series[key], new.series[key]
        found.append(Result(key, named[key], decision, *map(statistics.median, rates),
                            tuple(map(len, rates)),
                            _batch_note(*sides)
                            + _failure_note(lost.get(key._replace(policy=""), []))))
    found += [_simulated(key, named[key], base.series[key], new.series[key])
              for key in shared if key.machine != "native"]
    for key in set(named) - set(shared):
        rows = lost.get(key._replace(policy=""))
        if rows:
            found.append(_lost(key, named[key], base.series[key], rows))
        else:
            gone.append(key)
    added = [key for key in new.series if new.series[key].ok and key not in named]
    return Comparison(
        base=base.name, new=new.name, rules=rules, results=sorted(found, key=sort_key),
        changes=matching.header_changes(base, new), notes=notes,
        only_base=[named[key] for key in sorted(gone, key=matching.order)],
        only_new=[matching.name_of(key) for key in sorted(added, key=matching.order)])
