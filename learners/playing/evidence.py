"""Audit instances of games, and claims about the SOA."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Annotated

import catalog
from catalog.atlas import classes
from learners.accounting import ApproximateDP, AtOnce, Event, Scope
from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    GameInstance,
    Pairs,
    neighbouring_streams,
)
from learners.balls import ball, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import Stepwise
from learners.games import AdaptiveStream, Ask, Challenge
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.playing.doubling import Doubling
from learners.playing.learner import PublishedState, PublishingLearner
from learners.playing.loss_learner import LossLearner
from lsclasses.options import Option
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

# ---- loss


Stream = tuple[tuple[int, ...], ...]
"""The vectors of the losses of all experts, one for each round."""


@dataclass(frozen=True)
class _Published:
    """The published expert of each round and the number of draws so far, for audits.

    Drawing an expert again is more than the learner publishes, because the new expert may equal
    the old one. The proofs of privacy cover the draws, and audits detect more with them.
    """

    learner: LossLearner

    def start(self, coins: Coins) -> PublishedState | None:
        return self.learner.start(coins)

    def answer(
        self, state: PublishedState, item: object, coins: Coins
    ) -> tuple[PublishedState | None, Hashable]:
        return self.learner.receive(state, item, coins), (state.inner.drawn, state.hypothesis)


def published(learner: LossLearner) -> Stepwise:
    """Return the published experts of a learner, for an audit."""
    return Stepwise(_Published(learner))


def loss_streams(experts: int, rounds: int) -> Pairs:
    """Return all neighbouring streams of losses in {0, 1}, up to the names of the experts.

    No learner reads the last round, so it is the same in all streams. Streams that differ only by
    the names of the experts are represented by one pair: the pair with the least vector, first in
    the round that differs. (A learner that treats experts differently needs all pairs.)

    Examples
    --------
    >>> loss_streams(2, 2)[:2]
    ((((0, 0), (0, 0)), ((0, 1), (0, 0))), (((0, 0), (0, 0)), ((1, 1), (0, 0))))
    """
    vectors = list(product((0, 1), repeat=experts))
    found: dict[Hashable, tuple[Stream, Stream]] = {}
    for zero, one in neighbouring_streams(vectors, rounds - 1):
        # An expert is the column of its losses in both streams. The columns are sorted by name.
        key = tuple(sorted(zip(*zero, *one, strict=True)))
        found.setdefault(key, (zero, one))
    rest = ((0,) * experts,)
    return tuple((zero + rest, one + rest) for zero, one in found.values())


# ---- playing


@dataclass(frozen=True)
class Hint:
    """A constant hypothesis, and whether its label surely is the label of the last example."""

    label: Label
    sure: bool = False

    def __call__(self, point: Point) -> Label:
        """Return the label."""
        return self.label

    def __repr__(self) -> str:
        return f"surely {self.label}" if self.sure else str(self.label)


@dataclass(frozen=True)
class Hinting(PublishingLearner):
    """A learner with a tight budget, which reveals an example with probability delta.

    After an example its label is published, surely with probability delta, otherwise by randomized
    response. So the learner is exactly (epsilon, delta)-DP. The guarantee holds on every history,
    because the coins of a round are drawn after its example.
    """

    response: RandomizedResponse
    revealed: Fraction

    @property
    def privacy(self) -> Event:
        """The privacy cost of a game. Each example gets one hint, immediately after it."""
        return AtOnce(
            ApproximateDP(
                self.response.epsilon,
                self.revealed,
                name="hint",
                scope=Scope.adaptive("replace_one"),
            )
        )

    def _begin(self, coins: Coins) -> Hint:
        return Hint(0)

    def _publish(self, hint: Hint, coins: Coins) -> tuple[Hint, Hint]:
        return hint, hint

    def _receive(self, hint: Hint, point: Point, label: Label, coins: Coins) -> Hint:
        if coins.flip(self.revealed):
            return Hint(label, sure=True)
        return Hint(self.response.release(label, coins))


@dataclass(frozen=True)
class Always:
    """A factory that makes the same learner for every number of rounds."""

    learner: Hinting

    def __call__(self, rounds: int) -> Hinting:
        """Return the learner."""
        return self.learner


def _doubling(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    delta: ClaimedDelta = Fraction(1, 10),
    rounds: Annotated[int, Option("number of examples", minimum=2, maximum=8)] = 4,
) -> GameInstance:
    """Return a game with examples at one point, whose adversary chooses the round to challenge.

    No learner reads a bucket's last example, because a fresh learner publishes the next hypothesis.
    So four rounds have two buckets in which an example is revealed.
    """
    learner = Doubling(Always(Hinting(RandomizedResponse(epsilon), delta)), rounds.bit_length())
    moves = (Ask((0, 0)), Challenge((0, 0), (0, 1)))
    privacy = learner.privacy
    assert privacy is not None
    # No learner reads the example that follows the last hypothesis.
    return GameInstance(learner, lambda each: AdaptiveStream(each, rounds + 1), moves, privacy)


AUDITS = (
    AuditEntry(
        "doubling",
        "fresh learners that use up their budget, for 1, 2, 4, ... rounds",
        _doubling,
    ),
)


# ---- playing


TOPIC = "soa"

Rows = frozenset[tuple[int, ...]]

REALIZABLE_STREAMS = "every stream is realizable by the class"
"""The hypothesis of a statement of [BLM20] about streams, in words."""

OPTIMAL = Claim(
    "classes whose best deterministic mistake bound is not the Littlestone dimension",
    "0",
    "==",
    source="Littlestone 1988",
    statements=("BLM20 Sec 1, mistakes", "LWY25 Def 2.2"),
    falsified="not the VC dimension",
    incorrect_object=True,
)
WORST = Claim(
    "most mistakes of the SOA over T rounds, all adversaries",
    "min(T, Ldim)",
    "==",
    source="[BLM20, section 3.2]",
    statements=("BLM20 Alg SOA", "KMMNS23 Def 1.1", "KMMNS23 Sec 1.1, dichotomy"),
    falsified="T",
)
FAIR = Claim(
    "least expected mistakes of all learners over T rounds, on a class that shatters a tree of "
    "depth T",
    "T/2",
    ">=",
    source="[KMMNS23, section 1.1]: a uniform branch of the tree",
    statements=("KMMNS23 Sec 1.1, dichotomy",),
    falsified="T, as for deterministic learners",
)
EXTENDED = Claim(
    "sequences after which the SOA differs from [BLM20, Def 8]",
    "0",
    "==",
    source="[BLM20, Def 8]",
    statements=("BLM20 Def 8", "BLM20 Alg SOA"),
    falsified="with updates on mistakes only",
    incorrect_object=True,
)
RANDOMIZED = Claim(
    "classes whose best expected number of mistakes is not in [d/2, d], or not the one found",
    "0",
    "==",
    source="Filmus, Hanneke, Mehalel and Moran 2023",
    statements=("LWY25 Sec 2.1, footnote 1",),
    falsified="not in [d/2, 3d/4]",
)
REGRET = "minimax expected regret over T rounds"
NOT_LESS = Claim(
    REGRET,
    "sqrt(d T/8), if d divides T",
    ">=",
    source="[BPS09]: random labels, T/d rounds at each point of a path in a shattered tree",
    statements=("BLM20 Sec 1, regret",),
    falsified="twice that",
)
NOT_MORE = Claim(
    REGRET,
    "sqrt(T ln(N)/2), N = C(T, 0) + ... + C(T, d)",
    source="[BPS09]: exponential weights over N experts, who run the SOA",
    statements=("BLM20 Sec 1, regret",),
    falsified="half of that",
)


def rows_of(table: Table) -> Rows:
    """Return the concepts as rows of labels."""
    return frozenset(map(tuple, table.labels.tolist()))


def _split(rows: Rows, x: int) -> tuple[Rows, Rows]:
    """Return the concepts with label 0 and the concepts with label 1 at point number x."""
    return tuple(frozenset(row for row in rows if row[x] == y) for y in (0, 1))  # type: ignore[return-value]


@cache
def best(rows: Rows) -> int:
    """Return the optimal number of mistakes of a deterministic learner.

    The adversary chooses a point. Then the learner chooses a label, and the adversary reveals the
    true label.
    """
    found = 0
    for x in range(len(next(iter(rows)))):
        sides = _split(rows, x)
        if all(sides):
            later = [best(side) for side in sides]
            guesses = (max(later[y] + (y != guess) for y in (0, 1)) for guess in (0, 1))
            found = max(found, min(guesses))
    return found


@cache
def best_expected(rows: Rows) -> Fraction:
    """Return the optimal expected number of mistakes of a randomized learner."""
    found = Fraction(0)
    for x in range(len(next(iter(rows)))):
        zero, one = _split(rows, x)
        if zero and one:
            low, high = best_expected(zero), best_expected(one)
            # Predicting 1 with probability p costs p + low if the label is 0, else 1 - p + high.
            p = min(Fraction(1), max(Fraction(0), (1 + high - low) / 2))
            found = max(found, p + low, 1 - p + high)
    return found


def least_mistakes(rows: Rows, rounds: int) -> Fraction:
    """Return the value of the game of T rounds whose labels are consistent with some concept.

    The adversary chooses each point and label by the learner's probabilities, which are functions
    of the earlier rounds. So a stream that is fixed in advance attains the value.
    """

    @cache
    def value(left: Rows, turns: int) -> Fraction:
        if not turns:
            return Fraction(0)
        # At a point on which the concepts agree, the learner is right.
        found = value(left, turns - 1)
        for x in range(len(next(iter(left)))):
            zero, one = _split(left, x)
            if zero and one:
                low, high = value(zero, turns - 1), value(one, turns - 1)
                p = min(Fraction(1), max(Fraction(0), (1 + high - low) / 2))
                found = max(found, p + low, 1 - p + high)
        return found

    return value(rows, rounds)


def least_regret(C: Table, rounds: int) -> Fraction:
    """Return the value of the game in which any point and label may follow.

    The learner chooses the probability of predicting 1 that makes both labels equally costly, as
    far as possible. At the end, the learner's loss is reduced by the mistakes of the best concept.
    """
    wrong = {
        (x, y): tuple(int(row[x] != y) for row in C.labels.tolist())
        for x in range(len(C.points))
        for y in (0, 1)
    }

    @cache
    def value(errors: tuple[int, ...], left: int) -> Fraction:
        least = min(errors)
        if least or not left:
            return Fraction(-least) + (value(tuple(e - least for e in errors), left) if left else 0)
        return max(after(x, errors, left) for x in range(len(C.points)))

    def after(x: int, errors: tuple[int, ...], left: int) -> Fraction:
        zero, one = (
            value(tuple(map(sum, zip(errors, wrong[x, y], strict=True))), left - 1) for y in (0, 1)
        )
        p = min(Fraction(1), max(Fraction(0), (1 + one - zero) / 2))
        return max(p + zero, 1 - p + one)

    return value((0,) * len(C), rounds)


def tables(points: int) -> list[Table]:
    """Return all classes on `points` points, up to symmetry."""
    return [C.table for C in classes(points)]


@recomputes(OPTIMAL)
def optimal(points: int) -> Iterator[Outcome]:
    """Check that the best deterministic mistake bound is the Littlestone dimension."""
    wrong = twin = 0
    met = {REALIZABLE_STREAMS: True}
    for C in tables(points):
        found = best(rows_of(C))
        wrong += found != C.ldim()
        twin += found != C.vcdim()
        # The game never empties a version space.
        met[REALIZABLE_STREAMS] &= len(C) > 0
    yield compare(
        OPTIMAL,
        f"all classes on {points} points",
        computed=wrong,
        stated=0,
        twin=twin,
        hypotheses=met,
    )


@recomputes(WORST)
def worst(spec: str, rounds: int) -> Iterator[Outcome]:
    """Check that the SOA makes at most min(T, Ldim) mistakes, against all adversaries."""
    C = catalog.build(spec).to_table()
    realizable = True

    @cache
    def most(state: SOA, left: int) -> int:
        nonlocal realizable
        realizable &= state.realizable
        if not left:
            return 0
        found = 0
        for x, y in product(C.points, (0, 1)):
            if not state.version_space.restrict(x, y).is_empty:
                erred = state.predict(x) != y
                found = max(found, erred + most(state.observe(x, y), left - 1))
        return found

    d, found = C.ldim(), most(SOA(C), rounds)
    yield compare(
        WORST,
        f"{spec}, T={rounds}",
        computed=found,
        stated=min(rounds, d),
        false=rounds,
        hypotheses={REALIZABLE_STREAMS: realizable, "realizable": realizable},
    )


@recomputes(FAIR)
def fair(rounds: int) -> Iterator[Outcome]:
    """Check that randomized learners make T/2 expected mistakes, on 2^T - 1 thresholds."""
    table = catalog.build(f"thresholds:n={2**rounds - 1}").to_table()
    yield compare(
        FAIR,
        f"thresholds on {2**rounds - 1} points, T={rounds}",
        computed=least_mistakes(rows_of(table), rounds),
        stated=Fraction(rounds, 2),
        false=rounds,
        hypotheses={"the class shatters a tree of depth T": best(rows_of(table)) == rounds},
    )


@recomputes(EXTENDED)
def extended(labels: tuple[str, ...], length: int) -> Iterator[Outcome]:
    """Check that the SOA equals [BLM20, Def 8] on all sequences of examples."""
    C = Table([list(map(int, row)) for row in labels])
    points = range(len(labels[0]))

    def rule(rows: Rows) -> tuple[int, ...]:
        """Return the SOA's predictions: the label of the larger Ldim, 0 in a tie."""
        value = [[best(side) if side else -1 for side in _split(rows, x)] for x in points]
        return tuple(int(zero < one) for zero, one in value)

    wrong = twin = 0
    for sequence in product(product(points, (0, 1)), repeat=length):
        predicts = rule(rows_of(C))
        state, lazy = SOA(C), ConservativeSOA(C)
        for number, (x, y) in enumerate(sequence, 1):
            fits = frozenset(
                row for row in rows_of(C) if all(row[a] == b for a, b in sequence[:number])
            )
            predicts = rule(fits) if fits else (*predicts[:x], y, *predicts[x + 1 :])
            state, lazy = state.observe(x, y), lazy.observe(x, y)
        wrong += tuple(map(state.predict, points)) != predicts
        twin += tuple(map(lazy.predict, points)) != predicts
    yield compare(
        EXTENDED,
        f"rows {', '.join(labels)}, {length} examples",
        computed=wrong,
        stated=0,
        twin=twin,
    )


