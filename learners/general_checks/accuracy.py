"""Exact error probabilities of mechanisms, compared with their stated failure probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import accumulate, product
from operator import ne
from typing import Any

from flint import arb, ctx

from learners.balls import ball, ceiling, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.general_checks import orders, streams
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.histograms import BoundedHistogram, Released, StableHistogram
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.runs import StreamRun
from learners.mechanisms.selection import ExponentialMechanism
from learners.mechanisms.sparse_vector import AboveThreshold, CumulativeAboveThreshold, Sparse

TOPIC = "accuracy"

Run = StreamRun[Any, bool]
Asked = tuple[Run, tuple[bool, ...]]
"""A run of a mechanism, and its answers so far."""
Compared = tuple[Sequence[int], Sequence[int]]
"""The numbers of a stream, and the numbers that are compared with 0."""

FAILURE = Fraction(1, 4)
"""The failure probability of the small instances. It is large, so that failures occur with little
noise."""

NOISE = Claim(
    "P[discrete Laplace noise exceeds ln(1/failure) Delta/epsilon, rounded up]",
    "failure",
    source="[LWY25, Lemma A.22], for discrete noise",
    falsified="for half of the bound, rounded up",
)
LEAST = Claim(
    "P[discrete Laplace noise exceeds noise_bound]",
    "failure",
    source="learners.mechanisms.noise",
    falsified="for noise_bound - 1",
)


def _wrong(name: str, statements: tuple[str, ...]) -> Claim:
    return Claim(
        f"worst P[{name} answers wrongly, further than a from the threshold]",
        "failure",
        source="learners.mechanisms",
        statements=statements,
        falsified="for a/4",
    )


ABOVE = replace(_wrong("above_threshold", ("BF25 Lemma 4.3",)), falsified="for a/2")
PRINTED = Claim(
    "P[above_threshold answers wrongly, further than 8 ln(2T/failure)/epsilon from the threshold]",
    "failure",
    source="[BF25, Lemma 4.3]",
    falsified="further than 8 ln(2/failure)/epsilon",
    drops="the factor T in the logarithm",
)
TOPS, BOTTOMS = (
    Claim(
        f"worst P[cumulative_above_threshold answers {side}]",
        "failure",
        source="learners.mechanisms",
        statements=("LWY25 Thm 2.5",),
        falsified="for a/2",
    )
    for side in ("top at a sum below tau - a", "bottom at a sum of tau + a or more")
)
SPARSE = replace(
    _wrong("sparse", ("GL21 Thm A.7", "GL21 Alg 3")),
    falsified="for a/2",
)
CHALLENGE = replace(_wrong("challenge_at", ("KMMNS23 Thm 4.2",)), falsified="for a/2")
NOISES = replace(CHALLENGE, quantity="P[some of the T noises of challenge_at exceeds a]")

SHARPER = Claim(
    "a, divided by the bound of the papers",
    "1",
    source="[BF25, Lemma 4.3], [LWY25, Thm 2.5], [GL21, Thm A.7]",
    falsified="1/2",
)

EARLY = Claim(
    "P[challenge_at halts with fewer than r - early reports]",
    "failure",
    source="learners.mechanisms.challenge_at, for [KMMNS23, Thm 4.2]",
    statements=("KMMNS23 Rem 4.1", "KMMNS23 Thm 4.2"),
    falsified="for the early of a single round",
)

SURE = Claim(
    "largest error of bounded_histogram",
    "8 ln(8/delta)/epsilon",
    source="[LWY25, Thm 2.6]",
    falsified="8/epsilon",
    drops="ln(8/delta)",
)

FREQUENT = Claim(
    "P[a histogram misses an item of frequency > eta, or names an item of <= eta/4]",
    "failure",
    source="learners.mechanisms.histograms, for [GL21, Thm 5.1]",
    statements=("GL21 Thm 5.1", "BLM20 Lemma 15"),
    falsified="for half of the items",
)

SHORT = Claim(
    "worst P[the chosen score falls short by more than stated]",
    "failure",
    source="[BF25, Prop 2.1], [LWY25, Lemma A.23]",
    falsified="by half of the stated shortfall",
)


@recomputes(NOISE, LEAST)
def noise(scale: Fraction, failure: Fraction) -> Iterator[Outcome]:
    """Check the error bounds of discrete Laplace noise by its exact distribution.

    Check the noise bounds against the exact distribution of one draw, for a count of bits.
    """
    law = exact_distribution(lambda coins: coins.laplace(scale))
    most = noise_bound(scale, failure)
    bits = list(product((0, 1), repeat=3))
    near = [(x, y) for x, y in product(bits, repeat=2) if sum(map(ne, x, y)) == 1]
    sizes, where = law.map(abs), f"scale={scale}, failure={failure}"
    own = ceiling(lambda: -log(failure) * ball(scale))
    half = ceiling(lambda: -log(failure) * ball(scale) / 2)
    yield compare(
        NOISE,
        where,
        computed=sizes.probability(lambda z: z > own),
        stated=failure,
        twin=sizes.probability(lambda z: z > half),
        changed=(own, half),
        privacy=(1 / scale, 0),
        hypotheses={"the sensitivity of f": max(abs(sum(x) - sum(y)) for x, y in near) == 1},
    )
    yield compare(
        LEAST,
        where,
        computed=sizes.probability(lambda z: z > most),
        stated=failure,
        twin=sizes.probability(lambda z: z > most - 1),
        changed=(most, most - 1),
        privacy=(1 / scale, 0),
    )


def _stepwise(
    start: Callable[[Coins], Run], values: Sequence[int]
) -> OutputDistribution[tuple[bool, ...]]:
    """Return the distribution of the answers of a run, with equal states merged per answer."""

    def step(state: Asked, coins: Coins, value: int) -> Asked:
        run, given = state
        if run.halted:
            return state
        answer, run = run.ask(value, coins)
        return run, (*given, answer)

    tail = Fraction(1, 2**30)
    law: OutputDistribution[Asked] = exact_distribution(lambda coins: (start(coins), ()), tail=tail)
    for value in values:
        law = law.then(partial(step, value=value), tail=tail)
    return law.map(lambda state: state[1])


def _wrong_once(start: Callable[[Coins], Run], stream: Compared, a: int) -> arb:
    """Return the probability that some answer is wrong, by merging runs with a wrong answer."""

    def step(run: Run | None, coins: Coins, value: int, seen: int) -> Run | None:
        if run is None or run.halted:
            return run
        answer, after = run.ask(value, coins)
        return None if (seen < -a if answer else seen >= a) else after

    tail = Fraction(1, 2**30)
    law: OutputDistribution[Run | None] = exact_distribution(start, tail=tail)
    for value, seen in zip(*stream, strict=True):
        law = law.then(partial(step, value=value, seen=seen), tail=tail)
    return law.probability(lambda run: run is None)


def _worst(start: Callable[[Coins], Run], streams: Iterator[Compared], a: int) -> arb:
    """Return the largest probability of a wrong answer over streams of values, compared with 0."""
    worst = arb(0)
    for stream in streams:
        worst = worst.max(_wrong_once(start, stream, a))
    return worst


def _numbers(a: int) -> Iterator[Compared]:
    """Yield the streams of three numbers that can be answered wrongly, for the threshold 0."""
    for values in product((-a - 1, a), repeat=3):
        yield values, values


@recomputes(ABOVE)
def above_threshold(epsilon: Fraction, failure: Fraction) -> Iterator[Outcome]:
    """Check the accuracy bound of above_threshold by exact failure probabilities.

    Check all streams of three numbers at the guaranteed distance, and at half of it.
    """
    mechanism = AboveThreshold(epsilon, 0)
    a = mechanism.accuracy(3, failure)
    right, near = (_worst(mechanism.start, _numbers(m), m) for m in (a, a // 2))
    yield compare(
        ABOVE,
        f"T=3, a={a}, failure={failure}",
        computed=right,
        stated=failure,
        twin=near,
        changed=(a, a // 2),
        privacy=mechanism.privacy,
        hypotheses={"queries have sensitivity 1": mechanism.sensitivity == 1},
    )


@recomputes(PRINTED)
def above_threshold_printed(epsilon: Fraction, rounds: int, failure: Fraction) -> Iterator[Outcome]:
    """Check the printed accuracy of above_threshold [BF25, Lemma 4.3].

    Check small numbers, and a last number that is large, at the distance that is printed.
    """
    mechanism = AboveThreshold(epsilon, 0)

    def wrong(factor: int) -> arb:
        """Return the probability for the integer part of 8 ln(2 factor/failure)/epsilon."""
        a = ceiling(lambda: 8 * log(2 * factor / failure) / ball(epsilon)) - 1
        small, large = -a - 1, a + 1
        last = ((*[small] * (rounds - 1), each) for each in (small, large))
        return _worst(mechanism.start, ((values, values) for values in last), a)

    yield compare(
        PRINTED,
        f"T={rounds}, epsilon={epsilon}, failure={failure}",
        computed=wrong(rounds),
        stated=failure,
        twin=wrong(1),
        privacy=mechanism.privacy,
        hypotheses={"queries have sensitivity 1": mechanism.sensitivity == 1},
    )


@recomputes(SPARSE)
def sparse(epsilon: Fraction, failure: Fraction) -> Iterator[Outcome]:
    """Check the accuracy bound of `Sparse` by exact failure probabilities.

    Check `Sparse` with two reports, on streams with at most two numbers near the threshold.
    """
    mechanism = Sparse(epsilon, reports=2, threshold=0)
    a = mechanism.accuracy(3, failure)
    half = -(a // -2)

    def streams(distance: int) -> list[Compared]:
        given = _numbers(distance)
        return [(each, seen) for each, seen in given if sum(v >= -distance for v in each) <= 2]

    yield compare(
        SPARSE,
        f"c=2, T=3, a={a}, failure={failure}",
        computed=_worst(mechanism.start, iter(streams(a)), a),
        stated=failure,
        twin=_worst(mechanism.start, iter(streams(half)), half),
        changed=(a, half),
        privacy=mechanism.privacy,
        hypotheses={
            "queries have sensitivity 1/k": mechanism.sensitivity == 1,
            "at most c queries reach theta - alpha": all(
                sum(value >= -a for value in seen) <= mechanism.reports for _, seen in streams(a)
            ),
        },
    )


@recomputes(CHALLENGE, NOISES)
def challenge_at(rounds: int) -> Iterator[Outcome]:
    """Check the accuracy and the halting time of `ChallengeAT` [KMMNS23, Thm 4.2].

    Check runs that may halt: all numbers too small, all large enough, and both in turn.

    The noise is for r + lambda reports. An answer is wrong by more than a only if its noise exceeds
    a, for all data sets and queries.
    """
    cost = Fraction(1), Fraction(1, 200)
    mechanism = ChallengeAT(*cost, 1, 0, *cost)
    a = mechanism.accuracy(rounds, FAILURE)
    half = -(a // -2)
    sizes = exact_distribution(lambda coins: coins.laplace(mechanism.scale)).map(abs)

    def worst(distance: int) -> arb:
        small, large = -distance - 1, distance
        streams = [(small,) * rounds, (large,) * rounds, (small, large) * (rounds // 2)]
        return _worst(mechanism.start, ((values, values) for values in streams), distance)

    def some(distance: int) -> arb:
        return 1 - (1 - sizes.probability(lambda z: z > distance)) ** rounds

    where = f"r=1, lambda={mechanism.overrun}, T={rounds}, a={a}, failure={FAILURE}"
    for claim, chance in ((CHALLENGE, worst), (NOISES, some)):
        yield compare(
            claim,
            where,
            computed=chance(a),
            stated=FAILURE,
            twin=chance(half),
            changed=(a, half),
            privacy=mechanism.privacy,
        )


@recomputes(TOPS, BOTTOMS)
def sums(rounds: int, failure: Fraction) -> Iterator[Outcome]:
    """Check the accuracy of the test that compares sums of bits with a threshold.

    Check all streams of bits, and all thresholds that their sums may miss or exceed by a.

    Lower thresholds make bottom less likely, and higher thresholds make top less likely. The run
    halts at its first top, and all earlier answers are bottom. So an adaptive adversary is no
    stronger than a fixed stream.
    """
    epsilon = Fraction(1)
    a = CumulativeAboveThreshold(epsilon, 0).accuracy(rounds, failure)
    half = -(a // -2)

    def worst(thresholds: range, distance: int) -> arb:
        return max(
            (
                _wrong_once(
                    CumulativeAboveThreshold(epsilon, threshold).start,
                    (bits, [total - threshold for total in accumulate(bits)]),
                    distance,
                )
                for threshold in thresholds
                for bits in product((0, 1), repeat=rounds)
            ),
            key=lambda chance: float(chance.mid()),
        )

    for claim in (TOPS, BOTTOMS):
        lowest = {m: m + 1 if claim is TOPS else -m for m in (a, half)}
        found = [worst(range(first, first + rounds + 1), m) for m, first in lowest.items()]
        yield compare(
            claim,
            f"T={rounds}, epsilon={epsilon}, a={a}, failure={failure}",
            computed=found[0],
            stated=failure,
            twin=found[1],
            changed=(a, half),
            privacy=(epsilon, 0),
        )


@recomputes(SHARPER)
def printed(rounds: int) -> Iterator[Outcome]:
    """Check that the accuracy bound a is at most the printed bound of the papers, for c reports."""
    epsilon, failure = Fraction(1, 2), Fraction(1, 20)
    worst = Fraction(0)
    with ctx.workprec(PRECISION):
        for mechanism, c in (
            (AboveThreshold(epsilon, 0), 1),
            (CumulativeAboveThreshold(epsilon, 0), 1),
            (Sparse.within(epsilon, 4, 0), 4),
        ):
            paper = 8 * c * (log(rounds) + log(2 * c / failure)) / ball(epsilon)
            ratio = ball(mechanism.accuracy(rounds, failure)) / paper
            worst = max(worst, Fraction(float(ratio.upper())))
    yield compare(
        SHARPER,
        f"T={rounds}, epsilon=1/2, failure=1/20",
        computed=worst,
        stated=1,
        false=Fraction(1, 2),
        privacy=(epsilon, 0),
    )


@recomputes(EARLY)
def early(rounds: int) -> Iterator[Outcome]:
    """Check that `ChallengeAT` rarely halts with fewer than r - early reports.

    Check the reports on questions far below the threshold.
    """

    def halts(reports: int) -> arb:
        test = CumulativeAboveThreshold(Fraction(1), reports)
        law = _stepwise(test.start, (0,) * rounds)
        return law.probability(lambda answers: answers[-1])

    mechanism = ChallengeAT(
        Fraction(1), Fraction(0), 1, 0, Fraction(1), Fraction(0), horizon=rounds
    )
    needed, once = (mechanism.early(count, FAILURE) for count in (rounds, 1))
    yield compare(
        EARLY,
        f"T={rounds}, halting_epsilon=1, early={needed}, failure={FAILURE}",
        computed=halts(needed + 1),
        stated=FAILURE,
        twin=halts(once + 1),
        changed=(needed, once),
        privacy=(1, 0),
    )


def _released(mechanism: BoundedHistogram, count: int, coins: Coins) -> Released:
    return mechanism.release({"x": count}, coins, key=str)


@recomputes(SURE)
def sure(epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the largest error of `bounded_histogram` [LWY25, Thm 2.6].

    Check all counts up to where the noise is no more than the count.
    """
    mechanism = BoundedHistogram(epsilon, delta)
    worst = 0
    for count in range(1, 2 * mechanism.bound + 2):
        law = exact_distribution(partial(_released, mechanism, count))
        worst = max(worst, *(abs(dict(found).get("x", 0) - count) for found in law))
    with ctx.workprec(PRECISION):
        stated = 8 * log(8 / delta) / ball(epsilon)
        yield compare(
            SURE,
            f"epsilon={epsilon}, delta={delta}",
            computed=worst,
            stated=stated,
            false=8 / ball(epsilon),
            privacy=(epsilon, delta),
            hypotheses={"epsilon <= 2 ln(32/delta)": bool(ball(epsilon) <= 2 * log(32 / delta))},
        )


