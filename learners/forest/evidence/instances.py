"""Small instances of `learners.forest.algorithm` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Annotated, ClassVar

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    Pairs,
    UndetectedVariant,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.forest.algorithm import Forest, ForestSOA
from learners.forest.plan import ForestParameters
from learners.forest.tree import Tree
from learners.multiset import Multiset
from learners.playing.learner import Kept, PublishedState, PublishingLearner
from lsclasses.domain import FiniteDomain
from lsclasses.hypothesis import Concept
from lsclasses.online import MistakeBounded
from lsclasses.points import Label, Point
from lsclasses.specifications import Option


class _Ones:
    """Coins that give 1 for a choice of two, and 0 for all others."""

    def below(self, n: int) -> int:
        """1 of two, 0 of more."""
        return int(n == 2)


def tree_after(tree: Tree, examples: Iterable[tuple[Point, Label]]) -> Tree:
    """The tree after examples, with all turns and guesses 1."""
    for x, y in examples:
        tree = tree.after(x, y, _Ones())  # type: ignore[arg-type]
    return tree


PUBLISH = "publish"
"""The item after which the next hypothesis is shown."""


@dataclass(frozen=True)
class PublishedStream:
    """A publishing learner as a program that reads and publishes in separate steps.

    It answers None to an example and its hypothesis to `PUBLISH`. What is explored of a step does
    not depend on how the one before it went, so two short steps take less than a long one.
    """

    learner: PublishingLearner

    def start(self, coins: Coins) -> PublishedState | None:
        """The state with the first hypothesis."""
        return self.learner.start(coins)

    def answer(self, state: Kept, item: object, coins: Coins) -> tuple[Kept, Hashable]:
        """The state after an example, or with the next hypothesis."""
        if item == PUBLISH:
            state = self.learner._published(state, coins)
            return state, None if state is None else state.hypothesis
        forest = state.inner if isinstance(state, PublishedState) else state
        assert isinstance(item, tuple)
        point, label = item
        return self.learner._receive(forest, point, label, coins), None


def _published(examples: tuple[tuple[int, int], ...]) -> tuple[object, ...]:
    """The examples, each followed by a step that publishes the next hypothesis."""
    return tuple(item for example in examples for item in (example, PUBLISH))


def replaced_examples(rounds: int) -> Pairs:
    """Streams of mistakes, with one place where the example is replaced."""
    hit, others = (0, 1), ((0, 0), (1, 1))

    return tuple(
        (
            _published((hit,) * rounds),
            _published((*(hit,) * place, other, *(hit,) * (rounds - place - 1))),
        )
        for place in range(rounds)
        for other in others
    )


@dataclass(frozen=True)
class FirstMistake(MistakeBounded):
    """A learner of point functions: 0 everywhere except at the point of its first mistake.

    It shows a single example as plainly as a learner can, and is in few states, so that audits of
    learners that are made of it have power.

    Parameters
    ----------
    domain_of : FiniteDomain
    most : int
        The number of mistakes from which it learns, if more than the first: it learns sets of
        this size.
    at : tuple of points
        Where it has erred.

    Examples
    --------
    >>> from lsclasses.domain import FiniteDomain
    >>> state = FirstMistake(FiniteDomain(range(3)))
    >>> [state.observe(0, 0).observe(1, 1).observe(2, 1).predict(x) for x in range(3)]
    [0, 1, 0]
    """

    domain_of: FiniteDomain
    most: int = 1
    at: tuple[Point, ...] = ()

    corrects: ClassVar[bool] = True

    @cached_property
    def hypothesis(self) -> Concept:
        """The rule that predicts in this state."""
        return _labelled(self.domain_of, self.at)

    @property
    def mistake_bound(self) -> int:
        """The number of mistakes that remain."""
        return self.most - len(self.at)

    def _observe(self, x: Point, y: Label) -> FirstMistake:
        if not y or x in self.at or not self.mistake_bound:
            return self
        return replace(self, at=tuple(sorted((*self.at, x), key=self.domain_of.index)))


@cache
def _labelled(domain: FiniteDomain, ones: tuple[Point, ...]) -> Concept:
    """The concept that is 1 at these points, made once, since audits compare concepts often."""
    return Concept.from_labels(domain, [int(x in ones) for x in domain])


@dataclass(frozen=True)
class FixedCoinsForest(ForestSOA):
    """`ForestSOA` with fixed choices, as in its privacy proof: only noise is random.

    The guarantee holds for each way that choices can fall; this is one in which a single example is
    seen as well as can be. Every tree has learned the same examples before the audit; then each
    round tells the next tree, until there is none left. All turns and guesses are 1. With four
    leaves and one mistake of `FirstMistake` before, one more makes a tree show the target.

    Parameters
    ----------
    base, parameters, failure
        As in `ForestSOA`.
    history : tuple of (point, label)

    Examples
    --------
    >>> parameters = ForestParameters(4, 3, Fraction(1, 2), 2, Fraction(8), Fraction(1, 9))
    >>> base = FirstMistake(FiniteDomain(range(2)))
    >>> learner = FixedCoinsForest(base, parameters, history=((0, 1),))
    >>> forest = learner._begin(None)
    >>> for _ in range(2):
    ...     forest = learner._receive(forest, 0, 1, None)
    >>> sorted((shown(0), count) for shown, count in forest.shown.items())
    [(0, 1), (1, 2)]
    """

    history: tuple[tuple[Point, Label], ...] = ()

    @cached_property
    def _tree(self) -> Tree:
        """A tree that has received the history and nothing since."""
        return tree_after(Tree.of(self.base, self.parameters.leaves), self.history)

    def _begin(self, coins: Coins) -> Forest:
        tree, count = self._tree, self.parameters.trees
        return Forest(Multiset({tree: count}), Multiset({tree.shown: count}))

    def _receive(self, forest: Forest, point: Point, label: Label, coins: Coins) -> Forest:
        if forest.played >= self.parameters.trees:
            return replace(forest, played=forest.played + 1)
        before = self._tree
        after = tree_after(before, [(point, label)])
        return replace(
            forest,
            trees=forest.trees.exchanged(before, after),
            shown=forest.shown.exchanged(before.shown, after.shown),
            played=forest.played + 1,
        )


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(16),
    delta: ClaimedDelta = Fraction(1, 50),
    trees: Annotated[int, Option("how many trees there are", minimum=1, maximum=8)] = 2,
    leaves: Annotated[int, Option("leaves of every tree", minimum=2, maximum=8)] = 4,
    frequency: Annotated[Fraction, Option("how frequent a name is")] = Fraction(1, 2),
    histograms: Annotated[int, Option("how often a name is looked for", minimum=1, maximum=3)] = 2,
    rounds: Annotated[int, Option("how many examples", minimum=1, maximum=8)] = 4,
    printed: Annotated[bool, Option("tests as in [GL21, Alg 2], with half of the noise")] = False,
    chosen: Annotated[bool, Option("the choices are given, and only noise is random")] = False,
) -> Instance:
    """Examples that all ask for the same name, except in one place.

    Given the choices, half of the trees show it, or one less, and no other example asks for it: a
    test reads the difference again and again until a histogram does.
    """
    asked = max(1, histograms - 1)
    parameters = ForestParameters(
        leaves,
        trees,
        frequency,
        histograms,
        epsilon * histograms / asked,
        delta * histograms / asked,
        paper_constants=printed,
    )
    base, (hit, miss) = FirstMistake(FiniteDomain(range(2))), ((0, 1), (0, 0))
    learner = ForestSOA(base, parameters)
    pairs = replaced_examples(rounds)
    if chosen:
        learner = FixedCoinsForest(base, parameters, history=(hit,))
        few = min(trees // 2, rounds)
        rest = (*(hit,) * (few - 1), *(miss,) * (rounds - few))
        pairs = ((_published((hit, *rest)), _published((miss, *rest))),)
    return Instance(learner, lambda forest: Stepwise(PublishedStream(forest)), pairs)


AUDITS = (
    AuditEntry(
        "forest_soa",
        "the hypotheses that a forest publishes; one example is replaced",
        _instance,
        Fraction("3.86"),
        "which tree gets the example is drawn, and one example alone never makes a name",
        unseen=(
            UndetectedVariant(
                "half the noise",
                "a quarter of the claim is lost here, so that twice as much is not all of it",
                "forest_soa:epsilon=8,trees=4,rounds=6,chosen=1",
            ),
            *(
                UndetectedVariant(
                    mistake, "a quarter of the claim is lost here, and with the mistake not all"
                )
                for mistake in ("half the noise of tests", "tests begin anew")
            ),
        ),
    ),
)