@recomputes(RANDOMIZED)
def randomized(points: int) -> Iterator[Outcome]:
    """Check that the best expected number of mistakes is between d/2 and d."""
    wrong, twin, depths = 0, 0, True
    for C in tables(points):
        found, d = best_expected(rows_of(C)), C.ldim()
        depths &= C.shattered_tree().depth == d
        wrong += not Fraction(d, 2) <= found <= d or found != C.randomized_ldim()
        twin += not Fraction(d, 2) <= found <= Fraction(3 * d, 4)
    yield compare(
        RANDOMIZED,
        f"all classes on {points} points",
        computed=wrong,
        stated=0,
        twin=twin,
        changed=(1, Fraction(3, 4)),
        hypotheses={"ldim": depths},
    )


@recomputes(NOT_LESS, NOT_MORE)
def regret(spec: str, d: int, most: int) -> Iterator[Outcome]:
    """Check the bounds on the least regret, by exact regrets for 1 to `most` rounds."""
    C = catalog.build(spec).to_table()
    met = {"ldim": C.ldim() == d}
    for rounds in range(1, most + 1):
        found, where = least_regret(C, rounds), f"{spec}, d={d}, T={rounds}"
        if rounds % d == 0:
            low = (ball(Fraction(d * rounds, 8))).sqrt()
            yield compare(
                NOT_LESS, where, computed=found, stated=low, false=2 * low, hypotheses=met
            )
        experts = sum(comb(rounds, mistakes) for mistakes in range(d + 1))
        high = (rounds * log(experts) / 2).sqrt()
        yield compare(NOT_MORE, where, computed=found, stated=high, false=high / 2, hypotheses=met)