@recomputes(FREQUENT)
def frequent(epsilon: Fraction, delta: Fraction, eta: Fraction) -> Iterator[Outcome]:
    """Check that histograms name frequent items and no rare items [GL21, Thm 5.1].

    Check one item just above eta k among items at eta k/4, for this k and for half of it.
    """
    failure = Fraction(1, 20)

    def fails(size: int) -> arb:
        mechanism = StableHistogram.for_frequencies(epsilon, delta, frequency=eta, size=size)
        often, rarely = int(eta * size) + 1, int(eta * size / 4)
        others = (size - often) // rarely

        def released(count: int) -> arb:
            law = exact_distribution(lambda coins: coins.at_least(count, mechanism.scale, 0))
            return law[True]

        # Every item's noise is its own.
        kept = released(often - mechanism.threshold)
        return 1 - kept * (1 - released(rarely - mechanism.threshold)) ** others

    with ctx.workprec(PRECISION):
        size = StableHistogram.size_needed(epsilon, delta, frequency=eta, failure=failure)
        asked = 4 / ball(eta) - log(eta**2 * failure * delta) / (ball(eta) * ball(epsilon))
        few, half = ceiling(lambda: asked), size // 2
        yield compare(
            FREQUENT,
            f"epsilon={epsilon}, delta={delta}, eta={eta}, k={size}, not {few} as [GL21, (2)]",
            computed=fails(size),
            stated=failure,
            twin=fails(half),
            changed=(size, half),
            privacy=(epsilon, delta),
        )


