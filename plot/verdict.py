# SPDX-License-Identifier: GPL-2.0-or-later
"""verdict - better, worse, same or inconclusive, from the raw repeats of two sides. Pure.

A native series is called better or worse only if four things agree: the rank test of Mann and
Whitney, after Holm's correction over all series of the comparison; the bootstrap interval of the
ratio of medians, which must lie beyond the least effect; and the ratio itself, which must be beyond
the noise of that very series. It is the same if the interval lies within the least effect. All else
is inconclusive, with the number of repeats that would decide it.
"""

import collections
import dataclasses
import functools
import math

import numpy as np
from scipy import special

ALPHA = 0.05  # chance that a comparison without any change calls one
MIN_EFFECT = 0.03
RESAMPLES = 2000
EXACT_REPEATS = 50  # of a side; above, the normal approximation is as good
_CELLS = 1 << 17  # numbers worked on at a time, so that they stay in the caches

BETTER, WORSE, SAME, INCONCLUSIVE = "better", "worse", "same", "inconclusive"


@dataclasses.dataclass
class Rules:
    """What a comparison goes by.

    min_effect: of the ratio, 0.03 is 3 %. alpha: chance of a false alarm over all series.
    interleaved: the sides ran by turns, so a drift of the machine has hit both alike.
    """

    min_effect: float = MIN_EFFECT
    alpha: float = ALPHA
    interleaved: bool = False


@dataclasses.dataclass
class Decision:
    """One series: ratio is new by base (of medians), low and high its 95 % interval (None: there is
    none), spread_base and spread_new how far single repeats lie apart (0.02 is 2 %), p after Holm's
    correction, noise what the same program would show against itself, needed the repeats of each
    side that would decide (None: decided, or no number would)."""

    verdict: str
    ratio: float
    reason: str = ""
    low: float = None
    high: float = None
    spread_base: float = None
    spread_new: float = None
    p: float = None
    noise: float = None
    needed: int = None


@functools.lru_cache(maxsize=None)
def rank_sums(n, m):
    """P(U <= u) for u = 0..n*m of Mann and Whitney's U where both sides are alike, an array."""
    # ways[j][u]: orders of i of the one and j of the other in which u pairs stand the other way
    ways = [np.zeros(n * m + 1) for _ in range(m + 1)]
    for row in ways:
        row[0] = 1.0
    for _ in range(n):
        for j in range(1, m + 1):
            shifted = np.zeros(n * m + 1)
            shifted[j:] = ways[j][:n * m + 1 - j]
            ways[j] = ways[j - 1] + shifted
    return np.minimum(np.cumsum(ways[m]) / math.comb(n + m, n), 1.0)


