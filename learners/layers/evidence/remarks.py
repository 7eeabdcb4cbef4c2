"""Remarks of [LWY25] about other base learners, unknown horizons, and the forest of [GL21]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import catalog
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, bound_outcome, compare, recomputes
from learners.coins import Coins, SeededCoins
from learners.exact import exact_distribution
from learners.forest.tree import Tree
from learners.layers.algorithm import LayeredSOA
from learners.layers.plan import LayeredParameters
from learners.playing.adversaries import Repeating
from learners.playing.base.halving import Halving
from learners.playing.base.proper_soa import proper_soa
from learners.playing.doubling import Doubling
from learners.playing.play import play
from lsclasses.concept_class import ConceptClass
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA, ConservativeSOA

BASES = Claim(
    "mistakes of LayeredSOA with a base learner other than the SOA, which errs at most once",
    "tau + late",
    source="docs/private-online.md, Theorem P, for [LWY25, after Theorem 3.1]",
    statements=("LWY25 Sec 3, base learners",),
    falsified="(tau + late)/2",
)
PROPER = Claim(
    "published hypotheses of LayeredSOA with a proper base learner that are not concepts",
    "0",
    "==",
    source="learners.layers.algorithm, for [LWY25, after Theorem 3.1]",
    statements=BASES.statements,
    falsified="with the SOA of singletons",
    incorrect_object=True,
)
DOUBLED = Claim(
    "mistakes of LayeredSOA with doubling, d = 1",
    "log2(T) times the mistake bound for T rounds",
    source="learners.playing.doubling, for [LWY25, section 5]",
    statements=("LWY25 Sec 5, doubling",),
    falsified="the mistake bound for T rounds",
    drops="log2(T)",
)
FIXED = Claim(
    "P[a tree of the forest shows a new hypothesis after 2 examples, and its tournament examples "
    "are right], for the worst target fixed in advance",
    "1/8",
    "==",
    source="the other pair learns, the guesses are equal, and they are right: 1/2 each",
    statements=("LWY25 Sec 3, forest",),
    falsified="1/4",
)
CHOSEN = Claim(
    "P[a tree of the forest shows a new hypothesis after 2 examples, and its tournament examples "
    "are right], for the worst target chosen after the hypotheses",
    "0",
    "==",
    source="[LWY25, section 3]: the shown hypothesis reveals the guesses",
    statements=FIXED.statements,
    falsified="1/8, as for a target fixed in advance",
)

DELTA = Fraction(1, 10**5)
RARE = Fraction(1, 10**8)
"""Failure probability of the mistake bound of the learner of one bucket of rounds."""


# ---- base learners


def hypotheses(C: ConceptClass, games: Sequence[Sequence[tuple[Point, Label]]]) -> dict[str, bool]:
    """Return whether some concept labels all examples of each game."""
    return {"realizable": not any(C.given(set(each)).is_empty for each in games)}


@recomputes(BASES)
def bases(spec: str, rounds: int, games: int) -> Iterator[Outcome]:
    """Check the mistake bound of `LayeredSOA` with halving as the base learner."""
    C, epsilon = catalog.build(spec), Fraction(1)
    base = Halving(C.to_table())
    learner = LayeredSOA(base, LayeredParameters.from_theorem(Budget(epsilon, DELTA), 1, rounds))
    (bound,) = learner.bounds
    assert bound.value is not None and not bound.unmet
    found = [play(learner, Repeating(C), rounds, SeededCoins(seed)) for seed in range(games)]
    yield bound_outcome(
        BASES,
        f"{spec}, halving, epsilon={epsilon}, T={rounds}, adaptive",
        bound,
        [game.mistakes for game in found],
        false=bound.value // 2,
        privacy=(epsilon, DELTA),
        hypotheses={
            "the base learner has a mistake bound": base.mistake_bound == 1,
            **hypotheses(C, [game.examples for game in found]),
        },
    )


def improper(base: MistakeBounded, C: ConceptClass, rounds: int) -> int:
    """Return the number of published hypotheses that are not concepts, in a game."""
    parameters = LayeredParameters.from_theorem(Budget(Fraction(1), DELTA), 1, rounds)
    learner, coins = LayeredSOA(base, parameters), SeededCoins(1)
    concepts = {h.to_concept() for h in C.to_table()}
    state, published = learner.start(coins), set()
    for _ in range(rounds):
        assert state is not None
        published.add(state.hypothesis.to_concept())
        x = next((x for x in C.domain if state.hypothesis(x) != 1), None)
        if x is None:
            break
        state = learner.receive(state, (x, 1), coins)
    return len(published - concepts)


@recomputes(PROPER)
def proper(rounds: int) -> Iterator[Outcome]:
    """Check that `LayeredSOA` with a proper base learner publishes only concepts."""
    C, singletons = catalog.build("thresholds:n=2"), catalog.build("points:n=4")
    base = proper_soa(C)
    yield compare(
        PROPER,
        f"thresholds:n=2, T={rounds}",
        computed=improper(base, C, rounds),
        stated=0,
        twin=improper(SOA(singletons), singletons, rounds),
        privacy=(1, DELTA),
        hypotheses={"the base learner has a mistake bound": base.mistake_bound == 1},
    )


# ---- unknown horizon


@recomputes(DOUBLED)
def doubled(epsilon: Fraction, buckets: int) -> Iterator[Outcome]:
    """Check the mistake bound of `LayeredSOA` with doubling of the number of rounds."""
    C, rounds = catalog.build("points:n=2^64"), 2**buckets - 1

    def made(horizon: int) -> LayeredSOA:
        parameters = LayeredParameters.from_theorem(Budget(epsilon, DELTA), 1, horizon, RARE)
        return LayeredSOA(ConservativeSOA(C), parameters)

    (one,) = made(rounds).bounds
    assert one.value is not None
    bound = replace(one, value=one.value * buckets, failure=one.failure * buckets)
    game = play(Doubling(made, buckets), Repeating(C), rounds, SeededCoins(1))
    yield bound_outcome(
        DOUBLED,
        f"points:n=2^64, epsilon={epsilon}, T={rounds}, adaptive",
        bound,
        [game.mistakes],
        false=one.value,
        privacy=(epsilon, DELTA),
        trivial=rounds,
        hypotheses={"ldim": C.ldim() == 1, **hypotheses(C, [game.examples])},
    )


# ---- the forest


@recomputes(FIXED, CHOSEN)
def forest() -> Iterator[Outcome]:
    """Check that an adaptive target makes guesses of the forest wrong [LWY25, section 3].

    A tree with four leaves receives the example (2, 1) of 7 thresholds twice. After a mistake at 2,
    the SOA also labels 1 by 1. So the tournament example of two siblings is at the point 1, whose
    label depends on the target. The adversary observes the hypothesis that the tree shows after
    each example, and then chooses one of the consistent targets.
    """
    C = catalog.build("thresholds:n=7").to_table()
    targets = [h.to_concept() for h in C.restrict(2, 1)]

    def play_tree(coins: Coins) -> tuple[tuple[Hypothesis | None, ...], tuple[bool, ...]]:
        tree = Tree.of(SOA(C), 4)
        views, first = [tree.shown], tree.shown
        for _ in range(2):
            tree = tree.after(2, 1, coins)
            views.append(tree.shown)
        new = tree.shown not in (None, first)
        left = []
        for depth, vertex in tree.vertices():
            if depth == 1:
                assert isinstance(vertex.state, SOA)
                left.append({h.to_concept() for h in vertex.state.version_space.to_table()})
        return tuple(views), tuple(new and all(h in each for each in left) for h in targets)

    law = exact_distribution(play_tree)
    right: dict[tuple[Hypothesis | None, ...], list[Fraction]] = {}
    for view, flags in law:
        sums = right.setdefault(view, [Fraction(0)] * len(targets))
        right[view] = [
            total + law.rational((view, flags)) * flag
            for total, flag in zip(sums, flags, strict=True)
        ]
    fixed = min(sum(sums) for sums in zip(*right.values(), strict=True))
    chosen = sum((min(sums) for sums in right.values()), Fraction(0))
    where = "thresholds:n=7, 4 leaves, the example (2, 1) twice"
    eighth = Fraction(1, 8)
    yield compare(FIXED, where, computed=fixed, stated=eighth, false=2 * eighth)
    yield compare(CHOSEN, where, computed=chosen, stated=0, false=eighth)


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks: games of other base learners and of doubling, and a tree of the forest."""
    return [
        ClaimCheck(topic, bases, ("thresholds:n=2", 1000, 5)),
        ClaimCheck(topic, proper, (1000,)),
        ClaimCheck(topic, doubled, (Fraction(2), 14)),
        ClaimCheck(topic, forest),
    ]