def votes_change(candidates: int) -> int:
    """Return the largest change of a candidate's score if one of two votes is replaced.

    The score of a candidate is its number of votes.
    """
    votes = list(product(range(candidates), repeat=2))
    pairs = ((x, y) for x, y in product(votes, repeat=2) if sum(map(ne, x, y)) == 1)
    return max(abs(x.count(i) - y.count(i)) for x, y in pairs for i in range(candidates))


@recomputes(SHORT)
def short(epsilon: Fraction, candidates: int) -> Iterator[Outcome]:
    """Check the exponential mechanism's bound on the shortfall of the chosen score.

    Check all score vectors of `candidates` candidates with the scores that matter.
    """
    mechanism = ExponentialMechanism(epsilon)
    stated = mechanism.shortfall(candidates, FAILURE)
    half = -(stated // -2)

    def worst(most: int) -> arb:
        found = arb(0)
        for others in product((0, -most, -most - 1), repeat=candidates - 1):
            scores = (0, *others)
            law = exact_distribution(partial(mechanism.release, scores))
            worse = [i for i, score in enumerate(scores) if score < -most]
            found = found.max(law.probability(worse.__contains__))
        return found

    yield compare(
        SHORT,
        f"epsilon={epsilon}, {candidates} candidates, failure={FAILURE}",
        computed=worst(stated),
        stated=FAILURE,
        twin=worst(half),
        changed=(stated, half),
        privacy=mechanism.privacy,
        hypotheses={"scores have sensitivity Delta": votes_change(candidates) == 1},
    )


def checks() -> list[ClaimCheck]:
    """Return all checks of this topic, each of which takes at most a second."""
    small, half = Fraction(1, 10**6), Fraction(1, 2)
    return [
        *(ClaimCheck(TOPIC, noise, (scale, half / 5)) for scale in (Fraction(2), half)),
        ClaimCheck(TOPIC, above_threshold, (Fraction(2), small * 10**4)),
        ClaimCheck(TOPIC, above_threshold_printed, (Fraction(2), 24, half)),
        ClaimCheck(TOPIC, sparse, (Fraction(1), Fraction(1, 100))),
        ClaimCheck(TOPIC, challenge_at, (8,)),
        ClaimCheck(TOPIC, sums, (1, Fraction(1, 1000))),
        ClaimCheck(TOPIC, sums, (4, Fraction(1, 50))),
        *(ClaimCheck(TOPIC, printed, (rounds,)) for rounds in (10, 10**6)),
        *(ClaimCheck(TOPIC, early, (rounds,)) for rounds in (32, 8)),
        *(ClaimCheck(TOPIC, sure, given) for given in ((Fraction(1), small), (half, half))),
        *streams.checks(TOPIC),
        *orders.checks(TOPIC),
        ClaimCheck(TOPIC, frequent, (Fraction(1), small, half / 5)),
        ClaimCheck(TOPIC, frequent, (half, small, half / 2)),
        *(ClaimCheck(TOPIC, short, (epsilon, 3)) for epsilon in (half, Fraction(2))),
    ]
