r"""A sanitizer by sequential fooling [LWY25, App. D.2], with exchangeable components.

In every round a generator proposes a distribution. A discriminator, which holds the data, returns a
concept on which the proposal is off by at least alpha/2, or "WIN" if it finds no such concept. In
this case, the proposal is right up to alpha on all concepts. The last proposal is the result.

**Privacy.** The release is computed from the answers of at most T rounds. These answers are an
adaptive composition of T answers of the discriminator, and no other step reads the data. The
guarantee holds for every generator and every T.

**Accuracy.** Each answer is right except with probability b, if there are as many points as the
discriminator needs (`learners.sanitizers.discriminators`). If all answers are right, some answer is
"WIN" within the number of rounds that the generator guarantees (`learners.sanitizers.generators`),
and then the proposal is right. So with this number as T, the error is at most alpha except with
probability T b plus the failure probability of the generator.

The budget of an answer is the largest for which T answers keep the whole budget, by zCDP or by
adding up. [LWY25, Thm 4.2] has epsilon/(2 sqrt(2 T ln(2/delta))). For a finite class,
`learners.sanitizers.mwem` is this game without parts and bins, and needs fewer points. In this
module, any private proper learner can replace its exponential mechanism, and any learner of the
dual class can replace its weights.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, TypeVar

from flint import ctx

from learners.accounting import Event, SelfComposed, zcdp_rho
from learners.balls import ball, round_down
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Alpha, CompositionDelta, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.number_arguments import PRECISION, require_size
from learners.pac.base import enough_rows
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Sanitizer, SyntheticData
from learners.sanitizers.discriminators import (
    Discriminator,
    ExponentialParts,
    FoolingDiscriminator,
    MarkedPoints,
    PartLearners,
)
from learners.sanitizers.generators import Generator, HedgeGenerator, Proposal
from learners.sanitizers.point_samples import PointSample
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label
from lsclasses.table import Table

D = TypeVar("D", bound=Discriminator)

BITS = 10
"""Number of bits of the budget of one round, which is rounded down so that draws are fast."""


def round_epsilon(
    answer: Callable[[Fraction], Event], rounds: int, epsilon: Fraction, delta: Fraction
) -> Fraction:
    """Return the epsilon of one answer such that all answers together keep a budget.

    Parameters
    ----------
    answer : callable
        Function from a budget e to the event of an answer, at most e-DP, with a zCDP that grows as
        e^2.
    rounds : int
        Number of rounds of the game.
    epsilon, delta : Fraction
        Budget of all answers. With delta = 0, losses are added up.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> answer = lambda epsilon: PureDP(epsilon, scope=Scope.adaptive("replace_one"))
    >>> round_epsilon(answer, 100, Fraction(1), Fraction(0))
    Fraction(655, 65536)
    >>> float(round_epsilon(answer, 100, Fraction(1), Fraction(1, 10**6)))
    0.022...
    """
    with ctx.workprec(PRECISION):
        each = round_down(ball(epsilon / rounds), BITS)
        if delta:
            unit = ball(answer(Fraction(1)).profile().concentrated)
            each = max(
                each, round_down((ball(zcdp_rho(epsilon, delta)) / (rounds * unit)).sqrt(), BITS)
            )
    return each


class AskingSanitizer(Sanitizer):
    """A sanitizer that queries a discriminator and releases a function of its answers."""

    discriminator: Discriminator
    max_rounds: int

    @property
    def concept_class(self) -> Table:
        """The class whose concepts have estimated shares of points with label 1."""
        return self.discriminator.of

    @property
    def rows(self) -> int:
        """The sample size of the discriminator."""
        return self.discriminator.size

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a release: the cost of all rounds, although most runs end earlier."""
        return SelfComposed(self.discriminator.privacy, self.max_rounds)


def require_points(of: Table) -> None:
    """Refuse a class on no points."""
    if not len(of.domain):
        raise InvalidInput("The class must have at least one point. Got a class on no points.")


