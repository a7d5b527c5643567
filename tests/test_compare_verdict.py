# SPDX-License-Identifier: GPL-2.0-or-later
"""test_compare_verdict.py - the statistics of a verdict: right by themselves, and what they find
and do not find in generated rates whose truth is known."""
import collections
import itertools
import math

# First: it makes the modules of plot/ known.
from chart_helpers import ROOT  # noqa: F401
from compare_helpers import noisy
import numpy as np
import pytest
from scipy import stats
import verdict
from verdict import BETTER, INCONCLUSIVE, SAME, WORSE, Rules, decide

BY_TURNS = Rules(interleaved=True)


def words(decisions):
    return collections.Counter(each.verdict for each in decisions)


@pytest.mark.parametrize("n, m", [(1, 1), (2, 5), (5, 5), (7, 4), (20, 20), (40, 3)])
def test_the_exact_rank_test_is_that_of_scipy(n, m):
    chance = np.random.default_rng(n * 100 + m)
    base, new = chance.random((30, n)), chance.random((30, m)) + 0.2
    wanted = [stats.mannwhitneyu(a, b, method="exact").pvalue for a, b in zip(base, new)]
    assert verdict.rank_test(base, new) == pytest.approx(wanted)


def test_the_rank_test_of_many_repeats_is_near_that_of_scipy():
    chance = np.random.default_rng(1)
    base, new = chance.random((20, 80)), chance.random((20, 70)) + 0.05
    wanted = [stats.mannwhitneyu(a, b, method="asymptotic").pvalue for a, b in zip(base, new)]
    assert verdict.rank_test(base, new) == pytest.approx(wanted, rel=0.01)


def test_the_distribution_of_ranks_is_counted_right():
    values = range(7)
    sums = collections.Counter(
        sum(b > a for a in chosen for b in values if b not in chosen)
        for chosen in itertools.combinations(values, 3))
    total = math.comb(7, 3)
    wanted = np.cumsum([sums[u] for u in range(13)]) / total
    assert verdict.rank_sums(3, 4) == pytest.approx(wanted)


def test_ties_never_make_a_difference_larger():
    assert verdict.rank_test(np.full((1, 9), 5.0), np.full((1, 9), 5.0))[0] == 1
    base, new = np.array([[1.0, 2, 2, 3]]), np.array([[2.0, 3, 3, 4]])
    apart = verdict.rank_test(base, new + 0.01)[0]
    assert verdict.rank_test(base, new)[0] >= apart


def test_holm_is_right_by_hand():
    assert verdict.holm(np.array([0.01, 0.04, 0.03, 0.5])) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert verdict.holm(np.array([0.6, 0.7])).tolist() == [1.0, 1.0]
    assert len(verdict.holm(np.array([]))) == 0


def test_the_bootstrap_interval_covers_the_truth():
    chance = np.random.default_rng(3)
    base, new = chance.normal(100, 5, (2000, 20)), chance.normal(90, 5, (2000, 20))
    low, high = verdict.ratio_interval(base, new)
    assert 0.92 < np.mean((low <= 0.9) & (0.9 <= high)) < 0.99


def test_the_bootstrap_interval_is_the_same_each_time():
    base, new = np.array([noisy(1, 9)]), np.array([noisy(2, 9)])
    first, again = verdict.ratio_interval(base, new), verdict.ratio_interval(base, new)
    assert first[0] == again[0] and first[1] == again[1]


@pytest.mark.parametrize("family", [1, 20])
@pytest.mark.parametrize("kind", ["normal", "hosted"])
@pytest.mark.parametrize("noise", [0.01, 0.04, 0.069])
def test_fifteen_percent_by_turns_is_found_in_19_of_20_tries_below_7_percent_noise(noise, kind,
                                                                                  family):
    tries = 200
    pairs = [(noisy(2 * i, 20, noise=noise, kind=kind),
              noisy(2 * i + 1, 20, 0.85e6, noise=noise, kind=kind)) for i in range(tries)]
    found = words(each for at in range(0, tries, family)
                  for each in decide(pairs[at:at + family], BY_TURNS))
    assert found[WORSE] >= 0.95 * tries and found[SAME] == found[BETTER] == 0, found


@pytest.mark.parametrize("noise", [0.12, 0.25])
def test_with_more_noise_it_is_found_or_inconclusive_with_the_repeats_it_would_need(noise):
    pairs = [(noisy(2 * i, 20, noise=noise), noisy(2 * i + 1, 20, 0.85e6, noise=noise))
             for i in range(100)]
    decisions = [decide([pair], BY_TURNS)[0] for pair in pairs]
    assert words(decisions)[SAME] == words(decisions)[BETTER] == 0
    left = [each for each in decisions if each.verdict == INCONCLUSIVE]
    assert left and all("needed" in each.reason or "no number" in each.reason for each in left)
    assert all(each.needed is None or each.needed > 20 for each in left)


