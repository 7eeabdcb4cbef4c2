"""Discriminators against transcriptions of Lemmas D.7 and E.2 in floating point."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, exp, log
from typing import Any, ClassVar

import pytest

import catalog
from learners.accounting import ApproximateDP, PureDP, Scope, basic, zcdp
from learners.coins import SeededCoins
from learners.mechanisms.noise import tail
from learners.pac import AgnosticEmpirical, EmpiricalRiskMinimizer, GenericLearner
from learners.sanitizers.discriminators import (
    AgnosticParts,
    ExponentialParts,
    FoolingDiscriminator,
    MarkedPoints,
    PartLearners,
    RealizableDiscriminator,
)
from learners.sanitizers.evidence.fooling import answers, wrong
from learners.sanitizers.point_samples import PointSample
from lsclasses import Constant, InvalidInput, Table

QUARTER = Fraction(1, 4)
CLASSES = (
    [(0, 0, 1), (0, 1, 1), (1, 1, 1)],
    [(0, 0, 0), (1, 0, 1)],
    [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)],
)


def passes(scale, least):
    return float(tail(Fraction(scale), least))


def drawn(weights):
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def transcribed_fooling(H, S, P, alpha, epsilon):
    """[LWY25, proof of Lemma D.7], with the corrected noise; empty parts are skipped."""
    n, k, law = len(S), ceil(10 / alpha), {}
    queries = list(dict.fromkeys([*H, *(tuple(1 - y for y in h) for h in H)]))

    def on_data(h):
        return sum(h[x] for x in S) / n

    def proposed(h):
        return sum(p * y for p, y in zip(P, h, strict=True)) / sum(P)

    parts = {}
    for i in range(1, k + 1):
        for h in queries:
            share = Fraction(sum(p * y for p, y in zip(P, h, strict=True)), sum(P))
            if Fraction(i - 1, k) < share <= Fraction(i, k) or (i == 1 and share == 0):
                parts.setdefault(i, []).append(h)
    q = {i: -(max(map(on_data, F)) - i / k) for i, F in parts.items()}
    for j, chance in drawn({i: exp(-epsilon / 3 * q[i] * n / 2) for i in q}).items():
        learned = drawn({h: exp(-epsilon / 3 * n * (1 - on_data(h)) / 2) for h in parts[j]})
        for h, likely in learned.items():
            least = ceil(n * (Fraction(j, k) + alpha * 3 / 5)) - round(n * on_data(h))
            told = passes(3 / Fraction(epsilon), least)
            law[h] = law.get(h, 0) + chance * likely * told
            law[None] = law.get(None, 0) + chance * likely * (1 - told)
    return law


def transcribed_realizable(H, S, Q, alpha, epsilon):
    """[LWY25, proof of Lemma E.2]."""
    n, law, left = len(S), {}, 1.0
    scale = 4 / Fraction(epsilon)

    def on_data(h):
        return sum(h[x] for x in S)

    zero = [h for h, label in zip(H, Q, strict=True) if label == 0]
    one = [h for h, label in zip(H, Q, strict=True) if label == 1]
    stay = 0.0 if zero else 1.0
    for h, likely in drawn({h: exp(epsilon / 4 * on_data(h) / 2) for h in zero}).items():
        told = passes(scale, ceil(2 * alpha * n / 3) - on_data(h))
        law[h, 1] = likely * told
        stay += likely * (1 - told)
    left *= stay
    stay = 0.0 if one else 1.0
    for h, likely in drawn({h: exp(-epsilon / 4 * on_data(h) / 2) for h in one}).items():
        # N + X <= alpha n/3, for the same law of -X
        told = passes(scale, on_data(h) - int(alpha * n / 3))
        law[h, 0] = left * likely * told
        stay += likely * (1 - told)
    law[None] = left * stay
    return law


def plain(answer):
    if isinstance(answer, tuple):
        return tuple(answer[0].labels), answer[1]
    return None if answer is None else tuple(answer.labels)


def assert_same(law, expected):
    for answer in law:
        assert float(law[answer]) == pytest.approx(expected[plain(answer)], rel=1e-9)
    assert sum(expected.values()) == pytest.approx(1)
    assert {plain(answer) for answer in law} == {key for key, p in expected.items() if p}


@pytest.mark.parametrize("H", CLASSES)
@pytest.mark.parametrize("S", [(0,), (2, 1, 2, 2, 0)])
@pytest.mark.parametrize(
    ("kind", "transcribed", "asked"),
    [
        (FoolingDiscriminator, transcribed_fooling, [(1, 1, 1), (0, 2, 1), (1, 0, 0), (3, 1, 6)]),
        (RealizableDiscriminator, transcribed_realizable, None),
    ],
    ids=["Lemma D.7", "Lemma E.2"],
)
def test_the_law_is_that_of_the_lemma(kind, transcribed, asked, H, S):
    C = Table(H)
    for alpha, epsilon in ((Fraction(1, 3), 2), (Fraction(9, 10), 1)):
        discriminator = kind(C, len(S), alpha, Fraction(epsilon))
        for P in asked or product((0, 1), repeat=len(C)):
            law = answers(discriminator, PointSample(C.domain, S), P)
            assert_same(law, transcribed(H, S, P, alpha, epsilon))


def test_prices_are_those_of_the_lemmas():
    C = catalog.build("thresholds:n=5").to_table()
    fooling = FoolingDiscriminator(C, 10, QUARTER, Fraction(3, 10))
    assert basic(fooling.privacy) == (Fraction(3, 10), 0)
    assert {basic(leaf)[0] for leaf in fooling.privacy.leaves()} == {Fraction(1, 10)}
    realizable = RealizableDiscriminator(C, 10, QUARTER, Fraction(4, 10))
    assert basic(realizable.privacy) == (Fraction(4, 10), 0)
    # Choices cost less than tests where they are composed: e^2/8 and e^2/2, e = epsilon/3.
    rho = Fraction(1, 100) * (Fraction(2, 8) + Fraction(1, 2))
    assert fooling.privacy.profile().concentrated == rho
    assert zcdp(fooling.privacy, Fraction(1, 10**6))[0] < Fraction(1, 2)


def test_rows_needed_are_the_least_that_are_proved():
    C, beta = catalog.build("thresholds:n=16").to_table(), Fraction(1, 20)
    for alpha, epsilon in ((Fraction(1, 10), Fraction(1)), (QUARTER, Fraction(1, 3))):
        e, a, k = float(epsilon), float(alpha), ceil(10 / alpha)
        fooling = FoolingDiscriminator(C, 1, alpha, epsilon, beta=beta)
        # 17 thresholds and their complements, of which two are each other's
        assert len(fooling.queries) == 32
        needed = max(60 * log(3 * k / beta), 60 * log(3 * 32 / beta), 30 * log(3 / beta)) / (e * a)
        assert fooling.rows_needed == pytest.approx(needed, abs=10 / a)
        assert fooling.rows_needed <= needed + 1
        realizable = RealizableDiscriminator(C, 1, alpha, epsilon, beta=beta)
        needed = max(72 * log(4 * 17 / beta), 36 * log(4 / beta)) / (e * a)
        assert realizable.rows_needed == pytest.approx(needed, abs=10 / a)
        for kind in (FoolingDiscriminator, RealizableDiscriminator):
            n = kind(C, 1, alpha, epsilon, beta=beta).rows_needed
            assert kind(C, n, alpha, epsilon, beta=beta).enough
            assert not kind(C, n - 1, alpha, epsilon, beta=beta).enough


@pytest.mark.parametrize("kind", [FoolingDiscriminator, RealizableDiscriminator])
@pytest.mark.parametrize(("parts", "runs"), [(ExponentialParts, 12), (AgnosticParts, 4)])
def test_answers_are_right_at_the_rows_that_are_proved(kind, parts, runs):
    """Each answer may be wrong with probability 10^-9."""
    C, beta = catalog.build("thresholds:n=6").to_table(), Fraction(1, 10**9)
    alpha, epsilon = (QUARTER, Fraction(2)) if runs > 10 else (Fraction(3, 4), Fraction(9))
    discriminator = kind(C, 1, alpha, epsilon, beta=beta, parts=parts)
    n = discriminator.rows_needed
    discriminator = kind(C, n, alpha, epsilon, beta=beta, parts=parts)
    assert discriminator.learners.error <= alpha / discriminator.margin
    answered = set()
    for seed in range(runs):
        coins = SeededCoins(seed)
        points = PointSample.at(C.domain, [coins.below(1 + coins.below(6)) for _ in range(60)])
        points = PointSample.at(C.domain, points.places.repeat(n // 60 + 1)[:n])
        if kind is FoolingDiscriminator:
            proposal = [coins.below(5) for _ in C.domain] if seed % 2 else points.counts.tolist()
        else:
            shares = points.frequencies(C)
            proposal = [
                int(share >= alpha / 2) ^ int(coins.below(9) < seed % 2) for share in shares
            ]
        answer = discriminator.answer(MarkedPoints(points), proposal, coins)
        assert not wrong(discriminator, points, proposal, answer)
        answered.add(answer is None)
    assert answered == {True, False}


def test_parts_have_one_price_and_one_promise():
    C = catalog.build("thresholds:n=9").to_table()
    parts = AgnosticParts(C, 30_000, Fraction(1, 2))
    whole = parts.learner(C)
    for part in (C.restrict(4, 1), C.restrict(4, 0).restrict(7, 1), C.restrict(0, 1)):
        learner = parts.learner(part)
        assert isinstance(learner, AgnosticEmpirical)
        assert basic(learner.privacy) == basic(whole.privacy)
        assert basic(learner.privacy)[0] <= basic(parts.cost)[0] == Fraction(1, 2)
        assert learner.bounds()[0].value <= parts.error
    few = FoolingDiscriminator(C, 20, QUARTER, Fraction(1), parts=AgnosticParts)
    assert not few.enough
    # Parts are mechanisms and have any epsilon; the caller with a budget was asked.
    assert AgnosticParts(C, 30_000, Fraction(25)).error < parts.error


@dataclass(frozen=True)
class Wrapped(PartLearners):
    """The learners of the exponential mechanism, but for one thing."""

    made: ClassVar[Any] = None

    @property
    def cost(self):
        return ExponentialParts(self.whole, self.size, self.epsilon).cost

    @property
    def error(self):
        return ExponentialParts(self.whole, self.size, self.epsilon).error

    def learner(self, part):
        return type(self).made(part, self.epsilon)


class Stated(GenericLearner):
    """Its epsilon is right, but it is not stated that losses have a bounded range."""

    @property
    def privacy(self):
        return PureDP(self.epsilon, scope=Scope.adaptive("replace_one"))


class Slack(GenericLearner):
    """Its epsilon is right, but it may fail."""

    @property
    def privacy(self):
        return ApproximateDP(self.epsilon, Fraction(1, 10**9), scope=Scope.adaptive("replace_one"))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda part, epsilon: GenericLearner(part, 2 * epsilon), "1/3, 0.* costs .2/3, 0"),
        (Slack, "1/3, 0.* costs .1/3, 1/1000000000"),
        (Stated, "1/72 of zCDP.* costs 1/18"),
        (lambda part, epsilon: EmpiricalRiskMinimizer(part), "must be private"),
        (lambda part, epsilon: GenericLearner([Constant(part.domain, 0)], epsilon), "proper"),
    ],
)
def test_learners_that_do_not_fit_are_refused(made, message):
    C = Table([[1, 0], [0, 1]])
    parts = type("Parts", (Wrapped,), {"made": staticmethod(made)})
    discriminator = FoolingDiscriminator(C, 2, QUARTER, Fraction(1), parts=parts)
    with pytest.raises(InvalidInput, match=message):
        discriminator.answer(MarkedPoints(PointSample(C.domain, [0, 1])), (1, 2), SeededCoins(1))
