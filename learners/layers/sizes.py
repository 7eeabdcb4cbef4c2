"""Sizes of layers: how many sequences and good pairs a promise asks for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from flint import arb, ctx

from learners import checked
from learners.balls import ball, ceiling, log
from learners.budget import Budget
from learners.layers.laws import kept_pairs
from learners.numbers import require_size
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import shown

MOST_SEQUENCES = 1 << 60
"""The most sequences that are asked for; a layer keeps those that examples touched only."""


@dataclass(frozen=True)
class _Asked:
    """A promise for which parameters are wanted."""

    depth: int
    rounds: int
    epsilon: Fraction
    delta: Fraction
    failure: Fraction
    concepts: int | None
    rule: str = "tight"


def _checked_sequences(given: object, depth: int) -> int:
    sequences = checked.positive(given, "number of sequences")
    if sequences > MOST_SEQUENCES:
        raise InvalidInput(f"There may be at most 2^60 sequences. Got {sequences}.")
    if depth > 58 or sequences % (2 << depth):
        raise InvalidInput(
            f"Layers are halved d = {depth} times and made of pairs, so the number of sequences "
            f"must be a multiple of 2^{depth + 1}. Got {sequences}."
        )
    return sequences


def _checked(
    mistake_bound: object,
    rounds: object,
    budget: object,
    failure: object,
    *,
    rule: str,
    concepts: int | None,
) -> _Asked:
    """A promise that parameters can be searched for."""
    epsilon, delta = Budget.checked(budget)
    failure = checked.failure(failure)
    if not delta:
        raise InvalidInput("The delta must be positive, as histograms need it. Got 0.")
    require_size(epsilon, delta, failure)
    depth = checked.nonnegative(mistake_bound, "mistake bound of the base learner")
    rounds = checked.positive(rounds, "number of rounds")
    return _Asked(depth, rounds, epsilon, delta, failure, concepts, rule)


def _require_few(sequences: int, depth: int, who: str) -> None:
    if sequences > MOST_SEQUENCES:
        raise TooLarge(
            f"{who} for about {shown(Fraction(sequences), 2)} sequences for d = {depth}; at most "
            "2^60 are kept.",
            estimate=sequences,
            limit=MOST_SEQUENCES,
        )


def _good_pairs(
    depth: int, sequences: int, waited: list[int], failure: Fraction, concepts: int | None
) -> list[int]:
    """M_0, ..., M_d: how many good pairs the layers have, with probability 1 - failure."""
    good = [sequences // 2]
    with ctx.workprec(64):
        for s, mistakes in enumerate(waited):
            size = sequences >> s
            # Sauer's lemma on the points of a layer, d >= 1.
            labellings = depth * log(
                Fraction(2718281829, 10**9) * (2 * depth + Fraction(1, 2)) * size / depth
            )
            if concepts is not None:
                labellings = labellings.min(log(concepts))
            deviation = labellings + log(8 * depth / failure)
            last = s == depth - 1
            good.append(kept_pairs(good[-1], size, mistakes, deviation, last=last))
    return good


def _waited(depth: int, sequences: int, coverage: Fraction) -> list[int]:
    """For how many mistakes the layers but the last wait, which hit a pair so often on average."""
    return [int(coverage * (sequences >> (layer + 1))) for layer in range(depth)]


def _good_among(asked: _Asked, sequences: int, coverage: Fraction) -> list[int]:
    """M_1, ..., M_d, with half of the failure probability."""
    waited = _waited(asked.depth, sequences, coverage)
    return _good_pairs(asked.depth, sequences, waited, asked.failure / 2, asked.concepts)[1:]


def least_sequences(asked: _Asked, coverage: Fraction, pairs: int) -> int:
    """About how many sequences are needed for so many good pairs in each layer but the first."""
    unit = 2 << asked.depth

    def suffices(units: int) -> bool:
        return min(_good_among(asked, units * unit, coverage)) >= pairs

    high = 1
    while not suffices(high):
        high *= 2
        if high * unit > 1 << 400:
            break
    low = high // 2
    while high - low > 1 + high // 64:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high * unit


def _paper_sequences(asked: _Asked, *, printed: bool) -> int:
    """The least N_0 that satisfies the conditions in the proof of [LWY25, Lemma B.3]."""
    d, half, beta = asked.depth, asked.epsilon / 2, asked.failure
    top = 1 << d

    def noise() -> arb:
        """8 d ln(8d/delta)/epsilon_0 <= M_d/4, without the factors that M_d has."""
        return d * log(8 * d / asked.delta) / ball(half)

    if printed:
        power, last = 1 << (24 * top + d), 1 << (6 * top + d)

        def all_printed() -> arb:
            spread = 4 * power * d * log(power * 2 * d) + 2 * power * (d * log(7) + log(6 / beta))
            coupons = last * 4 * log(3 * asked.rounds / beta) / 128
            return (last * noise()).max(coupons).max(arb(last)).max(spread)

        return _multiple(ceiling(all_printed), d)

    def conditions(sequences: int) -> arb:
        labellings = d * log(7 * sequences)
        spread = (1 << (16 * top + d - 1)) * (labellings + log(6 * d / beta)) / 202
        # M_s for s < d, where coupons are collected, and r_1 = M/4 <= M/2 - 6.
        coupons = (4 * (log(3 * asked.rounds / beta) + labellings)).max(arb(48))
        return (
            ((1 << (8 * top + d - 2)) * noise()).max(spread).max((1 << (4 * top + d - 8)) * coupons)
        )

    least = 2 << d
    while (needed := _multiple(ceiling(partial(conditions, least)), d)) > least:
        least = needed
    return least


def _multiple(sequences: int, depth: int) -> int:
    """Rounded up to what can be halved so often."""
    unit = 2 << depth
    return -(-sequences // unit) * unit