def affordable(
    discriminator: Callable[[int, Fraction], D],
    rounds: int,
    budget: Budget,
    size: int | None = None,
) -> D:
    """Return the discriminator whose `rounds` answers together cost at most the budget.

    Parameters
    ----------
    discriminator : callable
        Function that returns a discriminator for a number of points and a budget per answer.
    rounds : int
        Number of answers.
    budget : Budget
        Budget of all answers.
    size : int, optional
        Number of points. By default, the least number that the discriminator needs.
    """
    each = round_epsilon(
        lambda budget: discriminator(1, budget).privacy, rounds, budget.epsilon, budget.delta
    )
    return discriminator(discriminator(1, each).rows_needed if size is None else size, each)


@dataclass(frozen=True)
class FoolingRun:
    """The release of `FoolingSanitizer`, with the private answers of its discriminator.

    Attributes
    ----------
    answers : tuple of (int, label)
        One pair for each concept that the discriminator found: the position of the concept in the
        class, and a label. The label is 1 if the share of the concept in the proposed data was too
        small, and 0 if the share was too large.
    won : bool
        Whether the discriminator then answered "WIN", that is, found no concept with a wrong share.
    data : SyntheticData
        The last proposed synthetic data.
    """

    answers: tuple[tuple[int, Label], ...]
    won: bool
    data: SyntheticData

    @property
    def rounds(self) -> int:
        """The number of answers."""
        return len(self.answers) + self.won


