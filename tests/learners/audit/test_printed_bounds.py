"""Printed bounds of audits: lower bounds are rounded down, upper bounds are rounded up."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import Enclosure, audit_game, audit_samples, of_distributions, program
from learners.audit.audit_registry import instance
from learners.audit.binned_outcomes import BINS, OutcomeBins
from learners.audit.blind_spots import cut_mass, sampled_blind_spots
from learners.audit.certified_events import CertifiedEvent, least_hits
from learners.audit.claims import claim_text
from learners.audit.enclosures import bounds_in_words, rounded_text, text_above, text_below
from learners.coins import Coins
from learners.curves import curve
from learners.exact import exact_distribution
from learners.games import AdaptiveInputs, Ask, Challenge
from learners.testing import assert_private
from lsclasses.verdicts import Verdict


def numbers(text: str) -> list[Fraction]:
    return [Fraction(each) for each in re.findall(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", text)]


@pytest.mark.parametrize("seed", range(100))
def test_texts_of_bounds_are_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low = float(10 ** rng.uniform(-320, 20))
    high = low * (1 + 10 ** rng.uniform(-17, 0))
    for digits in (2, 3, 6, 7, 9):
        [below], [above] = (numbers(each(low, digits)) for each in (text_below, text_above))
        assert below <= Fraction(low) <= above
        assert above - below <= Fraction(low) / 10 ** (digits - 1)
        words = bounds_in_words(Enclosure(low, high), digits)
        printed = numbers(words)
        if words.startswith("="):
            # Both ends are rounded to the printed number.
            assert all(
                abs(printed[0] - Fraction(end)) <= Fraction(end) / (2 * 10 ** (digits - 1))
                for end in (low, high)
            )
        else:
            assert printed[0] <= Fraction(low) and Fraction(high) <= printed[1]


def test_infinite_bounds_in_words() -> None:
    infinite = Enclosure(math.inf, math.inf)
    assert bounds_in_words(infinite) == "is infinite" and rounded_text(infinite) is None
    assert bounds_in_words(Enclosure(1.23456789, math.inf)) == "is at least 1.234567"
    assert bounds_in_words(Enclosure(0.1, 0.1), sampled=True) == "is at least 0.1"
    assert text_above(math.inf) == text_below(math.inf) == "infinite"


def test_cut_and_undetected_probabilities_are_rounded_to_the_safe_side() -> None:
    assert numbers(cut_mass(1.2345e-10))[0] >= Fraction(1.2345e-10)
    error = Fraction(1, 4 * 10**6)
    [rare] = numbers(sampled_blind_spots(10_000, error).unseen[0])
    missed = CertifiedEvent(0, 10_000, 0, 10_000, error).high
    assert rare <= missed <= rare * Fraction(101, 100)


def test_long_claims_are_printed_with_enough_digits() -> None:
    nearly = 1 - Fraction(1, 2 * 10**9)
    assert claim_text(nearly) == "0.9999999995" and claim_text(Fraction(1, 3)) == "1/3"
    assert Fraction(claim_text(Fraction(2, 3) + Fraction(1, 10**40))) <= Fraction(2, 3)

    def count(rows, coins: Coins):
        return sum(rows) + coins.laplace(1)

    with pytest.raises(AssertionError, match=r"not \(0\.9999999995, 0\)") as raised:
        assert_private(count, [(0,), (1,)], epsilon=nearly, tail=Fraction(1, 2**60), resolution=0)
    needed = re.search(r"epsilon at least (\S+)", str(raised.value))
    assert needed is None or Fraction(needed[1]) <= 1


# ---- curves


def test_a_curve_of_counts_prints_lower_bounds() -> None:
    loss = of_distributions({"a": 500, "b": 500}, {"a": 505, "b": 495}, counts=True)
    text = curve(loss, points=3).text()
    assert "<=" not in text and text.count(">= 0") == 3 and "claimed" not in text
    strong = of_distributions([900, 100], [100, 900], counts=True)
    rows = curve(strong, 1, 0, points=3).text().splitlines()[1:]
    for row, epsilon in zip(rows, (0, 1, 2), strict=True):
        [printed] = numbers(row.split(">= ")[1].split()[0])
        assert printed <= Fraction(strong.delta(epsilon).lower)


def test_a_curve_rounds_upper_bounds_up() -> None:
    laws = [exact_distribution(lambda coins, n=n: n + coins.laplace(1)) for n in (0, 1)]
    loss = of_distributions(*laws)
    rows = curve(loss, 1, 0, points=3).text().splitlines()
    [printed] = numbers(rows[2].split("<= ")[1].split()[0])
    assert printed >= Fraction(loss.delta(1).upper)


def test_a_curve_without_a_claim_has_no_claim() -> None:
    drawn = curve(of_distributions(["3/4", "1/4"], ["1/4", "3/4"]), points=3)
    assert drawn.epsilons[-1] == 2 and drawn.epsilon is drawn.delta is None
    assert "claimed" not in drawn.text() and "claimed" not in drawn.svg()
    with_claim = curve(of_distributions(["3/4", "1/4"], ["1/4", "3/4"]), 1, "1/10", points=3)
    assert "claimed: 1/10" in with_claim.text() and "claimed" in with_claim.svg()


@pytest.mark.parametrize(
    "specification",
    [
        "bounded_histogram:epsilon=1,delta=1/100,items=2,people=2",
        pytest.param("voting_counters:epsilon=2,delta=1/10,rounds=2", marks=pytest.mark.slow),
        pytest.param("voting_counters", marks=pytest.mark.slow),
        pytest.param("voting", marks=pytest.mark.slow),
        pytest.param("stable_histogram", marks=pytest.mark.slow),
    ],
)
def test_the_printed_pair_attains_the_measured_delta(specification: str) -> None:
    found = instance(specification).audit()
    shown = found.at_measured()
    assert shown.loss.delta(found.epsilon).overlaps(found.measured)
    assert shown.least_epsilon == found.least_epsilon and shown.verdict == found.verdict
    # The largest epsilon may belong to another pair.
    needed = found.loss.epsilon(found.delta)
    assert not needed < found.least_epsilon - 1e-6


def test_an_audit_reports_the_pair_that_needs_the_largest_epsilon_if_delta_is_zero() -> None:
    """The measured delta(epsilon) is 0 for both pairs, and only the second pair needs 1."""
    from learners.audit import audit

    def response(data, coins):
        bit, share = data
        return bit ^ coins.flip(share)

    weak, strong = Fraction(2, 5), Fraction(1, 4)
    pairs = [((0, weak), (1, weak)), ((0, strong), (1, strong))]
    for claim in ((2, 0), (Fraction(1, 10), 0)):
        assert audit(response, pairs, claim).at_measured().pair == pairs[1]


def test_findings_of_games_state_the_width_of_their_bounds() -> None:
    class Noisy:
        def start(self, coins):
            return 0

        def answer(self, state, item, coins):
            return state, item + coins.laplace(1)

    game = AdaptiveInputs(Noisy(), 1)
    found = audit_game(game, [Ask(0), Challenge(0, 1)], (1, 0), tail=Fraction(1, 2**20))
    [cut] = numbers(found.blind_spots.cut.split(",")[0])
    assert Fraction(float(2 * found.measured.rad())) <= cut < Fraction(1, 2**15)


# ---- samples


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("samples", [1000, 1001])
def test_no_sampled_loss_exceeds_the_stated_power(seed: int, samples: int) -> None:
    """Disjoint outputs have the largest loss that the samples can show."""
    found = program(
        lambda x, rng: x[0] + 0 * rng.normal(),
        [(0,), (1,)],
        source="numpy",
        samples=samples,
        seed=seed,
    )
    refuted = found.against((1, 0))
    largest, needed, half = (
        Fraction(re.search(pattern, refuted.power)[1])
        for pattern in (r"no epsilon above ([\d.]+)\.", r"at least (\d+) of", r"of the (\d+) draws")
    )
    assert refuted.verdict == Verdict.VIOLATED
    assert largest * Fraction(99, 100) < Fraction(found.epsilon().lower) <= largest
    assert (
        half == math.ceil(samples / 2) and f"{half} draws of each" in refuted.blind_spots.enumerated
    )
    assert found.blind_spots.lines()[0].startswith("sampled     ")
    assert 0 < needed < half
    assert "cannot refute this claim" in found.power((9, 0))


@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0), (1, 0), (0, "1/10"), (3, "1/100")])
def test_the_least_number_of_hits_refutes_a_claim(epsilon: int, delta: str | int) -> None:
    error, claim = Fraction(1, 10**6), (Fraction(epsilon), Fraction(delta))
    hits = least_hits(500, error, *claim)
    assert hits is not None
    for count, refutes in ((hits, True), (hits - 1, False)):
        event = CertifiedEvent(count, 500, 0, 500, error)
        assert (
            float(event.low) > math.exp(epsilon) * float(event.high) + float(claim[1])
        ) == refutes


def test_a_huge_claim_of_samples_is_consistent() -> None:
    found = audit_samples(lambda coins: 0, lambda coins: 1, (1000, 0), samples=100, rng=1)
    assert found.verdict == Verdict.CONSISTENT and found.bound <= 0


def test_bins_of_close_large_numbers_have_different_labels() -> None:
    draws = [20_000_000 + i / 1000 for i in range(1000)]
    bins = OutcomeBins.chosen(draws[::2], draws[1::2])
    assert len({bins.label(each) for each in draws}) == BINS
    found = program(
        lambda x, rng: 20_000_000 + x + rng.normal(0, 0.01),
        [0, 1],
        "all",
        source="numpy",
        samples=4000,
    )
    assert found.epsilon().lower > 3
