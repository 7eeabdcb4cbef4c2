"""Exact worst-case errors and mistakes of given learners, for comparison with the optimum.

The distributions are computed from the production code, in every branch of its coins. The worst
case over distributions is a maximum of a form (`learners.optimal.forms`), found by branch and bound
in floating point. The worst case over streams is found by trying all streams. These numbers are for
comparison. The proved bounds are the bounds of a `Frontier`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.checked import Rounds, Rows
from learners.coins import Coins
from learners.exact import OutputDistribution, exact_distribution
from learners.experts.hedge import DPHedge
from learners.optimal.error_certificates import Labelling, cases
from learners.optimal.sample_problems import SampleProblem, labels_of, require_few_samples
from learners.optimal.symmetries import Integers
from learners.pac.base import BatchLearner
from learners.pac.samples import Sample
from learners.playing.expert_sources import experts_of
from learners.playing.learner import PublishedState, PublishingLearner
from lsclasses.concept_class import ConceptClass
from lsclasses.options import check_arguments
from lsclasses.point_names import Label, Point

TOLERANCE = 1e-6
"""Largest error of the computed maximum over distributions."""


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
def learner_mistakes(C: ConceptClass, learner: PublishingLearner, rounds: Rounds) -> float:
    """Return the largest expected number of mistakes over all streams that a concept labels.

    The streams are fixed before the game. All streams that begin in the same way share the
    distribution of the learner's state.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=3")
    >>> round(learner_mistakes(C, split_budget_hedge(C, 3, 1), 3), 4)
    1.8238
    """
    return _worst(C, learner, exact_distribution(learner.start), rounds)


def _worst(
    C: ConceptClass,
    learner: PublishingLearner,
    law: OutputDistribution[PublishedState | None],
    left: int,
) -> float:
    worst = 0.0
    for x, y in _possible(C):
        wrong = law.probability(lambda state: state is not None and state.hypothesis(x) != y)  # noqa: B023
        gained = float(wrong.mid())
        if left > 1:

            def told(state: PublishedState | None, coins: Coins) -> PublishedState | None:
                return None if state is None else learner.learn(state, x, y, coins)  # noqa: B023

            gained += _worst(C.restrict(x, y), learner, law.then(told), left - 1)
        worst = max(worst, gained)
    return worst


def _possible(C: ConceptClass) -> Iterator[tuple[Point, Label]]:
    """Yield the examples with which some concept is consistent."""
    for x in C.domain:
        for y in (0, 1):
            if not C.restrict(x, y).is_empty:
                yield x, y


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
    rows = sorted({tuple(row) for row in C.to_table().labels.tolist()})
    ones = [sum(row[x] << i for i, row in enumerate(rows)) for x in range(len(rows[0]))]

    @cache
    def value(alive: int, left: int) -> Fraction:
        """The optimum for the remaining concepts, a mask, and the remaining rounds."""
        best = Fraction(0)
        if not left or alive.bit_count() == 1:
            return best
        for column in ones:
            values = [value(V, left - 1) for V in (alive & ~column, alive & column) if V]
            if len(values) == 2 and abs(values[0] - values[1]) <= 1:
                values.append((1 + values[0] + values[1]) / 2)
            best = max(best, *values)
        return best

    return value((1 << len(rows)) - 1, rounds)
