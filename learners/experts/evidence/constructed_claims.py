"""Constructed experts [LWY25, App. E]: distance from concepts, number of experts, privacy cost"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

from flint import arb

from learners.audit import audit
from learners.audit.instances import neighbouring_streams
from learners.claim_checks import Claim, ClaimCheck, Outcome, audit_outcome, compare, recomputes
from learners.coins import Coins, SeededCoins
from learners.exact import exact_distribution
from learners.experts.constructed import (
    ConstructedExpert,
    ConstructedExperts,
    SanitizedExample,
    TruePoints,
    number_of_experts,
)
from learners.experts.evidence import agnostic_claims
from learners.experts.evidence.instances import (
    AllowedReplacer,
    FailingReplacer,
    HidingReplacer,
    RevealingReplacer,
)
from learners.majorities.algorithm import sparse_majority
from learners.mechanisms.counter import DyadicIntervals
from learners.playing.base.proper_soa import proper_soa
from learners.sanitizers.evidence.instances import RandomizedPoints, released
from learners.sanitizers.interval_sanitizer import IntervalPoints, IntervalSanitizer, KeptPoints
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Point
from lsclasses.soa import ConservativeSOA
from lsclasses.table import Table

__all__ = ["checks", "enumerated", "indices"]

TOPIC = "constructed-experts"

Between = Callable[[int, int], Sequence[Point | None]]
"""The synthetic points of the rounds from one to another."""
Indices = tuple[tuple[int, int], ...]
"""The pairs (j_k, i_k) that determine a constructed expert."""

NUMBER = Claim(
    "chains j_1 <= i_1 < j_2 <= ... <= i_k of at most M pairs in T rounds",
    "sum of C(T + k, 2k) over k <= M",
    "==",
    source="learners.experts.constructed, for [LWY25, Alg 7]",
    falsified="sum of C(T, 2k) over k <= M",
)
CHAINS = Claim(
    "chains j_1 <= i_1 < j_2 <= ... <= i_M of exactly M pairs in T rounds, divided by T^M",
    "C(T + M, 2M)/T^M",
    "==",
    source="add k - 1 to j_k and k to i_k: all sets of 2M of T + M numbers",
    statements=("LWY25 Alg 7", "LWY25 Thm E.10"),
    printed="O(1), as it is at T/2",
    printed_in="[LWY25, proof of Theorem E.10]",
)
GROUPS = Claim(
    "experts that are not in the group of their rule and loss, all streams",
    "0",
    "==",
    source="learners.experts.constructed, for [LWY25, Algs 6 and 7]",
    statements=("LWY25 Alg 6", "LWY25 Alg 7"),
    falsified="when the last switch is forgotten",
    incorrect_object=True,
)
TRACKED = Claim(
    "points on which a concept's best expert differs from it, all streams and concepts",
    "M K",
    "<=",
    source="[LWY25, Thm E.10]",
    statements=("LWY25 Thm E.10", "LWY25 Alg 6", "LWY25 Alg 7"),
    falsified="M K - 1",
)
SEEN = Claim(
    "largest number of ones of a function in an interval, none of whose parts shows it",
    "K - 1",
    "<=",
    source="learners.sanitizers.interval_sanitizer, for [LWY25, Lemma E.8]",
    statements=("LWY25 Lemma E.8", "LWY25 Alg 5"),
    falsified="K - 2",
)
JOINED = Claim(
    "largest number of ones of an undetected function in an interval, with exact parts",
    "0",
    "==",
    source="[LWY25, Alg 5], with all pieces",
    statements=("LWY25 Alg 5", "LWY25 Lemma E.8"),
    falsified="when the last of several parts is omitted",
    incorrect_object=True,
)
PRINTED = Claim(
    "intervals whose synthetic points differ from Algorithm 5, step by step, after all rounds",
    "0",
    "==",
    source="[LWY25, Alg 5], with all pieces",
    statements=("LWY25 Alg 5",),
    falsified="line 9 as printed, without the last piece",
    incorrect_object=True,
)
FAILED = Claim(
    "lengths 2 and 4 replaced, T = 4: worst P[a function with K ones in an interval is 0 on its "
    "synthetic points]",
    "beta times the number of replaced intervals",
    source="[LWY25, Lemma E.8], with the number of dyadic intervals for C T",
    statements=("LWY25 Lemma E.8", "LWY25 Alg 5"),
    falsified="half of it",
)
LENGTHS = Claim(
    "privacy of synthetic points for all intervals, all neighbouring streams",
    "(epsilon times the number of lengths, 0)",
    source="learners.sanitizers.interval_sanitizer, for [LWY25, Lemma E.8]",
    statements=("LWY25 Lemma E.8", "LWY25 Alg 5"),
    falsified="with a length too few",
)
REVEALED = Claim(
    "delta of synthetic points for all intervals, if each release reveals its points with "
    "probability delta",
    "delta times the number of lengths",
    source=LENGTHS.source,
    statements=("LWY25 Lemma E.8",),
    falsified="half of it",
)
EXPONENT = Claim(
    "power of d in M Delta, with M = d and Delta = max n alpha(n), alpha(n) = (d^6/n)^(2/3)",
    "5",
    "==",
    source="[LWY25, proof of Thm E.10, and Cor. E.13]",
    statements=("LWY25 Thm E.10",),
    falsified="4",
)


# ---- experts one by one


def indices(rounds: int, switches: int) -> Iterator[Indices]:
    """Return all index chains of at most `switches` switches [LWY25, Alg 7 line 1]."""

    def chains(after: int, left: int) -> Iterator[Indices]:
        yield ()
        for i in range(after + 1, rounds + 1) if left else ():
            for j in range(after + 1, i + 1):
                for rest in chains(i, left - 1):
                    yield ((j, i), *rest)

    return chains(0, switches)


def enumerated(
    base: MistakeBounded, chosen: Indices, rounds: int, between: Between
) -> list[Hypothesis]:
    """Return the rules of one expert [LWY25, Alg 6], which ignores inconsistent examples."""
    state, last, rules = base, 0, []
    switches = {i: j for j, i in chosen}
    for t in range(1, rounds + 1):
        rules.append(state.hypothesis)  # [LWY25, Alg 6 line 3]
        if t in switches:  # line 4
            received = between(last + 1, t)
            x = received[switches[t] - last - 1]
            if x is not None:
                later = state.observe(x, 1 - state.predict(x))
                state = state if later.mistake_bound is None else later
            last = t
    return rules


class _Forgetful(ConstructedExperts):
    """An incorrect variant that merges experts with their last switches in different rounds."""

    def _key(
        self, state: MistakeBounded, switches: int, time: int
    ) -> tuple[ConstructedExpert, int]:
        key, ways = super()._key(state, switches, time)
        return key._replace(last=0), ways


def _misplaced(
    kind: type[ConstructedExperts], base: MistakeBounded, rounds: int, switches: int
) -> int:
    """Return the number of experts in a wrong group, over all streams, with kept points."""
    wrong = 0
    chains = list(indices(rounds, switches))
    for xs in product(base.domain, repeat=rounds):
        shown = TruePoints(xs)
        runs = [enumerated(base, chosen, rounds + 1, shown.between) for chosen in chains]
        for ys in product((0, 1), repeat=rounds):
            tally = kind(base, rounds, switches).begin()
            for t, (x, y) in enumerate(zip(xs, ys, strict=True), start=1):
                tally = tally.after(SanitizedExample(x, y, TruePoints(xs[:t])))
            found: Counter[tuple[Hypothesis, int]] = Counter()
            for (key, lost), number in tally.groups.items():
                found[key.hypothesis, lost] += number
            found.subtract(
                (rules[rounds], sum(h(x) != y for h, x, y in zip(rules, xs, ys, strict=False)))
                for rules in runs
            )
            wrong += sum(abs(number) for number in found.values())
    return wrong


@recomputes(GROUPS)
def groups(name: str, rounds: int, switches: int) -> Iterator[Outcome]:
    """Check the groups of experts against the rule and the loss of every single expert."""
    C = CLASSES[name]
    base = ConservativeSOA(C) if name != MAJORITIES else sparse_majority(C)
    yield compare(
        GROUPS,
        f"{name}, T={rounds}, M={switches}",
        computed=_misplaced(ConstructedExperts, base, rounds, switches),
        stated=0,
        twin=_misplaced(_Forgetful, base, rounds, switches) if switches > 1 else None,
    )


@recomputes(NUMBER)
def number(rounds: int, switches: int) -> Iterator[Outcome]:
    """Compare the number of experts with the number of listed chains."""
    listed = sum(1 for _ in indices(rounds, switches))
    yield compare(
        NUMBER,
        f"T={rounds}, M={switches}",
        computed=listed,
        stated=number_of_experts(rounds, switches),
        false=sum(comb(rounds, 2 * k) for k in range(switches + 1)),
    )


@recomputes(CHAINS)
def chains(rounds: int, switches: int) -> Iterator[Outcome]:
    """Count the index chains of exactly M pairs, whose number divided by T^M is unbounded."""

    def share(T: int) -> Fraction:
        return Fraction(sum(len(chain) == switches for chain in indices(T, switches)), T**switches)

    yield compare(
        CHAINS,
        f"T={rounds}, M={switches}",
        computed=share(rounds),
        stated=Fraction(comb(rounds + switches, 2 * switches), rounds**switches),
        printed=share(rounds // 2),
    )


# ---- some expert follows each concept


def _sanitizer(C: Table, rounds: int, level: int, free: str) -> IntervalSanitizer:
    """Return the worst allowed sanitizer, for the functions [g(x) != h(x)] of two concepts."""
    depth = DyadicIntervals(rounds).depth
    if free == "kept":
        return IntervalSanitizer(rounds, (KeptPoints(),) * depth)
    return IntervalSanitizer(rounds, (AllowedReplacer(C ^ C, level, free),) * depth)


def _distance(
    C: Table, experts: ConstructedExperts, xs: Sequence[Point], shown: Sequence[IntervalPoints]
) -> int:
    """Return the largest distance of a concept from the expert nearest to it."""
    worst = 0
    for h in C:
        tally = experts.begin()
        for x, synthetic in zip(xs, shown, strict=True):
            tally = tally.after(SanitizedExample(x, h(x), synthetic))
        worst = max(worst, tally.least)
    return worst


def _released(
    sanitizer: IntervalSanitizer, xs: Sequence[Point], coins: Coins
) -> list[IntervalPoints]:
    run, shown = sanitizer.start(coins), []
    for x in xs:
        _, run = run.ask(x, coins)
        shown.append(run.synthetic)
    return shown


@recomputes(TRACKED)
def tracked(name: str, rounds: int, level: int, free: str) -> Iterator[Outcome]:
    """Check that some expert follows each concept, with the worst allowed sanitizers."""
    C, coins = CLASSES[name], SeededCoins(1)
    sanitizer = _sanitizer(C, rounds, level, free)
    experts = ConstructedExperts(proper_soa(C), rounds)
    streams: Iterator[Sequence[Point]] = product(C.domain, repeat=rounds)
    if free == "random":
        points = list(C.domain)
        streams = ([points[coins.below(len(points))] for _ in range(rounds)] for _ in range(RANDOM))
    worst = max(_distance(C, experts, xs, _released(sanitizer, xs, coins)) for xs in streams)
    bound = experts.switches * sanitizer.seen
    yield compare(
        TRACKED,
        f"{name}, T={rounds}, M={experts.switches}, K={sanitizer.seen}, {MODES[free]}",
        computed=worst,
        stated=bound,
        false=bound - 1,
    )


# ---- intervals


def _unseen(sanitizer: IntervalSanitizer, *, all_but_last: bool = False) -> int:
    """Return the most points b of an interval that leave b unseen in it.

    Each dyadic part of the interval holds b as often as possible without being shown. If the last
    of several parts is ignored, it may hold b everywhere.
    """
    coins, worst = SeededCoins(1), 0
    intervals, T = sanitizer.intervals, sanitizer.horizon
    for first in range(1, T + 1):
        for end in range(first, T + 1):
            pieces = intervals.decompose(first, end)
            read = pieces[:-1] if all_but_last and len(pieces) > 1 else pieces
            stream = ["a"] * T
            for begin, stop in pieces:
                each = sanitizer.replacers[(stop - begin + 1).bit_length() - 1]
                length = stop - begin + 1
                often = length if each is None else min(length, each.missed)
                if (begin, stop) not in read:
                    often = length
                stream[begin - 1 : begin - 1 + often] = ["b"] * often
            shown = _released(sanitizer, stream, coins)[-1]
            places = [x for piece in read for x in shown.between(*piece)]
            if not all_but_last:
                assert places == list(shown.between(first, end))
            if "b" not in places:
                worst = max(worst, stream[first - 1 : end].count("b"))
    return worst


@recomputes(SEEN)
def seen(rounds: int, missed: tuple[int | None, ...]) -> Iterator[Outcome]:
    """Check the number of missed points in all intervals, if each part hides as many as allowed."""
    replacers = tuple(None if most is None else HidingReplacer(most) for most in missed)
    sanitizer = IntervalSanitizer(rounds, replacers)
    text = ", ".join("all" if most is None else str(most) for most in missed)
    yield compare(
        SEEN,
        f"T={rounds}, missed at lengths 1, 2, 4, ...: {text}",
        computed=_unseen(sanitizer),
        stated=sanitizer.seen - 1,
        false=sanitizer.seen - 2,
    )


@recomputes(JOINED)
def joined(rounds: int) -> Iterator[Outcome]:
    """Check that intervals with exact parts miss no point, unlike without the last part."""
    sanitizer = IntervalSanitizer(rounds, (HidingReplacer(0),) * DyadicIntervals(rounds).depth)
    yield compare(
        JOINED,
        f"T={rounds}",
        computed=_unseen(sanitizer),
        stated=0,
        twin=_unseen(sanitizer, all_but_last=True),
    )


def by_steps(points: Sequence[int], pieces_left_out: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the synthetic points of all intervals by the steps of [LWY25, Alg 5].

    The sanitizer reverses its points and negates them, so the points show how they were grouped.
    """
    horizon, made = len(points), {}
    ends = {
        (k * length + 1, (k + 1) * length)  # line 1
        for length in (1 << i for i in range(horizon.bit_length()))
        for k in range(horizon // length)
    }
    for t in range(1, horizon + 1):  # line 2
        for first in range(t, 0, -1):  # line 3
            if (first, t) in ends:  # lines 4 and 5
                made[first, t] = tuple(-x for x in reversed(points[first - 1 : t]))
                continue
            parts, begin = [], first  # line 8
            while begin <= t:
                parts.append(max(each for each in ends if each[0] == begin and each[1] <= t))
                begin = parts[-1][1] + 1
            kept = parts[: len(parts) - pieces_left_out]
            made[first, t] = tuple(x for part in kept for x in made[part])  # line 9
    return made


class Reversing(KeptPoints):
    """A replacer that reverses its points and negates them."""

    def replaced(self, points: Sequence[Any], coins: Coins) -> tuple[Any, ...]:
        """Return the negated points in reverse order."""
        return tuple(-x for x in reversed(points))


@recomputes(PRINTED)
def printed(horizon: int) -> Iterator[Outcome]:
    """Check the synthetic points of all intervals against Algorithm 5, after each round."""
    stream = tuple(range(1, horizon + 1))
    sanitizer = IntervalSanitizer(horizon, (Reversing(),) * DyadicIntervals(horizon).depth)
    shown = _released(sanitizer, stream, SeededCoins(1))

    def different(pieces_left_out: int) -> int:
        stated = by_steps(stream, pieces_left_out)
        return sum(
            each.between(first, last) != stated[first, last]
            for each in shown
            for last in range(1, each.time + 1)
            for first in range(1, last + 1)
        )

    yield compare(PRINTED, f"T={horizon}", computed=different(0), stated=0, twin=different(1))


@recomputes(FAILED)
def failed(epsilon: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the failure probability of intervals' synthetic points, on streams of two letters."""
    rounds, each = 4, FailingReplacer(epsilon, beta)
    sanitizer = IntervalSanitizer(rounds, (None, each, each))
    bound = beta * (rounds // 2 + rounds // 4)
    assert sanitizer.privacy is not None

    def undetected(stream: Sequence[str], shown: IntervalPoints) -> bool:
        return any(
            stream[first - 1 : end].count(letter) >= sanitizer.seen
            and letter not in shown.between(first, end)
            for letter in "ab"
            for first, end in combinations_with_replacement(range(1, rounds + 1), 2)
        )

    def chance(stream: Sequence[str]) -> arb:
        law = exact_distribution(
            lambda coins: undetected(stream, _released(sanitizer, stream, coins)[-1])
        )
        return law.probability(bool)

    yield compare(
        FAILED,
        f"epsilon={epsilon} per length, beta={beta}, K={sanitizer.seen}",
        computed=max((chance(stream) for stream in product("ab", repeat=rounds)), key=float),
        stated=bound,
        false=bound / 2,
        privacy=sanitizer.privacy,
    )


@recomputes(LENGTHS)
def lengths(epsilon: Fraction, rounds: int, paid: int) -> Iterator[Outcome]:
    """Compare exact output distributions on all neighbouring streams, up to the letters' names."""
    free = DyadicIntervals(rounds).depth - paid
    sanitizer = IntervalSanitizer(rounds, (None,) * free + (RandomizedPoints(epsilon),) * paid)
    pairs = [pair for pair in neighbouring_streams("ab", rounds) if pair[0][0] == "a"]
    assert sanitizer.privacy is not None
    found = audit(released(sanitizer), pairs, sanitizer.privacy)
    yield audit_outcome(
        LENGTHS,
        f"epsilon={epsilon}, {paid} lengths of T={rounds}",
        found,
        false=(found.loss, found.epsilon - epsilon, Fraction(0)),
    )


@recomputes(REVEALED)
def revealed(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Compare exact output distributions on all neighbouring streams, up to the letters' names."""
    depth = DyadicIntervals(rounds).depth
    sanitizer = IntervalSanitizer(rounds, (RevealingReplacer(epsilon, delta),) * depth)
    pairs = [pair for pair in neighbouring_streams("ab", rounds) if pair[0][0] == "a"]
    assert sanitizer.privacy is not None
    found = audit(released(sanitizer), pairs, sanitizer.privacy)
    yield compare(
        REVEALED,
        f"epsilon={epsilon}, delta={delta}, {depth} lengths of T={rounds}",
        computed=found.measured,
        stated=depth * delta,
        false=depth * delta / 2,
        privacy=sanitizer.privacy,
    )


# ---- rates


@recomputes(EXPONENT)
def exponent() -> Iterator[Outcome]:
    """Compute the power of d in M Delta, for M = d and alpha(n) = (d^6/n)^(2/3)."""

    def excess(d: int) -> Fraction:
        T = 2**9
        # Cubes are exact: Delta^3 = max n^3 alpha(n)^3 = max n d^12.
        return d**3 * max(Fraction(n**3 * d**12, n**2) for n in range(1, T + 1))

    ratio = excess(4) / excess(2)
    power = (ratio.numerator.bit_length() - 1) // 3
    yield compare(EXPONENT, "d = 2 and 4, T = 512", computed=power, stated=5, false=4)


CLASSES = {
    "sets of at most 1 of 2": Table([[0, 0], [1, 0], [0, 1]]),
    "sets of at most 1 of 3": Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    "initial segments of 3": Table([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]),
    "all sets of 2": Table([[0, 0], [0, 1], [1, 0], [1, 1]]),
    "five sets of 3, by majorities": Table([[0, 0, 1], [1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 1, 0]]),
}
MAJORITIES = "five sets of 3, by majorities"
MODES = {
    "kept": "points kept",
    "none": "what may be missed is missed",
    "all": "nothing is missed",
    "random": "1000 random sanitizers",
}
RANDOM = 1000


def checks() -> list[ClaimCheck]:
    """Return the checks: all small classes and streams, and games at larger sizes."""
    points, sets = "sets of at most 1 of 2", "all sets of 2"
    three, segments = "sets of at most 1 of 3", "initial segments of 3"
    return [
        *(ClaimCheck(TOPIC, number, given) for given in ((6, 1), (6, 2), (7, 3))),
        *(ClaimCheck(TOPIC, chains, given) for given in ((12, 2), (24, 2), (48, 2))),
        ClaimCheck(TOPIC, groups, (sets, 3, 2)),
        ClaimCheck(TOPIC, groups, (points, 4, 1)),
        ClaimCheck(TOPIC, groups, (segments, 4, 2), slow=True),
        *(ClaimCheck(TOPIC, groups, (MAJORITIES, n, 2), slow=n > 2) for n in (2, 3)),
        ClaimCheck(TOPIC, tracked, (points, 6, 1, "kept")),
        ClaimCheck(TOPIC, tracked, (sets, 6, 1, "kept")),
        ClaimCheck(TOPIC, tracked, (points, 6, 2, "none")),
        ClaimCheck(TOPIC, tracked, (points, 6, 2, "all")),
        ClaimCheck(TOPIC, tracked, (points, 6, 2, "random"), slow=True),
        ClaimCheck(TOPIC, tracked, (three, 6, 1, "kept"), slow=True),
        *(
            ClaimCheck(TOPIC, tracked, (name, 6, level, free), slow=True)
            for name in (three, segments, sets)
            for level in (1, 2)
            for free in ("none", "all", "random")
        ),
        # Longer than M K, so that the bound is not vacuous at M = 2.
        ClaimCheck(TOPIC, tracked, (points, 12, 2, "none"), slow=True),
        ClaimCheck(TOPIC, tracked, (sets, 24, 2, "random"), slow=True),
        ClaimCheck(TOPIC, seen, (7, (1, 1, 1))),
        ClaimCheck(TOPIC, seen, (15, (None, 1, 3, 3))),
        ClaimCheck(TOPIC, seen, (8, (None, 2, 3, 5))),
        ClaimCheck(TOPIC, joined, (8,)),
        *(ClaimCheck(TOPIC, printed, (horizon,)) for horizon in (7, 12)),
        ClaimCheck(TOPIC, failed, (Fraction(1, 2), Fraction(1, 100))),
        ClaimCheck(TOPIC, lengths, (Fraction(1, 2), 3, 2)),
        ClaimCheck(TOPIC, revealed, (Fraction(1, 2), Fraction(1, 200), 3)),
        *(ClaimCheck(TOPIC, lengths, (Fraction(1), 4, paid), slow=True) for paid in (2, 3)),
        *agnostic_claims.checks(TOPIC),
        ClaimCheck(TOPIC, exponent),
    ]
