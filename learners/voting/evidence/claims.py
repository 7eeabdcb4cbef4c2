"""The voting learners: remaining concepts, privacy in games and by firing times, mistakes, rows"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from flint import arb

import catalog
from learners.audit import ExploredGame
from learners.audit.claims import Cut
from learners.audit.instances import asked
from learners.balls import ball
from learners.budget import Budget
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    compare,
    recomputes,
)
from learners.coins import SeededCoins
from learners.games import AdaptiveStream
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.voting_counters import VotingCounters
from learners.pac.distributions import FiniteDistribution
from learners.pac.voting import unreleased
from learners.playing.adversaries import Repeating, Seeking
from learners.playing.play import play
from learners.voting.algorithm import VotingLearner, vote
from learners.voting.evidence.firing_times import FiringTimes, Votes, hockey_stick, neighbours
from learners.voting.evidence.instances import (
    NO_VOTE,
    NONE_OR_ONE,
    OTHER,
    VOTE,
    examples_and_challenges,
    sample_learner,
)
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

TOPIC = "merging"

PAGE = "docs/merging.md"

REMAINING = Claim(
    "mistakes of the SOA after which not exactly one concept remains, all classes with Ldim 1",
    "0",
    relation="==",
    source=f"{PAGE}, Lemma V0",
    falsified="for all classes with Ldim 2",
    incorrect_object=True,
)
WORST = Claim(
    "privacy of VotingCounters over all neighbouring votes for two items",
    "(epsilon, delta)",
    source=f"{PAGE}, Theorem V1",
    falsified="(3/4 epsilon, delta)",
)
TIES = Claim(
    "privacy of VotingCounters over all neighbouring votes, with a small delta",
    "(epsilon, delta)",
    source=f"{PAGE}, Theorem V1",
    falsified="if the first vote decides between items that fire in one round",
    incorrect_object=True,
)
NOISE = Claim(
    "privacy of VotingCounters on two streams of votes",
    "(epsilon, delta)",
    source=f"{PAGE}, Theorem V1",
    falsified="(epsilon/2, delta)",
)
GAMES = Claim(
    "privacy of VotingLearner against all adaptive adversaries on two points",
    "(epsilon, delta)",
    source=f"{PAGE}, Theorem V1",
    falsified="(3/4 epsilon, delta)",
)
VOTES = Claim(
    "P[an item has more than m votes before it fires]",
    "(1 - x) x^(m - r + 1)/(1 - x^(m + 1))",
    source=f"{PAGE}, Theorem V2",
    falsified="(1 - x) x^(m - r + 1)",
    drops="1 - x^(m + 1)",
)
MISTAKES = Claim(
    "mistakes of VotingLearner",
    "the least m with P[more than m votes] <= beta",
    source=f"{PAGE}, Theorem V2",
    falsified="half of m",
)
OMITTED = Claim(
    "P[the output of VotingSampleLearner is the first hypothesis], all samples",
    "the sum over the number of votes of P[Bin = k] P[k votes are not released]",
    source=f"{PAGE}, Theorem V3",
    falsified="the sum over k >= 1",
    drops="P[Bin = 0]",
)

SLACK = Fraction(1, 10**9)
"""Number added to stated values that equal computed values, for a comparison of intervals."""
COARSE: Cut = {"tail": Fraction(1, 2**12), "resolution": Fraction(1, 10**3)}


# ---- remaining concepts


Labels = frozenset[tuple[int, ...]]


@cache
def littlestone(concepts: Labels) -> int:
    """Return the Littlestone dimension by its definition."""
    points = range(len(next(iter(concepts), ())))
    sides = [tuple(frozenset(h for h in concepts if h[x] == y) for y in (0, 1)) for x in points]
    depths = [1 + min(map(littlestone, both)) for both in sides if all(both)]
    return max(depths, default=0 if concepts else -1)


def classes(points: int, dimension: int) -> Iterator[Labels]:
    """Yield all classes of a given Littlestone dimension on a few points."""
    every = list(product((0, 1), repeat=points))
    for size in range(1, len(every) + 1):
        for chosen in combinations(every, size):
            if littlestone(frozenset(chosen)) == dimension:
                yield frozenset(chosen)


def not_one(points: int, dimension: int) -> int:
    """Return the number of mistakes whose vote is not the only remaining concept."""
    wrong = 0
    for concepts in classes(points, dimension):
        base = SOA(Table(sorted(concepts)))
        for x, y in product(range(points), (0, 1)):
            remaining = [h for h in concepts if h[x] == y]
            if base.predict(x) == y or not remaining:
                continue
            hypothesis = vote(base, x, y)
            voted = hypothesis and tuple(hypothesis(z) for z in range(points))
            wrong += remaining != [voted]
    return wrong


@recomputes(REMAINING)
def remaining(points: int) -> Iterator[Outcome]:
    """Check Lemma V0: after a mistake of the SOA, exactly one concept remains.

    The check enumerates all classes on a few points, as sets of tuples of labels.
    """
    yield compare(
        REMAINING,
        f"{points} points",
        computed=not_one(points, 1),
        stated=0,
        twin=not_one(points, 2),
    )


# ---- privacy


def largest(streams: Iterable[Votes], times: FiringTimes, epsilon: Fraction) -> arb:
    """Return the largest hockey-stick divergence between outputs on neighbouring votes."""
    found = arb(0)
    for votes in streams:
        law = times.law(votes)
        for other in neighbours(votes, times.items):
            found = found.max(hockey_stick(law, times.law(other), epsilon))
    return found


def all_votes(rounds: int) -> Iterator[Votes]:
    """Yield all votes for two items, where the first vote is for item 0 by symmetry."""
    for votes in product((None, 0, 1), repeat=rounds):
        cast = [each for each in votes if each is not None]
        if cast[:1] == [0]:
            yield votes


@recomputes(WORST)
def worst(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Check that `VotingCounters` is (epsilon, delta)-DP (Theorem V1).

    The check enumerates all pairs of neighbouring votes for two items. It computes the output
    distributions by `FiringTimes`.
    """
    counters = VotingCounters(epsilon, delta, rounds)
    times = FiringTimes(epsilon / 2, counters.threshold, 2)
    less = epsilon * Fraction(3, 4)
    yield compare(
        WORST,
        f"epsilon={epsilon}, delta={delta}, T={rounds}, r={counters.threshold}",
        computed=largest(all_votes(rounds), times, epsilon),
        stated=delta,
        twin=largest(all_votes(rounds), times, less),
        changed=(epsilon, less),
        privacy=(epsilon, delta),
    )


