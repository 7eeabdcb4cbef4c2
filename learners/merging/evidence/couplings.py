"""Couplings of the random steps of `MergingSOA` on neighbouring inputs, by maximum flows.

The learner's code draws the subset of mistakes and the merged pairs. `exact_distribution`
enumerates its draws. A maximum flow then gives the largest probability with which two worlds can be
coupled such that at most one node is replaced, added or removed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from flint import arb, ctx

from learners.accounting import basic
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.mechanisms.noise import tail
from learners.merging.algorithm import MergingSOA
from learners.merging.draws import drawn
from learners.merging.parameters import MergingLevel, MergingParameters
from learners.merging.version_spaces import Example, Node
from lsclasses.table import Table

PAGE = "docs/merging.md, "

SUBSETS = Claim(
    "largest mass of a coupling of the random subsets of M_0 with one changed element",
    "1",
    relation="==",
    source=f"{PAGE}Theorem M1",
    falsified="with the first mistakes of the sorted list instead of a random subset",
    incorrect_object=True,
)
PAIRS = Claim(
    "largest mass of a coupling of the merged nodes with one changed node",
    "1",
    relation="==",
    source=f"{PAGE}Theorem M1",
    falsified="with independent choices of pairs for each function",
    incorrect_object=True,
)
ORDER = Claim(
    "largest mass of a coupling of the merged nodes with one changed node, one function",
    "1",
    relation="==",
    source=f"{PAGE}Theorem M1",
    falsified="with pairs in the order of arrival",
    incorrect_object=True,
)
GAME = Claim(
    "hockey-stick divergence at the claimed epsilon of a game with j published functions",
    "delta",
    source=f"{PAGE}One set of kept pairs",
    falsified="with independent choices of pairs for each function",
    incorrect_object=True,
)


# ---- flows


def largest_coupling(
    one: Mapping[Any, Fraction], other: Mapping[Any, Fraction], near: Callable[[Any, Any], bool]
) -> Fraction:
    """Return the largest probability of near pairs in a coupling of two distributions.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> str(largest_coupling({0: half, 2: half}, {1: half, 9: half}, lambda i, j: abs(i - j) < 2))
    '1/2'
    """
    left: dict[Any, Fraction] = {("left", each): p for each, p in one.items()}
    right: dict[Any, Fraction] = {("right", each): p for each, p in other.items()}
    # Residual capacities. The edges between near outcomes have no limit.
    flow: dict[tuple[Any, Any], Fraction] = {}
    edges = {a: [b for b in right if near(a[1], b[1])] for a in left}
    moved = Fraction(0)
    while True:
        before: dict[Any, Any] = {a: None for a, free in left.items() if free}
        queue, end = deque(before), None
        while queue and end is None:
            node = queue.popleft()
            if node[0] == "left":
                steps: Iterable[Any] = edges[node]
            else:
                if right[node]:
                    end = node
                    break
                steps = [a for a in left if flow.get((a, node))]
            for step in steps:
                if step not in before:
                    before[step] = node
                    queue.append(step)
        if end is None:
            return moved
        path = [end]
        while before[path[-1]] is not None:
            path.append(before[path[-1]])
        path.reverse()
        backward = (flow[path[i + 1], path[i]] for i in range(1, len(path) - 1, 2))
        amount = min([left[path[0]], right[end], *backward])
        for i in range(len(path) - 1):
            if i % 2 == 0:
                edge = path[i], path[i + 1]
                flow[edge] = flow.get(edge, Fraction(0)) + amount
            else:
                flow[path[i + 1], path[i]] -= amount
        left[path[0]] -= amount
        right[end] -= amount
        moved += amount


Bag = frozenset[tuple[Hashable, int]]


def one_change(one: Bag, other: Bag) -> bool:
    """Return whether two multisets differ by one element replaced, added or removed."""
    first, second = Counter(dict(one)), Counter(dict(other))
    return (first - second).total() <= 1 and (second - first).total() <= 1


def bags(run: Callable[[Coins], Mapping[Any, int]]) -> dict[Bag, Fraction]:
    """Return the exact distribution of the random multiset that a run returns."""
    law = exact_distribution(lambda coins: frozenset(run(coins).items()))
    return {bag: law.rational(bag) for bag in law}


def coupled(
    zero: Callable[[Coins], Mapping[Any, int]], one: Callable[[Coins], Mapping[Any, int]]
) -> Fraction:
    """Return the largest probability, in a coupling of two multisets, of at most one change."""
    return largest_coupling(bags(zero), bags(one), one_change)


# ---- the learner's code


LABELS = 8
"""Number of points of the class in the checks of this module."""


def every_labelling() -> Table:
    """Return a class with all labellings, in which different examples leave different nodes."""
    return Table([[row >> x & 1 for x in range(LABELS)] for row in range(1 << LABELS)])


@dataclass(frozen=True)
class BareMerging(MergingSOA):
    """`MergingSOA` whose nodes are all ready, as in the coupling of its proof."""

    def _kept_ready(self, nodes: Counter[Node], level: int) -> Counter[Node]:
        return nodes

    @cached_property
    def _nodes(self) -> Any:
        return _Labels()


@dataclass(frozen=True)
class BarePairs(BareMerging):
    """`BareMerging` whose ready nodes are pairs already, so no matching is drawn."""

    def _group_size(self, level: int) -> int:
        return 1


class _Labels:
    """Nodes as sets of labels, which are never equal for different histories."""

    def node(self, examples: Iterable[Example]) -> Node:
        return tuple(sorted(map(repr, examples)))

    def meet(self, nodes: Iterable[Any]) -> Node:
        return tuple(sorted(nodes, key=repr))


def bare(kind: type[BareMerging], nodes: int) -> BareMerging:
    """Return the learner of the checks, for two levels."""
    level = MergingLevel(Fraction(1), Fraction(1, 100), noise="laplace")
    parameters = MergingParameters(2, 10, nodes, Fraction(1), 1, (level, level))
    return kind(every_labelling(), parameters)


@dataclass(frozen=True)
class ListedNodes(BareMerging):
    """`BareMerging` whose groups are drawn from the sorted list of nodes, by `_groups_of`."""

    def _groups(
        self,
        level: int,
        ready: Mapping[Any, int],
        sets: tuple[dict[Example, int], ...],
        coins: Coins,
    ) -> Counter[Node]:
        return self._groups_of(sorted(Counter(dict(ready)).elements(), key=repr), sets, coins)

    def _groups_of(
        self, listed: list[Any], sets: tuple[dict[Example, int], ...], coins: Coins
    ) -> Counter[Node]:
        raise NotImplementedError


@dataclass(frozen=True)
class IndependentPairs(ListedNodes, BarePairs):
    """An incorrect variant in which each function chooses its pairs independently."""

    def _groups_of(
        self, listed: list[Any], sets: tuple[dict[Example, int], ...], coins: Coins
    ) -> Counter[Node]:
        held: list[list[Example | None]] = [[] for _ in listed]
        for each in sets:
            number = min(len(listed), sum(each.values()))
            elements = drawn(each, number, coins)
            chosen = drawn(Counter(range(len(listed))), number, coins)
            given = dict(zip(chosen, elements, strict=True))
            for i, row in enumerate(held):
                row.append(given.get(i))
        return Counter(
            self._nodes.meet([pair, self._nodes.node(row)])
            for pair, row in zip(listed, held, strict=True)
            if None not in row
        )


@dataclass(frozen=True)
class PairsInOrder(ListedNodes):
    """An incorrect variant that pairs the nodes in a fixed order."""

    def _groups_of(
        self, listed: list[Any], sets: tuple[dict[Example, int], ...], coins: Coins
    ) -> Counter[Node]:
        kept = min([len(listed) // 2, *(sum(each.values()) for each in sets)])
        elements = [drawn(each, kept, coins) for each in sets]
        return Counter(
            self._nodes.meet(
                [*listed[2 * i : 2 * i + 2], self._nodes.node([each[i] for each in elements])]
            )
            for i in range(kept)
        )


@dataclass(frozen=True)
class FirstMistakes(BareMerging):
    """An incorrect variant whose level 1 has the first mistakes of the sorted list."""

    def _first_nodes(self, mistakes: Any, coins: Coins) -> Counter[Node]:
        assert self.parameters is not None
        listed = sorted(Counter(dict(mistakes)).elements(), key=repr)
        return Counter(self._nodes.node([each]) for each in listed[: self.parameters.nodes_at(1)])


def mistakes_of(count: int, first: int = 0) -> dict[Example, int]:
    """Return a number of different examples."""
    return {((x // 2) % LABELS, x % 2): 1 for x in range(first, first + count)}


@recomputes(SUBSETS)
def subsets(elements: int, nodes: int) -> Iterator[Outcome]:
    """Check the coupling of the random subset of mistakes, if one mistake is added or replaced."""

    def least(kind: type[BareMerging]) -> Fraction:
        learner = bare(kind, nodes)
        base, found = mistakes_of(elements), []
        more = {**base, (LABELS - 1, 1): 1}
        other = {**base, (LABELS - 1, 0): 1}
        for zero, one in ((base, more), (more, other)):
            found.append(
                coupled(
                    partial(learner._first_nodes, frozenset(zero.items())),
                    partial(learner._first_nodes, frozenset(one.items())),
                )
            )
        return min(found)

    yield compare(
        SUBSETS,
        f"{elements} mistakes, one of them added or replaced, k_1={2 * nodes}",
        computed=least(BareMerging),
        stated=1,
        twin=_moved(elements, nodes),
    )


def _moved(elements: int, nodes: int) -> Fraction:
    """Return the mass for the incorrect variant, with the additional mistake before the others."""
    learner, base = bare(FirstMistakes, nodes), mistakes_of(elements, 2)
    # The variant keeps the first mistakes of a sorted list and pairs them in this order.
    paired = bare(PairsInOrder, nodes)

    def run(given: dict[Example, int], coins: Coins) -> Counter[Node]:
        return paired._groups(1, learner._first_nodes(frozenset(given.items()), coins), (), coins)

    more = {(0, 0): 1, **base}
    return coupled(lambda coins: run(base, coins), lambda coins: run(more, coins))


@recomputes(PAIRS)
def pairs(count: int, elements: int, functions: int) -> Iterator[Outcome]:
    """Check the coupling of the merged nodes, if one pair or one mistake is added."""
    sets = tuple(mistakes_of(elements) for _ in range(functions))
    more_sets = (mistakes_of(elements + 1), *sets[1:])
    ready = dict.fromkeys(range(count), 1)
    worlds = (((ready, sets), ({**ready, count: 1}, sets)), ((ready, sets), (ready, more_sets)))

    def least(kind: type[BareMerging]) -> Fraction:
        learner = bare(kind, 8)
        return min(
            coupled(partial(learner._groups, 1, *zero), partial(learner._groups, 1, *one))
            for zero, one in worlds
        )

    yield compare(
        PAIRS,
        f"{count} pairs, one more pair or element, {functions} sets of {elements} mistakes",
        computed=least(BarePairs),
        stated=1,
        twin=least(IndependentPairs),
    )


@recomputes(ORDER)
def in_order(nodes: int) -> Iterator[Outcome]:
    """Check the coupling of the merged nodes, if one node is added."""
    ready = dict.fromkeys(range(1, nodes + 1), 1)

    def mass(kind: type[BareMerging]) -> Fraction:
        learner = bare(kind, 8)
        more: dict[Any, int] = {0: 1, **ready}
        return coupled(
            partial(learner._groups, 1, ready, ()), partial(learner._groups, 1, more, ())
        )

    yield compare(
        ORDER,
        f"{nodes} nodes, one more node",
        computed=mass(BareMerging),
        stated=1,
        twin=mass(PairsInOrder),
    )


# ---- the closed form of a game


@dataclass(frozen=True)
class ManyFunctions:
    """A family of games with d = 2 and j published functions, by a closed form.

    One world has n pairs with the function f in their lists. The other world has one more pair, and
    one of its n + 1 pairs is the pair of the target. Each published function has n mistakes.
    """

    functions: int
    rates: tuple[Fraction, Fraction]
    copies: int
    pairs: int
    thresholds: tuple[int, int]

    def divergence(self, epsilon: Fraction, independent: bool) -> arb:
        """Return the hockey-stick divergence at epsilon of the functions that are released."""
        n, scales = self.pairs, [1 / rate for rate in self.rates]
        released = tail(scales[0], self.thresholds[0] - self.copies) ** self.functions

        def shown(count: int) -> arb:
            return tail(scales[1], self.thresholds[1] - count)

        missed = self._missed(independent)
        one = shown(n)
        other = sum((ball(p) * shown(n - d) for d, p in missed.items()), arb(0))
        odds = ball(epsilon).exp()
        return released * (one - odds * other).max((1 - other) - odds * (1 - one)).max(arb(0))

    def _missed(self, independent: bool) -> dict[int, Fraction]:
        """Return the distribution of the number of missed pairs other than the target's pair."""
        n = self.pairs
        if not independent:
            return {0: Fraction(1, n + 1), 1: Fraction(n, n + 1)}
        found = {0: Fraction(1)}
        for _ in range(self.functions):
            after: dict[int, Fraction] = {}
            for d, p in found.items():
                # The missed pair is the target's pair, a pair missed before, or a new pair.
                known = Fraction(1 + d, n + 1)
                after[d] = after.get(d, Fraction(0)) + p * known
                after[d + 1] = after.get(d + 1, Fraction(0)) + p * (1 - known)
            found = after
        return {d: p for d, p in found.items() if p}