def rank_test(base, new):
    """Two-sided p of the rank test for each row of two matrices (series x repeats).

    Ties count half, against the distribution without ties, which is wider: p is rather too large.
    """
    (count, n), m = base.shape, new.shape[1]
    u = np.empty(count)
    step = max(1, _CELLS // (n * m))
    for at in range(0, count, step):
        b, c = base[at:at + step, :, None], new[at:at + step, None, :]
        u[at:at + step] = (c > b).sum(axis=(1, 2)) + 0.5 * (c == b).sum(axis=(1, 2))
    u = np.ceil(np.minimum(u, n * m - u))
    if max(n, m) <= EXACT_REPEATS:
        return np.minimum(2 * rank_sums(n, m)[u.astype(int)], 1.0)
    z = (n * m / 2 - u - 0.5) / math.sqrt(n * m * (n + m + 1) / 12)
    return special.erfc(np.maximum(z, 0) / math.sqrt(2))


@functools.lru_cache(maxsize=None)
def least_p(n, m):
    """The smallest p that so many repeats can give: 1 where a side has none."""
    return min(1.0, 2 / math.comb(n + m, n))


@functools.lru_cache(maxsize=64)
def enough_repeats(level):
    """The least number of repeats of each side that can come to a p of `level`."""
    n = 2
    while least_p(n, n) > level:
        n += 1
    return n


def holm(p):
    """Holm's correction of an array of p."""
    order = np.argsort(p, kind="stable")
    steps = np.minimum(p[order] * np.arange(len(p), 0, -1), 1.0)
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted


@functools.lru_cache(maxsize=64)
def _resamples(n, side):
    """Which of n sorted values are the middle two of each resample, two arrays."""
    drawn = np.random.default_rng([n, side]).integers(n, size=(RESAMPLES, n))
    drawn.sort(axis=1)
    return drawn[:, (n - 1) // 2].copy(), drawn[:, n // 2].copy()


def _resampled_medians(ordered, side):
    lower, upper = _resamples(ordered.shape[1], side)
    if ordered.shape[1] % 2:
        return np.take(ordered, lower, axis=1)
    return (np.take(ordered, lower, axis=1) + np.take(ordered, upper, axis=1)) / 2


def ratio_interval(base, new):
    """(low, high) of the 95 % bootstrap interval of median(new) / median(base), row by row.

    The resamples of all rows with equally many repeats are the same, and the same each time.
    """
    base, new = np.sort(base, axis=1), np.sort(new, axis=1)
    low, high = np.empty(len(base)), np.empty(len(base))
    at_low, at_high = int(0.025 * RESAMPLES), int(0.975 * RESAMPLES) - 1
    step = max(1, _CELLS // RESAMPLES)
    for at in range(0, len(base), step):
        part = slice(at, at + step)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = _resampled_medians(new[part], 1) / _resampled_medians(base[part], 0)
        if not base[part, 0].all():  # none by none is no change
            ratios[np.isnan(ratios)] = 1.0
        ratios.partition((at_low, at_high), axis=1)
        low[part], high[part] = ratios[:, at_low], ratios[:, at_high]
    return low, high


def spread(values):
    """How far single values of each row lie from its median, as a share of it: 1.4826 times the
    median distance, which for a normal distribution is the standard deviation."""
    middle = np.median(values, axis=1)
    distance = np.median(np.abs(values - middle[:, None]), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(1.4826 * distance / middle, nan=0.0)


def drift(values):
    """How far the first half of each row is from its second, as a share: the rows are in the order
    of time, and a program that differs so much from itself cannot be told from another."""
    half = values.shape[1] // 2
    if half == 0:
        return np.zeros(len(values))
    first, second = np.median(values[:, :half], axis=1), np.median(values[:, -half:], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(np.abs(first / second - 1), nan=0.0)


def _group(indices, pairs, rules):
    """Figures of the series of one size as a dict of arrays."""
    base = np.array([pairs[i][0] for i in indices], dtype=float)
    new = np.array([pairs[i][1] for i in indices], dtype=float)
    n, m = base.shape[1], new.shape[1]
    middle_base, middle_new = np.median(base, axis=1), np.median(new, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(middle_base == middle_new, 1.0, middle_new / middle_base)
    found = {"ratio": ratio, "p": rank_test(base, new), "spread_base": spread(base),
             "spread_new": spread(new)}
    found["low"], found["high"] = ratio_interval(base, new)
    # Twice the standard error of the ratio; that of a median is 1.2533 spreads / sqrt(n).
    found["noise"] = 2 * 1.2533 * np.sqrt(found["spread_base"] ** 2 / n
                                          + found["spread_new"] ** 2 / m)
    found["drift"] = (np.zeros(len(base)) if rules.interleaved
                      else np.maximum(drift(base), drift(new)))
    return found


def _needed(figures, sizes, rules, family):
    """Repeats of each side that would decide a series, were it to go on like this; None if no
    number would, as where the effect is exactly the least one."""
    effect, least = abs(figures["ratio"] - 1), rules.min_effect
    low, high, ratio = figures["low"], figures["high"], figures["ratio"]
    if effect > least:
        reach = ratio - low if ratio > 1 else high - ratio
        wanted = special.ndtri(1 - rules.alpha / family / 2)
        seen = special.ndtri(1 - min(figures["p"], 0.99) / 2)
        factor = max((reach / (effect - least)) ** 2, (figures["noise"] / effect) ** 2,
                     (wanted / seen) ** 2)
    else:
        factor = (max(ratio - low, high - ratio) / max(least - effect, 1e-9)) ** 2
    count = math.ceil(max(sizes) * factor) if math.isfinite(factor) else math.inf
    count = max(count, max(sizes) + 1, enough_repeats(rules.alpha / family))
    return count if count <= 100000 else None


def _decide_one(figures, sizes, adjusted, outside, rules, family):
    """The Decision of one series, of its figures as plain numbers."""
    ratio, least = figures["ratio"], rules.min_effect
    noise = max(figures["noise"], outside)
    shown = {name: figures[name] for name in ("ratio", "low", "high", "spread_base", "spread_new")}
    shown.update(p=adjusted, noise=max(noise, figures["drift"]))
    if least_p(*sizes) > rules.alpha / family:
        enough = enough_repeats(rules.alpha / family)
        if min(sizes) == 1:
            shown.update(low=None, high=None, noise=None)
        return Decision(INCONCLUSIVE, needed=enough, **shown, reason=f"too few repeats "
                        f"({sizes[0]} and {sizes[1]}): {enough} of each side are needed")
    called = (WORSE if figures["high"] < 1 - least else BETTER if figures["low"] > 1 + least
              else None)
    if called and adjusted <= rules.alpha and abs(ratio - 1) > noise:
        if abs(ratio - 1) > figures["drift"]:
            return Decision(called, **shown)
        return Decision(INCONCLUSIVE, **shown, reason=f"its own rate drifts by "
                        f"{figures['drift']:.1%} within a run: run both by turns (plot/ab.py)")
    if not called and figures["low"] >= 1 - least and figures["high"] <= 1 + least:
        return Decision(SAME, **shown)
    if outside >= abs(ratio - 1) > figures["noise"] and called:
        return Decision(INCONCLUSIVE, **shown, reason=f"runs of the same program lie up to "
                        f"{outside:.1%} apart: a quieter machine or more runs are needed")
    needed = _needed(figures, sizes, rules, family)
    reason = (f"about {needed:,} repeats of each side are needed" if needed
              else "no number of repeats would decide at this noise")
    return Decision(INCONCLUSIVE, needed=needed, reason=reason, **shown)


def decide(pairs, rules, outside=None):
    """A list of Decision for a list of (base rates, new rates), each a list in the order of time
    with at least one rate. outside: a list of the noise of each series that is known from elsewhere
    (as from its history), or None."""
    by_size = collections.defaultdict(list)
    for index, (base, new) in enumerate(pairs):
        by_size[len(base), len(new)].append(index)
    figures = [None] * len(pairs)
    for indices in by_size.values():
        found = _group(indices, pairs, rules)
        columns = zip(*(column.tolist() for column in found.values()))
        for index, values in zip(indices, columns):
            figures[index] = dict(zip(found, values))
    adjusted = holm(np.array([each["p"] for each in figures])).tolist()
    return [_decide_one(each, (len(base), len(new)), p, more, rules, len(pairs))
            for each, (base, new), p, more in zip(figures, pairs, adjusted,
                                                  outside or [0.0] * len(pairs))]


def decide_exact(base, new):
    """The Decision of a simulated series: {repeat and seed: rate} of each side, where every
    difference is a change."""
    shared = sorted(set(base) & set(new))
    if not shared:
        return Decision(INCONCLUSIVE, math.nan, "the seeds differ: run both with the same --seed")
    before, after = (np.array([side[key] for key in shared]) for side in (base, new))
    middle = float(np.median(before)), float(np.median(after))
    ratio = 1.0 if middle[0] == middle[1] else middle[1] / middle[0] if middle[0] else math.inf
    differ = int((before != after).sum())
    if not differ:
        return Decision(SAME, 1.0)
    falls = middle[1] < middle[0] or (middle[1] == middle[0] and after.sum() < before.sum())
    part = "" if len(shared) == 1 else f"{differ} of {len(shared)} repeats differ"
    return Decision(WORSE if falls else BETTER, ratio, part)
