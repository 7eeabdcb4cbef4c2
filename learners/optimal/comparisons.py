"""Exact worst-case errors and mistakes of given learners, for comparison with the optimum.

The distributions are computed from the production code, in every branch of its coins. The worst
case over distributions is a maximum of a form (`learners.optimal.forms`), found by branch and bound
in floating point. The worst case over streams is found by trying all streams. These numbers are for
comparison. The proved bounds are the bounds of a `Frontier`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.checked import Rounds, Rows
from learners.coins import Coins
from learners.exact import OutputDistribution, exact_distribution
from learners.experts.hedge import DPHedge, Hedge
from learners.optimal.error_certificates import Labelling, cases
from learners.optimal.sample_problems import SampleProblem, labels_of, require_few_samples
from learners.optimal.symmetries import Integers
from learners.pac.base import BatchLearner
from learners.pac.samples import Sample
from learners.playing.expert_sources import experts_of
from learners.playing.learner import PublishedState, PublishingLearner
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import TooLarge
from lsclasses.numbers import plural, size_in_words
from lsclasses.options import check_arguments
from lsclasses.point_names import Label, Point

TOLERANCE = 1e-6
"""Largest error of the computed maximum over distributions."""
PublishedLaw: TypeAlias = OutputDistribution[PublishedState | None]
"""The distribution of a learner's state, which is None once the learner has halted."""
MOST_DRAWS = 1 << 17
"""Default of `learner_mistakes`: pairs of a distribution and a concept, about a minute."""


@check_arguments
def learner_error(
    C: ConceptClass, learner: BatchLearner, rows: Rows, labels: Labelling = "realizable"
) -> float:
    """Return the largest expected error of a learner over all distributions.

    Parameters
    ----------
    C : ConceptClass
        Class on few points.
    learner : BatchLearner
        Learner. Its output distribution must depend neither on the order of the rows nor on names:
        an automorphism of the class must act on the hypothesis as it acts on the rows.
    rows : int
        Number m of rows. The distribution is computed for each multiset of m examples.
    labels : "realizable" or "agnostic"
        Labels of the distribution. With "realizable", a concept labels it. With "agnostic", the
        error is the excess over the error of the best concept.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.generic import GenericLearner
    >>> C = catalog.build("points:n=3")
    >>> round(learner_error(C, GenericLearner(C, 1), 2), 4)
    0.4239
    """
    table = C.to_table()
    question = SampleProblem(labels_of(table.labels), rows, "any")
    require_few_samples(question)
    examples = [(x, y) for x in table.domain for y in (0, 1)]
    errors = np.full((len(question.samples), len(examples)), np.nan)
    moves = [question.moved_examples(each) for each in question.symmetries]
    for first in range(len(errors)):
        if np.isnan(errors[first, 0]):
            members = question.samples.members[first].tolist()
            sample = Sample(table.domain, tuple(examples[z] for z in members))
            law = exact_distribution(lambda coins: learner.fit(sample, coins))  # noqa: B023
            errors[first] = sum(
                float(probability.mid()) * np.array([h(x) != y for x, y in examples])
                for h, probability in law.items()
            )
            _spread(errors, first, question, moves)
    worst = 0.0
    for case in cases(question, labels):
        form, unit = case.form(errors, 1.0)
        worst = max(worst, case.simplex.maximum(form / unit, TOLERANCE).upper)
    return worst


def _spread(
    errors: NDArray[np.float64], first: int, question: SampleProblem, moves: Sequence[Integers]
) -> None:
    """Fill in the errors on all samples that automorphisms make of one sample."""
    reached = [first]
    for number in reached:
        for move in moves:
            image = int(question.samples.index(move[question.samples.members[number]]))
            if np.isnan(errors[image, 0]):
                errors[image, move] = errors[number]
                reached.append(image)