def test_the_repeats_that_are_said_to_be_needed_mostly_decide():
    decided = total = 0
    for i in range(60):
        pair = noisy(2 * i, 12, noise=0.1), noisy(2 * i + 1, 12, 0.85e6, noise=0.1)
        first = decide([pair], BY_TURNS)[0]
        if first.verdict == INCONCLUSIVE and first.needed and first.needed < 2000:
            again = (noisy(2 * i + 1000, first.needed, noise=0.1),
                     noisy(2 * i + 1001, first.needed, 0.85e6, noise=0.1))
            total += 1
            decided += decide([again], BY_TURNS)[0].verdict == WORSE
    assert total >= 10 and decided >= 0.6 * total


@pytest.mark.parametrize("kind", ["normal", "hosted"])
@pytest.mark.parametrize("noise", [0.01, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("repeats", [6, 10, 20])
def test_nothing_is_called_where_nothing_has_changed(repeats, noise, kind):
    """At most 1 series in 20, over 20 comparisons of 10 series."""
    called = 0
    for number in range(20):
        pairs = [(noisy(1000 * number + 2 * i, repeats, noise=noise, kind=kind),
                  noisy(1000 * number + 2 * i + 1, repeats, noise=noise, kind=kind))
                 for i in range(10)]
        found = words(decide(pairs, BY_TURNS))
        called += found[WORSE] + found[BETTER]
    assert called <= 200 / 20


def test_a_change_below_the_least_effect_is_the_same_however_sure():
    pairs = [(noisy(1, 200, noise=0.005), noisy(2, 200, 0.98e6, noise=0.005))]
    only, = decide(pairs, Rules())
    assert only.verdict == SAME and only.p < 1e-6
    only, = decide(pairs, Rules(min_effect=0.01))
    assert only.verdict == WORSE


def test_too_few_repeats_are_inconclusive_and_say_how_many():
    apart = [10.0, 10.1, 10.2, 10.3, 10.4, 10.5], [5.0, 5.1, 5.2, 5.3, 5.4, 5.5]
    for count, said in ((1, INCONCLUSIVE), (3, INCONCLUSIVE), (4, WORSE)):
        only, = decide([(apart[0][:count], apart[1][:count])], Rules())
        assert only.verdict == said
        assert said == WORSE or (only.needed == 4 and "4 of each side are needed" in only.reason)
    twenty = decide([(apart[0][:5], apart[1][:5])] * 20, Rules())
    assert {each.verdict for each in twenty} == {INCONCLUSIVE} and twenty[0].needed == 6
    assert words(decide([apart] * 20, Rules())) == {WORSE: 20}


def test_many_series_need_more_than_one_does():
    """Holm's correction: what is clear alone may be chance among four hundred."""
    rules = Rules(min_effect=0.0, interleaved=True)
    pairs = [(noisy(2 * i, 12), noisy(2 * i + 1, 12, 0.98e6)) for i in range(400)]
    pair = next(pair for pair in pairs if decide([pair], rules)[0].verdict == WORSE
                and decide([pair], rules)[0].p > 0.005)
    alike = [(noisy(2 * i, 12), noisy(2 * i + 1, 12)) for i in range(1000, 1400)]
    first = decide([pair, *alike], rules)[0]
    assert first.verdict == INCONCLUSIVE and first.p > 0.05
    assert decide([pair], rules)[0].p < 0.05


def test_a_side_that_drifts_is_not_called_unless_run_by_turns():
    drifting = [1e6 * (1 - 0.003 * i) for i in range(40)]
    pair = drifting, [0.94 * rate for rate in drifting]
    only, = decide([pair], Rules(min_effect=0.01))
    assert only.verdict == INCONCLUSIVE and "drifts by 6." in only.reason
    assert decide([pair], Rules(min_effect=0.01, interleaved=True))[0].verdict == WORSE


def test_noise_known_from_elsewhere_holds_a_verdict_back():
    pair = noisy(1, 20, noise=0.01), noisy(2, 20, 0.9e6, noise=0.01)
    assert decide([pair], Rules(), [0.05])[0].verdict == WORSE
    only, = decide([pair], Rules(), [0.2])
    assert only.verdict == INCONCLUSIVE and "20.0% apart" in only.reason


def test_rates_of_nothing_have_a_verdict_too():
    none, some = [0.0] * 8, noisy(1, 8)
    assert decide([(none, none)], Rules())[0].verdict == SAME
    assert decide([(some, none)], Rules())[0].verdict == WORSE
    assert decide([(none, some)], Rules())[0].verdict == BETTER
    assert decide([], Rules()) == []
