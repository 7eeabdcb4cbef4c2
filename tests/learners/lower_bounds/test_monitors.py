"""The optimal private monitor against its definition and a closed form."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from learners.balls import ball
from learners.lower_bounds.monitors import loss, monitor_value
from learners.lower_bounds.point_bounds import factor_above, halving_bound, window_bound
from lsclasses.errors import InvalidInput, TooLarge

HALF = Fraction(1, 2)


def laws(monitor, rounds):
    """The distribution of b_2, ..., b_T for each stream a_1, ..., a_(T-1), from the transcripts.

    A complete transcript is a_1, b_2, a_2, ..., b_T in mixed radix.
    """
    found = {}
    for number, weight in enumerate(monitor.published[-1].tolist()):
        digits = [number >> place & 1 for place in reversed(range(2 * rounds - 2))]
        stream, bits = tuple(digits[::2]), tuple(digits[1::2])
        found.setdefault(stream, {})[bits] = Fraction(weight, monitor.total)
    return found


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 50)])
def test_the_monitor_is_private_and_loses_as_stated(delta):
    """All neighbouring streams are compared, and the worst loss is computed by the definition."""
    rounds, epsilon = 3, Fraction(1)
    found = monitor_value(rounds, epsilon, delta)
    first = [Fraction(w, found.monitor.total) for w in found.monitor.published[1].tolist()]
    by_stream, r = laws(found.monitor, rounds), float(ball(epsilon).exp().upper())
    for one, other in product(by_stream, repeat=2):
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1:
            excess = sum(max(p - r * by_stream[other][b], 0) for b, p in by_stream[one].items())
            assert excess <= float(delta) + 1e-9
    worst = Fraction(0)
    for stream in product((0, 1), repeat=rounds):
        lost = Fraction(0)
        for b1 in (0, 1):
            for bits, p in by_stream[stream[:-1]].items():
                given = (b1, *bits)
                if any(stream):
                    count = sum(a == 1 and b == 0 for a, b in zip(stream, given, strict=True))
                else:
                    count = sum(given)
                lost += first[b1] * p * count
        assert loss(found.monitor, stream) == lost
        worst = max(worst, lost)
    assert worst == found.upper


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), HALF, Fraction(1)])
def test_few_rounds_in_closed_form(epsilon):
    """The values of one, two and three rounds are 1/2, 1/2 + a and 1/2 + 2a, a = 1/(1 + e^eps)."""
    a = 1 / (1 + ball(epsilon).exp())
    for rounds, value in ((1, arb(1) / 2), (2, arb(1) / 2 + a), (3, arb(1) / 2 + 2 * a)):
        found = monitor_value(rounds, epsilon)
        assert ball(found.lower) < value + 1e-7 and ball(found.upper) > value - 1e-7
        assert found.upper - found.lower < Fraction(1, 10**7)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 50)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), HALF, Fraction(1)])
def test_proved_bounds_are_below(epsilon, delta):
    """Windows and halving bound the loss of every private monitor."""
    for rounds in range(1, 5):
        found, ratio = monitor_value(rounds, epsilon, delta), factor_above(epsilon)
        assert window_bound(rounds, ratio, delta).value <= found.upper
        assert halving_bound(rounds, ratio, delta).value <= found.upper


def test_refusals():
    """Seven rounds and epsilon = 0 are refused."""
    with pytest.raises(TooLarge, match="at most 6 rounds"):
        monitor_value(7, 1)
    with pytest.raises(InvalidInput, match="Epsilon"):
        monitor_value(2, 0)