@recomputes(GAME)
def closed_form(game: ManyFunctions, waiting: str, delta: str) -> Iterator[Outcome]:
    """Check the privacy of a game with many published functions, by a closed form."""
    one, two = game.rates
    half = Fraction(delta) / 2
    levels = (
        MergingLevel(2 * one, half, game.functions, "laplace"),
        MergingLevel(4 * two, half, 1, "laplace"),
    )
    parameters = MergingParameters(2, 10**6, game.pairs + 1, Fraction(waiting), 1, levels)
    epsilon, claimed = basic(parameters.privacy)
    with ctx.workprec(512):
        yield compare(
            GAME,
            f"j={game.functions}, e=({one}, {two}), n={game.pairs}, epsilon={float(epsilon):.4g}",
            computed=game.divergence(epsilon, False),
            stated=claimed,
            twin=game.divergence(epsilon, True),
            privacy=(epsilon, claimed),
        )


FEW = ManyFunctions(9, (Fraction(5), Fraction(3)), 3, 13, (3, 5))
SHORT = ManyFunctions(8, (Fraction(9), Fraction(9)), 2, 8, (2, 2))
MANY = ManyFunctions(20, (Fraction(5), Fraction(1)), 3, 30, (3, 12))
SMALL_EPSILON = ManyFunctions(48, (Fraction(9, 20), Fraction(9, 400)), 40, 960, (33, 647))


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of couplings, small instances first."""
    return [
        ClaimCheck(topic, subsets, (5, 2)),
        ClaimCheck(topic, pairs, (2, 2, 2)),
        ClaimCheck(topic, pairs, (2, 2, 3)),
        ClaimCheck(topic, in_order, (4,)),
        ClaimCheck(topic, closed_form, (FEW, "1/10", "1/10000")),
        ClaimCheck(topic, closed_form, (SHORT, "1/10", "1/1000")),
        ClaimCheck(topic, closed_form, (MANY, "1/10", "1/10000")),
        ClaimCheck(topic, closed_form, (SMALL_EPSILON, "1/100", "1/1000000"), slow=True),
        ClaimCheck(topic, pairs, (3, 2, 2), slow=True),
        ClaimCheck(topic, subsets, (6, 2), slow=True),
    ]