@recomputes(TIES)
def ties(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Check that `VotingCounters` is (epsilon, delta)-DP for a small delta (Theorem V1).

    The check uses the method of `worst`. It also refutes the claim for an incorrect rule, where the
    first vote decides between items that fire in one round.
    """
    counters = VotingCounters(epsilon, delta, rounds)
    right, wrong = (
        FiringTimes(epsilon / 2, counters.threshold, 2, first) for first in (False, True)
    )
    yield compare(
        TIES,
        f"epsilon={epsilon}, delta={delta}, T={rounds}, r={counters.threshold}",
        computed=largest(all_votes(rounds), right, epsilon),
        stated=delta,
        twin=largest(all_votes(rounds), wrong, epsilon),
        privacy=(epsilon, delta),
    )


@recomputes(NOISE)
def noise(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Check that `VotingCounters` is (epsilon, delta)-DP on two streams (Theorem V1).

    The first vote is for a or for b. The later votes are first for b, then for a.
    """
    counters = VotingCounters(epsilon, delta, rounds)
    times, r = FiringTimes(epsilon / 2, counters.threshold, 2), counters.threshold
    later = (1,) * (r - 2) + (0,) * (rounds - r + 1)
    zero, one = (times.law((first, *later)) for first in (0, 1))

    def both_ways(claimed: Fraction) -> arb:
        return hockey_stick(zero, one, claimed).max(hockey_stick(one, zero, claimed))

    yield compare(
        NOISE,
        f"epsilon={epsilon}, delta={delta}, T={rounds}, r={r}",
        computed=both_ways(epsilon),
        stated=delta,
        twin=both_ways(epsilon / 2),
        changed=(epsilon, epsilon / 2),
        privacy=(epsilon, delta),
    )


@recomputes(GAMES)
def games(epsilon: Fraction, delta: Fraction, rounds: int, quiet: bool) -> Iterator[Outcome]:
    """Check that `VotingLearner` is (epsilon, delta)-DP in adaptive games (Theorem V1).

    The audit plays the production code against all adversaries that choose examples of two points.

    If `quiet` is false, every example outside of the challenge casts a vote.
    """
    learner = VotingLearner(SOA(NONE_OR_ONE), VotingCounters(epsilon, delta, rounds))
    asked_for = (VOTE, OTHER, NO_VOTE) if quiet else (VOTE, OTHER)
    moves = examples_and_challenges(asked_for, (VOTE, OTHER, NO_VOTE))
    explored = ExploredGame(AdaptiveStream(learner, rounds + 1), moves, **COARSE)
    yield audit_outcome(
        GAMES,
        f"epsilon={epsilon}, delta={delta}, T={rounds}, r={learner.parameters.threshold}",
        explored.against(learner.privacy),
        false=explored.against((epsilon * Fraction(3, 4), delta)),
    )


# ---- mistakes


@recomputes(VOTES)
def votes(epsilon: Fraction, delta: Fraction, rounds: int, count: int) -> Iterator[Outcome]:
    """Check the probability of more than m votes for an item before it fires (Theorem V2).

    The check computes this probability from the production code. Each round has a vote for the
    item.
    """
    counters = VotingCounters(epsilon, delta, rounds)
    law = asked(counters).laws(tail=Fraction(1, 2**40))(("a",) * count)
    x, r = (-ball(counters.rate)).exp(), counters.threshold
    without = (1 - x) * x ** (count - r + 1)
    yield compare(
        VOTES,
        f"epsilon={epsilon}, r={r}, m={count}",
        computed=law.probability(lambda answers: not any(answers)),
        stated=without / (1 - x ** (count + 1)) + ball(SLACK),
        false=without,
        privacy=(epsilon, delta),
        hypotheses={"m >= r - 1": count >= r - 1},
    )


@recomputes(MISTAKES)
def mistakes(spec: str, epsilon: Fraction, rounds: int, count: int) -> Iterator[Outcome]:
    """Check the mistake bound of `VotingLearner` (Theorem V2).

    The check plays games against adversaries, most of which repeat a mistake.
    """
    C, delta = catalog.build(spec), Fraction(1, 10**6)
    learner = VotingLearner.within(Budget(epsilon, delta), ConservativeSOA(C), rounds)
    (bound,) = learner.bounds
    assert bound.value is not None
    # After so many rounds of mistakes, nearly every game has published the target.
    long = min(rounds, 2 * int(bound.value))
    found = [
        play(learner, (Seeking if seed % 10 == 0 else Repeating)(C), long, SeededCoins(seed))
        for seed in range(count)
    ]
    yield bound_outcome(
        MISTAKES,
        f"{spec}, epsilon={epsilon}, T={rounds}, {count} games, adaptive",
        bound,
        [game.mistakes for game in found],
        false=bound.value // 2,
        privacy=(epsilon, delta),
        hypotheses={
            "Ldim is 1": C.ldim() == 1,
            "some concept is consistent": all(
                not C.given(set(game.examples)).is_empty for game in found
            ),
        },
    )


# ---- samples


@recomputes(OMITTED)
def omitted(epsilon: Fraction, delta: Fraction, error: Fraction, rows: int) -> Iterator[Outcome]:
    """Check the probability that `VotingSampleLearner` outputs its first hypothesis.

    The claim is Theorem V3. The check enumerates all samples from a distribution on which the first
    hypothesis has a given error.
    """
    learner = sample_learner(epsilon, delta)
    weights = {VOTE: error, (1, 0): 1 - error}
    law = learner.law(FiniteDistribution(NONE_OR_ONE.domain, weights), rows)
    histogram = StableHistogram(epsilon, delta)
    stated = unreleased(histogram, rows, error)
    yield compare(
        OMITTED,
        f"epsilon={epsilon}, threshold {histogram.threshold}, error {error}, {rows} rows",
        computed=law.probability(lambda h: h == learner.first),
        stated=stated + ball(SLACK),
        false=stated - ball((1 - error) ** rows),
        privacy=(epsilon, delta),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks of voting: fast exact computations, and slow games and simulations."""
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    return [
        *(ClaimCheck(TOPIC, remaining, (points,)) for points in (2, 3)),
        ClaimCheck(TOPIC, worst, (Fraction(6), Fraction(1, 20), 5)),
        ClaimCheck(TOPIC, ties, (Fraction(8), Fraction(1, 200), 5)),
        ClaimCheck(TOPIC, noise, (Fraction(2), tenth, 12)),
        *(ClaimCheck(TOPIC, votes, (Fraction(2), half, 6, count)) for count in (3, 4, 6)),
        ClaimCheck(TOPIC, mistakes, ("points:n=2^64", Fraction(1), 10**4, 20)),
        ClaimCheck(TOPIC, omitted, (Fraction(2), Fraction(1, 4), Fraction(1, 3), 4)),
        ClaimCheck(TOPIC, games, (Fraction(8), Fraction(1, 8), 3, True), slow=True),
        ClaimCheck(TOPIC, games, (Fraction(6), Fraction(1, 20), 5, False), slow=True),
        ClaimCheck(TOPIC, mistakes, ("points:n=2^64", Fraction(1), 10**6, 1000), slow=True),
    ]
