# SPDX-License-Identifier: GPL-2.0-or-later
"""changes - where the level of a series of figures changes. Pure: numbers in, numbers out.

Optimal partitioning with pruning (Killick, Fearnhead and Eckley, 2012): the segments whose squared
distances to their means, with a price for each segment, are least. Single figures far off are
brought in before, so a spike is no change; and of what is found only that stays which a rank test
of the two neighbours and the least effect confirm.
"""

import math

import numpy as np

import verdict

LEAST_RUNS = 4  # of a segment: fewer are spikes
ALPHA = 0.001  # of the rank test of neighbours, as other tools have it
_PRICE = 3.0  # of a segment, times log(figures): rather too few than too many
_WINDOW = 600  # figures that are looked at together
_AROUND = 5  # figures whose median a spike is brought to


def _noise(values):
    """Standard deviation of what is not a change of level, from differences of neighbours."""
    steps = np.abs(np.diff(values))
    return 1.4826 * float(np.median(steps)) / math.sqrt(2)


def _tamed(values, noise):
    """Values, with those further than 4 deviations from the median around them brought to it."""
    half = _AROUND // 2
    padded = np.pad(values, half, mode="reflect")
    around = np.median(np.lib.stride_tricks.sliding_window_view(padded, _AROUND), axis=1)
    return np.where(np.abs(values - around) > 4 * noise, around, values)


def _partition(values, price):
    """Starts of all segments but the first, rising, by the least total cost."""
    count = len(values)
    sums = np.concatenate([[0.0], np.cumsum(values)])
    squares = np.concatenate([[0.0], np.cumsum(values * values)])
    best = np.full(count + 1, math.inf)
    best[0], last = -price, np.zeros(count + 1, dtype=int)
    open_ = np.zeros(count + 1, dtype=int)  # starts that may still be the best, so many of them:
    open_count = 1
    for end in range(LEAST_RUNS, count + 1):
        starts = open_[:open_count]
        total = sums[end] - sums[starts]
        cost = best[starts] + squares[end] - squares[starts] - total * total / (end - starts)
        choice = int(np.argmin(cost))
        best[end], last[end] = cost[choice] + price, starts[choice]
        kept = starts[cost <= best[end]]
        open_count = len(kept)
        open_[:open_count] = kept
        opened = end - LEAST_RUNS + 1
        if opened >= LEAST_RUNS:
            open_[open_count] = opened
            open_count += 1
    found, end = [], count
    while last[end] > 0:
        end = last[end]
        found.append(int(end))
    return found[::-1]


def _candidates(values, price):
    """Starts of segments, rising. A long history is cut into windows that overlap by half, and of
    each what lies in its middle is taken: the work would grow with the square of the length."""
    if len(values) <= 2 * _WINDOW:
        return _partition(values, price)
    found, step = [], _WINDOW // 2
    for at in range(0, len(values) - step, step):
        end = min(at + _WINDOW, len(values))
        first = at + _WINDOW // 4 if at else 0
        last = at + 3 * _WINDOW // 4 if end < len(values) else end
        found += [at + start for start in _partition(values[at:end], price)
                  if first <= at + start < last]
    return found


def _confirmed(values, before, start, after, least):
    """Whether the level from `start` on differs from that before it."""
    left, right = values[before:start], values[start:after]
    ratio = np.median(right) / np.median(left) if np.median(left) else math.inf
    if abs(ratio - 1) < least:
        return False
    p = float(verdict.rank_test(left[None, :], right[None, :])[0])
    return p <= max(ALPHA, verdict.least_p(min(len(left), 7), min(len(right), 7)))


def change_points(values, least=verdict.MIN_EFFECT):
    """Indices at which a new level begins, rising. values: figures in the order of time; least: the
    least change of level that counts, as a share."""
    values = np.asarray(values, dtype=float)
    if len(values) < 2 * LEAST_RUNS:
        return []
    scale = float(np.median(np.abs(values))) or 1.0
    noise = max(_noise(values), scale * 1e-6)
    tamed = _tamed(values, noise)
    starts = _candidates((tamed - np.median(tamed)) / noise, _PRICE * math.log(len(values)))
    # Those that are not confirmed go one by one, the least of them first, since what is left of
    # them joins two segments.
    while starts:
        edges = [0, *starts, len(values)]
        for i in range(1, len(edges) - 1):
            if not _confirmed(values, edges[i - 1], edges[i], edges[i + 1], least):
                starts.remove(edges[i])
                break
        else:
            break
    return starts
