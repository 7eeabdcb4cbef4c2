"""The forest DP-SOA [GL21] against all adaptive adversaries, its lucky trees, and composition."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from flint import arb, ctx

from learners.audit import audit_game
from learners.auditable import instance
from learners.exact import PRECISION
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.numbers import log, real
from learners.verify import Claim, ClaimCheck, Outcome, audited, compare, recomputes

__all__ = ["checks"]

TOPIC = "forest"

ADAPTIVE = Claim(
    "privacy of published hypotheses against all adversaries who choose examples after seeing them",
    "(epsilon, delta)",
    source="learners.online.forest_soa, for [GL21, Lemma A.1]",
    statements=("GL21 Lemma A.1", "GL21 Alg 1"),
    falsified="(epsilon/8, delta/1000)",
)
CONSISTENT = Claim(
    "worst P[fewer than 2^(-2 k_1 - 1) k_2 trees guess as the target says] exp(2^(-4 k_1) k_2/2)",
    "1",
    source="[GL21, Claim A.4]",
    statements=("GL21 Claim A.4",),
    falsified="with exp(k_2)",
)
COMPOSED = Claim(
    "epsilon/epsilon' that T mechanisms of (epsilon', delta/(2T)) need to be (epsilon, delta)",
    "2 sqrt(2 T ln(2/delta))",
    source="learners.accounting, for [GL21, Lemma 5.4]",
    printed="2 sqrt(2 T ln(1/delta))",
    printed_in="[GL21, Lemma 5.4]",
    statements=("GL21 Lemma 5.4",),
    falsified="2 sqrt(2 T ln(1/delta))",
)
NAMES = Claim(
    "names that are replaced in lists of k_2 trees that merge k_1 - 1 times each",
    "8 (k_1 - 1)/eta",
    source="docs/private-online.md, for [GL21, Lemma A.3]",
    printed="4 k_1/eta",
    printed_in="[GL21, Lemma A.3]",
    statements=("GL21 Lemma A.3",),
    falsified="4 k_1/eta",
)


@recomputes(ADAPTIVE)
def adaptive(specification: str) -> Iterator[Outcome]:
    """By backward induction over all of their strategies, three hypotheses, on two points."""
    hit, miss, other = (0, 1), (0, 0), (1, 1)
    moves: list[Move] = [Ask(hit), Ask(other), Challenge(hit, miss), Challenge(hit, other)]
    learner = instance(specification).mechanism
    game = AdaptiveStream(learner, 3)
    tail, resolution = Fraction(1, 2**20), Fraction(1, 100)

    right = audit_game(game, moves, learner.privacy, tail=tail, resolution=resolution)
    false = audit_game(game, moves, (right.epsilon / 8, right.delta / 1000), tail=tail)
    yield audited(ADAPTIVE, f"{specification.partition(':')[2]}, T=3", right, false=false)


@recomputes(CONSISTENT)
def consistent(leaves: int, most: int) -> Iterator[Outcome]:
    """The number of trees whose k_1 - 1 guesses are right, made or not, is binomial."""
    chance = Fraction(1, 1 << leaves - 1)
    worst = twin = arb(0)
    with ctx.workprec(PRECISION):
        for trees in range(1, most + 1):
            below = Fraction(0)
            for lucky in range(trees + 1):
                if lucky * (2 << 2 * leaves) >= trees:
                    break
                below += comb(trees, lucky) * chance**lucky * (1 - chance) ** (trees - lucky)
            size = real(Fraction(trees, 2 << 4 * leaves)).exp()
            worst = worst.max(real(below) * size)
            twin = twin.max(real(below) * real(trees).exp())
    yield compare(CONSISTENT, f"k_1={leaves}, k_2 <= {most}", computed=worst, stated=1, twin=twin)


def replaced_names(leaves: int, trees: int, share: Fraction) -> int:
    """How many names follow one another, each found at frequency eta/4 and replaced at eta/8.

    All items are shown by eta k_2/8 trees, and the name by as many more, which move on to the
    next item: up the row of items, and down again. Those move that can still merge most often.
    """
    step = trees * share / 8
    assert step.denominator == 1
    few = int(step)
    left = [leaves - 1] * trees
    row = [list(range(start, start + few)) for start in range(0, trees - few, few)]
    row[0] += range(trees - few, trees)
    at, way, names = 0, 1, 0
    while True:
        assert len(row[at]) >= trees * share / 4, "what is named is frequent"
        if not 0 <= at + way < len(row):
            way = -way
        moving = sorted(row[at], key=lambda tree: -left[tree])[:few]
        if not all(left[tree] for tree in moving):
            return names
        row[at] = [tree for tree in row[at] if tree not in moving]
        assert len(row[at]) <= trees * share / 8, "what is replaced is rare"
        at += way
        row[at] += moving
        for tree in moving:
            left[tree] -= 1
        names += 1


@recomputes(NAMES)
def names(leaves: int, trees: int, share: Fraction) -> Iterator[Outcome]:
    """Lists that replace more names than the printed number of histograms allows."""
    yield compare(
        NAMES,
        f"k_1={leaves}, k_2={trees}, eta={share}",
        computed=replaced_names(leaves, trees, share),
        stated=8 * (leaves - 1) / share,
        printed=4 * leaves / share,
        false=4 * leaves / share,
    )


def composed(rounds: int, each: Fraction, epsilon: Fraction, delta: Fraction) -> arb:
    """The delta at epsilon of T mechanisms of (each, delta/(2T)), at worst: exactly.

    With probability delta/(2T) each tells everything; otherwise it is randomized response
    (Kairouz, Oh, Viswanath 2015).
    """
    odds = real(each).exp()
    heads = odds / (1 + odds)
    kept = arb(0)
    for ones in range(rounds + 1):
        loss = (2 * ones - rounds) * each
        if loss > epsilon:
            weight = comb(rounds, ones) * heads**ones * (1 - heads) ** (rounds - ones)
            kept += weight * (1 - real(epsilon - loss).exp())
    return 1 - real(1 - delta / (2 * rounds)) ** rounds * (1 - kept)


@recomputes(COMPOSED)
def composition(rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """The least divisor of epsilon, by bisection on exact binomial laws."""
    with ctx.workprec(PRECISION):
        low, high = Fraction(1, 100), Fraction(1000)
        while high - low > Fraction(1, 1000):
            middle = (low + high) / 2
            if composed(rounds, epsilon / middle, epsilon, delta) <= real(delta):
                high = middle
            else:
                low = middle
        stated = 2 * (2 * rounds * log(2 / delta)).sqrt()
        printed = 2 * (-2 * rounds * log(delta)).sqrt()
        yield compare(
            COMPOSED,
            f"T={rounds}, epsilon={epsilon}, delta={delta}",
            computed=real(low).union(real(high)),
            stated=stated,
            printed=printed,
            false=printed,
        )


def checks() -> list[ClaimCheck]:
    """Small forests, and a delta at which the printed composition fails."""
    return [
        ClaimCheck(TOPIC, composition, (16, Fraction(1), Fraction(499, 500))),
        ClaimCheck(TOPIC, composition, (100, Fraction(1), Fraction(1, 10**6))),
        ClaimCheck(TOPIC, names, (4, 64, Fraction(1, 4))),
        ClaimCheck(TOPIC, names, (16, 512, Fraction(1, 16))),
        ClaimCheck(TOPIC, consistent, (2, 60)),
        ClaimCheck(TOPIC, consistent, (4, 200)),
        ClaimCheck(TOPIC, adaptive, ("forest_soa:trees=1,epsilon=8,delta=3/25",)),
        ClaimCheck(
            TOPIC, adaptive, ("forest_soa:leaves=2,trees=4,epsilon=8,delta=3/25",), slow=True
        ),
    ]
