"""The exact error or mistakes of the shipped private learners, next to the optimum.

The error of a learner from samples is its largest expected error over all concepts and all
distributions. The mistakes of an online learner are the largest expected number of mistakes over
all fixed realizable streams. Both follow from the exact output distributions of the production
code. Learners of this package break ties by the order of points or concepts, so symmetries of the
class are not used here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from learners.accounting import CHALLENGE, neighbours
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.optimal.challenge import optimal_answers
from learners.optimal.comparisons import TOLERANCE, learner_mistakes
from learners.optimal.error import optimal_error
from learners.optimal.error_certificates import ConceptCase
from learners.optimal.mistakes import optimal_mistakes
from learners.optimal.sample_problems import SampleProblem, labels_of
from learners.pac.base import BatchLearner
from learners.pac.entries import BATCH_LEARNERS
from learners.pac.samples import Sample
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import Kept, OnlineLearner, PublishingLearner, as_learner
from lsclasses.brackets import Bracket
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.specifications import Entry

SLOW = (
    "agnostic-pop",
    "forest-soa",
    "layered-soa",
    "rerun-forest",
    "sanitized",
    "sparse-experts",
    "subsample-aggregate",
)
"""Learners whose exact distribution takes more than 10 seconds on ``thresholds:n=2``."""
REASON = "its exact distribution takes more than 10 seconds"
OPTIMA = ("optimal-predictor",)
"""Names of the learners that attain the optimum by definition."""

Game = Literal["error", "mistakes", "answers"]


@dataclass(frozen=True)
class LearnerRatio:
    """A learner on one class, with the optimum of its game.

    Attributes
    ----------
    learner : str
        Name of the learner.
    game : "error", "mistakes" or "answers"
        Error from samples, mistakes of published hypotheses, or mistakes of private answers.
    size : int
        Number of rows or rounds.
    value : float or None
        Exact error or mistakes, None if the learner was not run.
    optimum : Bracket
        Bounds on the value of the best private learner.
    remark : str
        Reason why the learner was not run, or the guarantee of a learner with a positive delta.
    """

    learner: str
    game: Game
    size: int
    value: float | None
    optimum: Bracket
    remark: str = ""

    @property
    def ratio(self) -> float | None:
        """The value divided by the middle of the bounds on the optimum."""
        return None if self.value is None else self.value / float(self.optimum.middle)


class _EverySample(SampleProblem):
    """A problem without symmetries, for learners that break ties by names."""

    @cached_property
    def symmetries(self) -> tuple[()]:
        return ()


class _WholeSimplex(ConceptCase):
    """A concept with all distributions, for learners that are not symmetric."""

    @cached_property
    def corners(self) -> None:
        return None


def any_learner_error(C: ConceptClass, learner: BatchLearner, rows: int) -> float:
    """Return a learner's largest expected error, also if it depends on the names of points.

    The learner must not depend on the order of the rows.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.generic import GenericLearner
    >>> C = catalog.build("points:n=3")
    >>> round(any_learner_error(C, GenericLearner(C, 1), 2), 4)
    0.4239
    """
    table = C.to_table()
    question = _EverySample(labels_of(table.labels), rows, "any")
    examples = [(x, y) for x in table.domain for y in (0, 1)]
    errors = np.zeros((len(question.samples), len(examples)))
    for number, members in enumerate(question.samples.members.tolist()):
        sample = Sample(table.domain, tuple(examples[z] for z in members))
        law = exact_distribution(lambda coins: learner.fit(sample, coins))  # noqa: B023
        for h, probability in law.items():
            wrong = np.array([h(x) != y for x, y in examples])
            errors[number] += float(probability.mid()) * wrong
    worst = 0.0
    for concept, labels in enumerate(question.concepts):
        supported = tuple(2 * x + y for x, y in enumerate(labels))
        case = _WholeSimplex(question, concept, supported)
        form, unit = case.form(errors, 1.0)
        worst = max(worst, case.simplex.maximum(form / unit, TOLERANCE).upper)
    return worst


def predictor_mistakes(C: ConceptClass, learner: OnlineLearner, rounds: int) -> float:
    """Return the largest expected mistakes of a predictor's answers over all realizable streams.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2")
    >>> round(predictor_mistakes(C, optimal_answers(C, 3, 1).learner, 3), 4)
    1.1531
    """
    return _worst(C, learner, exact_distribution(learner.start), rounds)


def _worst(C: ConceptClass, learner: OnlineLearner, law: object, left: int) -> float:
    worst = 0.0
    for x in C.domain:

        def answered(state: Kept, coins: Coins) -> tuple[Kept, int]:
            if state is None:
                return None, 0
            after, answer = learner.predict(state, x, coins)  # noqa: B023
            return after, int(answer)

        answers = law.then(answered)  # type: ignore[attr-defined]
        for y in (0, 1):
            if C.restrict(x, y).is_empty:
                continue
            gained = float(answers.probability(lambda each: each[1] != y).mid())  # noqa: B023
            if left > 1:

                def told(each: tuple[Kept, int], coins: Coins) -> Kept:
                    state = each[0]
                    return None if state is None else learner.learn(state, x, y, coins)  # noqa: B023

                gained += _worst(C.restrict(x, y), learner, answers.then(told), left - 1)
            worst = max(worst, gained)
    return worst


def ratios(
    C: ConceptClass, epsilon: Fraction, rows: tuple[int, ...], rounds: tuple[int, ...]
) -> Iterator[LearnerRatio]:
    """Yield all private learners of the package on a class, each with the optimum.

    Parameters
    ----------
    C : ConceptClass
        Class of at least two concepts, on few points.
    epsilon : Fraction
        Epsilon of all learners and of the optimum. The optimum has delta 0. A learner that needs a
        positive delta runs with its default delta, so its guarantee is weaker than the guarantee of
        the optimum.
    rows, rounds : tuple of int
        Numbers of rows of learners from samples, and of rounds of online learners.

    Examples
    --------
    >>> import catalog
    >>> found = ratios(catalog.build("points:n=3"), Fraction(1), (1,), ())
    >>> generic = next(each for each in found if each.learner == "generic")
    >>> round(generic.value, 4), round(generic.ratio, 3)
    (0.5481, 1.422)
    """
    for m in rows:
        best = optimal_error(C, m, epsilon)
        optimum = Bracket(best.lower, best.upper)
        for name, entry in BATCH_LEARNERS.items():
            if _has_epsilon(entry):
                yield _of_samples(name, C, epsilon, m, optimum)
    for T in rounds:
        publishing = optimal_mistakes(C, T, epsilon)
        answering = optimal_answers(C, T, epsilon)
        optima: dict[Game, Bracket] = {
            "mistakes": Bracket(publishing.lower, publishing.upper),
            "answers": Bracket(answering.lower, answering.upper),
        }
        for name, online in ONLINE_LEARNERS.items():
            if _has_epsilon(online) and name not in OPTIMA:
                yield _online(name, C, epsilon, T, optima)


def _has_epsilon(entry: Entry) -> bool:
    return any(parameter.name == "epsilon" for parameter in entry.parameters)


def _of_samples(
    name: str, C: ConceptClass, epsilon: Fraction, rows: int, optimum: Bracket
) -> LearnerRatio:
    if name in SLOW:
        return LearnerRatio(name, "error", rows, None, optimum, REASON)
    try:
        learner = BATCH_LEARNERS[name].learner(C, rows, epsilon=epsilon)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The error bounds of few rows are not of interest.
            value = any_learner_error(C, learner, rows)
    except (InvalidInput, TooLarge) as error:
        return LearnerRatio(name, "error", rows, None, optimum, _first_sentence(error))
    return LearnerRatio(name, "error", rows, value, optimum)


def _online(
    name: str, C: ConceptClass, epsilon: Fraction, rounds: int, optima: dict[Game, Bracket]
) -> LearnerRatio:
    if name in SLOW:
        return LearnerRatio(name, "mistakes", rounds, None, optima["mistakes"], REASON)
    game: Game = "mistakes"
    try:
        learner = as_learner(ONLINE_LEARNERS[name].learner(C, rounds, epsilon=epsilon))
        if isinstance(learner, PublishingLearner):
            value = learner_mistakes(C, learner, rounds)
        else:
            event = learner.privacy
            if event is None or neighbours(event) != CHALLENGE:
                raise InvalidInput("Its predictions are not the answers of this game.")
            game = "answers"
            value = predictor_mistakes(C, learner, rounds)
    except (InvalidInput, TooLarge) as error:
        return LearnerRatio(name, game, rounds, None, optima[game], _first_sentence(error))
    return LearnerRatio(name, game, rounds, value, optima[game])


def _first_sentence(error: Exception) -> str:
    return str(error).split(". ")[0].rstrip(".")