def checks() -> list[ClaimCheck]:
    """Return the checks: classes on up to four points."""
    return [
        *(ClaimCheck(TOPIC, optimal, (points,)) for points in (3, 1, 2, 4)),
        *(
            ClaimCheck(TOPIC, worst, (spec, rounds))
            for spec in ("thresholds:n=3", "points:n=4", "cube:n=2", "affine:q=2,n=2,k=1")
            for rounds in (3, 1, 2, 4)
        ),
        *(ClaimCheck(TOPIC, fair, (rounds,)) for rounds in (4, 1, 2, 3)),
        ClaimCheck(TOPIC, fair, (5,), slow=True),
        ClaimCheck(TOPIC, extended, (("100", "010", "110", "101"), 3)),
        ClaimCheck(TOPIC, extended, (("00", "01", "10"), 5)),
        *(
            ClaimCheck(TOPIC, extended, (("000", "001", "011", "111"), rounds), slow=True)
            for rounds in (4, 5)
        ),
        *(ClaimCheck(TOPIC, randomized, (points,)) for points in (3, 2, 4)),
        *(
            ClaimCheck(TOPIC, regret, (spec, d, 8))
            for spec, d in (
                ("points:n=2", 1),
                ("thresholds:n=3", 2),
                ("cube:n=2", 2),
                ("cube:n=3", 3),
            )
        ),
        ClaimCheck(TOPIC, regret, ("thresholds:n=7", 3, 8), slow=True),
    ]