@check_arguments
def learner_mistakes(
    C: ConceptClass, learner: PublishingLearner, rounds: Rounds, *, most_draws: int = MOST_DRAWS
) -> float:
    """Return the largest expected number of mistakes over all streams that a concept labels.

    The streams are fixed before the game. All streams that begin in the same way share the
    distribution of the learner's state. Streams that lead to the same distribution and the same
    version space share the rest of the game. Two distributions count as the same if their
    probabilities agree in 12 digits.

    `Hedge` and `DPHedge` draw afresh in each round, so the distribution depends only on the number
    of times that each example occurred. For these learners, the function counts the distributions
    in advance.

    Parameters
    ----------
    C : ConceptClass
    learner : PublishingLearner
    rounds : int
        Number T of rounds.
    most_draws : int
        Largest number of pairs of a distribution and a concept, for `Hedge` and `DPHedge`.

    Raises
    ------
    TooLarge
        If `Hedge` or `DPHedge` needs more distributions. No distribution is computed.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=3")
    >>> round(learner_mistakes(C, split_budget_hedge(C, 3, 1), 3), 4)
    1.8238
    """
    version_spaces = VersionSpaces.of(C)
    if isinstance(learner, Hedge):
        _require_few_draws(version_spaces, rounds, most_draws)
        redrawn = _RedrawnGames(learner, version_spaces)
        return redrawn.worst(learner.start, {}, version_spaces.all, rounds)
    games = _Games(learner, version_spaces)
    return games.worst(exact_distribution(learner.start), version_spaces.all, rounds)


@dataclass(frozen=True)
class VersionSpaces:
    """The version spaces of a class on few points, as masks of concepts.

    Attributes
    ----------
    points : tuple of hashable
        Points of the class.
    ones : tuple of int
        For each point, the mask of the concepts with the label 1.
    all : int
        Mask of all concepts.
    """

    points: tuple[Point, ...]
    ones: tuple[int, ...]
    all: int

    @classmethod
    def of(cls, C: ConceptClass) -> VersionSpaces:
        """Return the version spaces of a class, whose concepts must be few enough for a table.

        Examples
        --------
        >>> import catalog
        >>> VersionSpaces.of(catalog.build("points:n=3"))
        VersionSpaces(points=(0, 1, 2), ones=(4, 2, 1), all=7)
        """
        table = C.to_table()
        rows = sorted({tuple(row) for row in table.labels.tolist()})
        points = tuple(table.domain)
        ones = (sum(row[x] << i for i, row in enumerate(rows)) for x in range(len(points)))
        return cls(points, tuple(ones), (1 << len(rows)) - 1)

    def splits(self, alive: int) -> Iterator[tuple[Point, tuple[int, int]]]:
        """Yield each point with the remaining concepts of both labels."""
        for point, ones in zip(self.points, self.ones, strict=True):
            yield point, (alive & ~ones, alive & ones)

    def examples(self, alive: int) -> Iterator[tuple[Point, Label, int]]:
        """Yield each example that a remaining concept labels, with the mask of these concepts."""
        for x, both in self.splits(alive):
            for y, kept in enumerate(both):
                if kept:
                    yield x, y, kept

    def histories(self, examples: int) -> int:
        """Return the number of multisets of at most so many examples that a concept labels.

        Examples
        --------
        >>> import catalog
        >>> VersionSpaces.of(catalog.build("cube:n=2")).histories(2)
        13
        """

        @cache
        def count(alive: int, x: int, left: int) -> int:
            if x == len(self.ones):
                return 1
            found = count(alive, x + 1, left)
            for kept in (alive & ~self.ones[x], alive & self.ones[x]):
                if kept:
                    found += sum(count(kept, x + 1, more) for more in range(left))
            return found

        return count(self.all, 0, examples)


def _require_few_draws(version_spaces: VersionSpaces, rounds: int, most: int) -> None:
    """Refuse games with too many distributions of a draw from the concepts."""
    concepts = version_spaces.all.bit_count()

    def draws(rounds: int) -> int:
        return version_spaces.histories(rounds - 1) * concepts

    needed = draws(rounds)
    if needed <= most:
        return
    fits = next(T for T in range(rounds - 1, -1, -1) if not T or draws(T) <= most)
    remedy = f"Use at most {plural(fits, 'round')}." if fits else "Use a smaller class."
    raise TooLarge(
        f"The mistakes of the exponential mechanism in {plural(rounds, 'round')} need "
        f"{size_in_words(needed // concepts, ',')} distributions of a draw from "
        f"{plural(concepts, 'concept')}, one for each multiset of fewer than {rounds} examples. "
        f"The limit is {most:,} pairs of a distribution and a concept. {remedy}",
        estimate=needed,
        limit=most,
    )