@dataclass(frozen=True)
class FoolingSanitizer(AskingSanitizer):
    """A sanitizer that plays a game of a generator and a discriminator [LWY25, App. D.2].

    The share of a concept is the share of points that the concept labels 1. In each round, the
    generator proposes synthetic data. The discriminator reads the true rows, and privately searches
    for a concept whose share in the proposed data differs too much from its share in the rows. If
    it finds a concept, the generator learns the concept and proposes other data. If it finds no
    concept, it answers "WIN", and the game ends. The output is the last proposal. A game has at
    most T rounds.

    Parameters
    ----------
    discriminator : FoolingDiscriminator
        Private discriminator, which determines the class, the number of rows and the error.
    generator : Generator
        Generator for the same class and error.
    max_rounds : int
        Largest number T of rounds.
    composition_delta : Fraction, optional
        Delta of the stated total privacy. The default is the delta of basic composition.

    Raises
    ------
    InvalidInput
        If discriminator and generator are for different classes or errors, or a number is out of
        range.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.sanitizers.base import sanitization_error
    >>> C = catalog.build("thresholds:n=16").to_table()
    >>> sanitizer = FoolingSanitizer.for_error(C, Fraction(1, 5), Budget(1, Fraction(1, 10**6)))
    >>> sanitizer.rows, sanitizer.max_rounds, sanitizer.discriminator.epsilon
    (84696, 139, Fraction(751, 16384))
    >>> rows = PointSample.at(C.domain, [x * x // 3 % 16 for x in range(sanitizer.rows)])
    >>> run = sanitizer.run(rows, SeededCoins(1))
    >>> run.won, run.rounds < 20, float(sanitization_error(run.data, C, rows)) < 0.2
    (True, True, True)
    """

    discriminator: FoolingDiscriminator
    generator: Generator
    max_rounds: Annotated[int, Option("rounds", minimum=1)]
    composition_delta: CompositionDelta | None = None

    @classmethod
    @check_arguments
    def for_error(
        cls,
        of: ConceptClass,
        alpha: Alpha,
        budget: Budget,
        *,
        beta: Failure = FAILURE,
        rows: int | None = None,
        generator: Callable[[Table, Fraction], Generator] = HedgeGenerator,
        parts: type[PartLearners] = ExponentialParts,
    ) -> FoolingSanitizer:
        """Return the sanitizer for a privacy budget and an error alpha.

        Parameters
        ----------
        of : ConceptClass
            Finite class, which is enumerated as a table.
        alpha, beta : Fraction
            Largest error of an estimate, and the probability of a larger error.
        budget : Budget
            Budget of all rounds. With delta = 0, the cost is computed by basic composition.
        rows : int, optional
            Number of points. By default, the least number that the accuracy bound needs.
        generator : callable
            Function from the class and the error to a `Generator`, such as `HedgeGenerator`.
        parts : type of PartLearners
            Type of the private learners that search for a concept with a wrong share. Each learner
            chooses a concept of a part of the class.

        Raises
        ------
        InvalidInput
            If a number is out of range, or the class has no concepts.
        """
        epsilon, delta = Budget.require(budget)
        require_size(epsilon, delta or Fraction(1), beta)
        table = of.to_table()
        require_points(table)
        proposes = generator(table, alpha)
        rounds = proposes.rounds
        spare = beta - proposes.failure
        if spare <= 0:
            raise InvalidInput(
                f"The generator may fail with probability {proposes.failure}, so beta must be "
                f"larger. Got {beta} for all failures together."
            )

        def discriminator(size: int, budget: Fraction) -> FoolingDiscriminator:
            failure = spare / rounds
            return FoolingDiscriminator(table, size, alpha, budget, beta=failure, parts=parts)

        asked = affordable(discriminator, rounds, budget, rows)
        return cls(asked, proposes, rounds, delta or None)

    def __post_init__(self) -> None:
        check_fields(self)
        asked, proposed = self.discriminator, self.generator
        if asked.of != proposed.of or asked.of.domain != proposed.of.domain:
            raise InvalidInput(
                "Discriminator and generator must be for the same class. Got "
                f"{asked.of!r} and {proposed.of!r}."
            )
        if asked.alpha != proposed.alpha:
            raise InvalidInput(
                "Discriminator and generator must be for the same error. Got "
                f"{asked.alpha} and {proposed.alpha}."
            )

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the bound on the errors of all estimates, for the sanitizer's number of rows."""
        asked, rounds = self.discriminator, self.generator.rounds
        enough, long = enough_rows(asked.rows_needed), f"at least {rounds} rounds"
        unmet = []
        if not asked.enough or (rows is not None and rows < asked.rows_needed):
            unmet.append(enough)
        if self.max_rounds < rounds:
            unmet.append(long)
        failure = asked.beta * self.max_rounds + self.generator.failure
        sure = failure < 1
        return (
            Bound(
                "[LWY25, Thm 4.2] for finite classes, by sequential fooling",
                SANITIZATION_ERROR,
                "alpha",
                asked.alpha if sure else TRIVIAL_ERROR,
                TRIVIAL_ERROR,
                failure if sure else 0,
                (enough, long),
                tuple(unmet),
            ),
        )

    def run(self, sample: PointSample, coins: Coins) -> FoolingRun:
        """Play the whole game, and return the release with the transcript. Both are private."""
        data, C = MarkedPoints(sample), self.concept_class
        proposal: Proposal = self.generator.start(coins)
        answers: list[tuple[int, Label]] = []
        won = False
        while len(answers) < self.max_rounds and not won:
            found = self.discriminator.answer(data, proposal.weights, coins)
            won = found is None
            if found is not None:
                place = C.position(found)
                answer = (place, 1) if place is not None else (self._complements[found], 0)
                answers.append(answer)
                proposal = proposal.after(answer, coins)
        data_proposed = SyntheticData(self.domain, proposal.weights, len(sample))
        return FoolingRun(tuple(answers), won, data_proposed)

    @cached_property
    def _complements(self) -> dict[Hashable, int]:
        complements = self.concept_class.complement()
        return {complements[i]: i for i in range(len(complements))}

    def _release(self, sample: PointSample, coins: Coins) -> SyntheticData:
        return self.run(sample, coins).data

    def __repr__(self) -> str:
        proposes = type(self.generator).__name__
        return (
            f"<FoolingSanitizer: {self.concept_class}, error {self.discriminator.alpha} from "
            f"{self.rows} rows, at most {self.max_rounds} rounds by {proposes}>"
        )
