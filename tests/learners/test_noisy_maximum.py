"""The largest noisy score of groups: closed forms against lists of candidates."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SecureCoins, SeededCoins
from learners.coins.hooks import CoinHooks
from learners.coins.noisy_maximum import _NoiseScale, winner, winning_chances
from learners.exact import exact_distribution
from learners.mechanisms.selection import ReportNoisyMax
from learners.pac.generic import draw_by_errors
from lsclasses.error_histograms import error_histogram
from lsclasses.errors import InvalidInput

TAIL = Fraction(1, 10**7)


@pytest.mark.parametrize(
    ("scores", "counts"),
    [((1, 0), (1, 3)), ((0, 0), (1, 2)), ((0, 1, 0), (1, 1, 2)), ((-3, 0), (3, 1)), ((5,), (4,))],
)
@pytest.mark.parametrize("scale", [Fraction(1, 4), Fraction(2, 5)])
def test_the_chances_of_groups_are_the_chances_of_a_list(scores, counts, scale):
    arguments = scores, counts, scale.numerator, scale.denominator
    chances = winning_chances(*arguments, 64)
    # The hook of `CoinHooks` draws a noise for each candidate.
    listed = exact_distribution(
        lambda coins: CoinHooks._noisy_maximum(coins, *arguments), tail=TAIL
    )
    assert float(sum(chances, arb(0))) == pytest.approx(1, abs=1e-15)
    for group, chance in enumerate(chances):
        assert chance.rad() < 1e-15
        assert listed.probability(lambda drawn, of=group: drawn == of).overlaps(chance)
        # Without ties, and with first ties, the chances differ by more than the cut mass.
        assert listed.tail < 1e-3


@given(
    st.fractions(Fraction(1, 30), 50, max_denominator=30),
    st.integers(-99, 99),
    st.fractions(0, 1, max_denominator=1000),
)
def test_the_quantile_inverts_the_distribution_function(scale, m, share):
    with ctx.workprec(9000):
        noise = _NoiseScale(scale.numerator, scale.denominator)
        y = arb(fmpq(share.numerator, share.denominator))
        below = noise.below(m) + noise.equal(m) * y
        low, high = noise.quantile(below.log())
        assert low <= m + y or low.overlaps(m + y)
        assert high >= m + y or high.overlaps(m + y)
        assert (high - low).abs_upper() <= (arb(2) ** -100 if 0 < share < 1 else 2)


def test_digits_of_one_uniform_number_decide_between_groups():
    # For U = 1/2 and 10 candidates, F^-1(U^(1/10)) with F(m + y) = 1 - q^m (1 - (1-q) y)/(1 + q).
    with ctx.workprec(256):
        noise = _NoiseScale(1, 1)
        low, high = noise.quantile(arb(fmpq(1, 2)).log() / 10)
        above = 1 - arb(fmpq(1, 2)) ** arb(fmpq(1, 10))
        m = int(low.floor().unique_fmpz())
        assert 1 - noise.below(m) >= above >= 1 - noise.below(m + 1)
        assert low.overlaps(high)
        # The other group has the number 0.1000..., one digit before it agrees with the first group.
        gap = int((low + 1).floor().unique_fmpz())
    words = iter([1 << 63, 1 << 63, 0, 1] + [0] * 9)
    assert winner([0, 0], [10, 10], 1, 1, lambda: next(words)) == 1
    words = iter([1 << 63, (1 << 63) - 1])
    assert winner([0, gap], [10, 1], 1, 1, lambda: next(words)) == 1


@pytest.mark.parametrize("spec", ["thresholds:n=3", "points:n=3,empty=1", "intervals:n=2"])
def test_closed_forms_choose_as_the_list_of_their_concepts(spec):
    C = catalog.build(spec)
    table, rows = C.to_table(), {(x, i % 2): 1 + i for i, x in enumerate(C.domain)}
    mechanism = ReportNoisyMax(8)
    scores = [-sum(n for (x, y), n in rows.items() if c(x) != y) for c in table]

    def labels(concept):
        return tuple(map(concept, C.domain))

    grouped = exact_distribution(
        lambda coins: draw_by_errors(error_histogram(C, rows), mechanism, coins)
    ).map(labels)
    listed = exact_distribution(lambda coins: mechanism.release(scores, coins), tail=TAIL)
    by_label = listed.map(lambda place: labels(table[place]))
    assert grouped.tail == 0
    assert listed.tail < 1e-2
    assert set(grouped) == {labels(c) for c in table}
    for concept in grouped:
        enclosure = by_label.probability(lambda drawn, of=concept: drawn == of)
        assert enclosure.overlaps(grouped[concept])


def test_huge_groups_are_drawn_by_both_kinds_of_coins():
    mechanism = ReportNoisyMax(1)
    for coins in (SeededCoins(3), SecureCoins()):
        assert mechanism.release([0, 400], coins, counts=[2**64, 1]) == 1
        assert mechanism.release([400, 0], coins, counts=[1, 2**3000]) == 1


def test_counts_are_checked():
    with pytest.raises(InvalidInput, match=r"\[0\]"):
        ReportNoisyMax(1).release([3], SeededCoins(1), counts=[0])