@dataclass(frozen=True)
class _Games:
    """The games of a learner against fixed streams, with the worst case of each known position."""

    learner: PublishingLearner
    version_spaces: VersionSpaces
    known: dict[Hashable, float] = field(default_factory=dict)

    def worst(self, law: PublishedLaw, alive: int, left: int) -> float:
        """Return the largest expected number of mistakes in the remaining rounds.

        Parameters
        ----------
        law : OutputDistribution
            Distribution of the learner's state.
        alive : int
            Mask of the version space.
        left : int
            Number of remaining rounds.
        """
        key = frozenset((state, f"{float(p.mid()):.12g}") for state, p in law.items()), alive, left
        if key not in self.known:
            self.known[key] = max(
                _mistakes(law, x, y)
                + (self.worst(self._next(law, x, y), kept, left - 1) if left > 1 else 0.0)
                for x, y, kept in self.version_spaces.examples(alive)
            )
        return self.known[key]

    def _next(self, law: PublishedLaw, x: Point, y: Label) -> PublishedLaw:
        def told(state: PublishedState | None, coins: Coins) -> PublishedState | None:
            return None if state is None else self.learner.learn(state, x, y, coins)

        return law.then(told)


@dataclass(frozen=True)
class _RedrawnGames:
    """The games of a learner that draws afresh in each round, by the counts of the examples."""

    learner: Hedge
    version_spaces: VersionSpaces
    known: dict[Hashable, float] = field(default_factory=dict)

    def worst(
        self,
        draw: Callable[[Coins], PublishedState | None],
        counts: Mapping[tuple[Point, Label], int],
        alive: int,
        left: int,
    ) -> float:
        """Return the largest expected number of mistakes in the remaining rounds.

        Parameters
        ----------
        draw : callable
            Function that draws the learner's state.
        counts : mapping
            Number of times that each example occurred.
        alive, left : int
            Arguments of `_Games.worst`.
        """
        key = frozenset(counts.items())
        if key not in self.known:
            law = exact_distribution(draw)
            # The next draw depends only on the losses, which are equal in all states.
            state = next(iter(law))
            assert state is not None
            self.known[key] = max(
                _mistakes(law, x, y)
                + (self._after(state, counts, (x, y), kept, left - 1) if left > 1 else 0.0)
                for x, y, kept in self.version_spaces.examples(alive)
            )
        return self.known[key]

    def _after(
        self,
        state: PublishedState,
        counts: Mapping[tuple[Point, Label], int],
        example: tuple[Point, Label],
        alive: int,
        left: int,
    ) -> float:
        more = {**counts, example: counts.get(example, 0) + 1}
        return self.worst(
            lambda coins: self.learner.learn(state, *example, coins), more, alive, left
        )


def _mistakes(law: PublishedLaw, x: Point, y: Label) -> float:
    """Return the probability of a mistake on an example."""
    wrong = law.probability(lambda state: state is not None and state.hypothesis(x) != y)
    return float(wrong.mid())


def split_budget_hedge(C: ConceptClass, rounds: int, epsilon: Fraction | int | str) -> DPHedge:
    """Return a learner that draws each concept by the exponential mechanism, at equal epsilons.

    The first of T draws reads no examples, so each of the other draws gets epsilon/(T - 1).

    Examples
    --------
    >>> import catalog
    >>> from learners.accounting import basic
    >>> basic(split_budget_hedge(catalog.build("points:n=3"), 3, 1).privacy)
    (Fraction(1, 1), Fraction(0, 1))
    """
    budget = checked.epsilon(epsilon)
    return DPHedge(experts_of(C), rounds, budget / (2 * max(1, rounds - 1)))


def non_private_mistakes(C: ConceptClass, rounds: int) -> Fraction:
    """Return the fewest expected mistakes without privacy, if any function may be published.

    With p the probability of the label 1 at x, the label 0 costs p and leaves the concepts with
    c(x) = 0. The best p makes both labels cost the same, if this is possible.

    Examples
    --------
    >>> import catalog
    >>> [str(non_private_mistakes(catalog.build("points:n=4"), T)) for T in (1, 2, 3)]
    ['1/2', '3/4', '7/8']
    """
    version_spaces = VersionSpaces.of(C)

    @cache
    def value(alive: int, left: int) -> Fraction:
        """The optimum for the remaining concepts, a mask, and the remaining rounds."""
        best = Fraction(0)
        if not left or alive.bit_count() == 1:
            return best
        for _, both in version_spaces.splits(alive):
            values = [value(V, left - 1) for V in both if V]
            if len(values) == 2 and abs(values[0] - values[1]) <= 1:
                values.append((1 + values[0] + values[1]) / 2)
            best = max(best, *values)
        return best

    return value(version_spaces.all, rounds)
