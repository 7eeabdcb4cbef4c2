r"""Realizable sanitizers by a fooling game, and by rounding estimates to 0 or 1 [LWY25, App. E.1].

**Sketches.** A data set S is described approximately by m points, namely by the set of the concepts
h that are 1 on at least m alpha/2 of them. All sets that m points describe are a class on the
concepts, the majority class of the dual class with the threshold alpha/2 (`Table.majority`). A
sketch of S *fits* if it contains every h with P_S(h) >= 5 alpha/9 and none with P_S(h) <= 4
alpha/9.

*For every data set, some sketch of m > 9 |X|/(2 alpha) points fits*, where |X| is the number of
points that concepts distinguish. Round P_S to m points by largest remainders, which moves every
share by at most |X|/(4m) < alpha/18 (`learners.sanitizers.base.SyntheticData.counts`), and 5/9 -
1/18 = 1/2 = 4/9 + 1/18. [LWY25, Lemma E.4] draws m points from S, which depends on the VC dimension
v and not on |X|. By Lemma D.1 with lambda = 1/18 and mu = alpha/40, both for H and with the roles
exchanged, m >= (3040/alpha) (v ln(2 e m/v) + ln 16) is enough (`sketch_by_vc`). This is far more if
the class can be enumerated as a table. (Lemma A.7, which the proof names first, is not enough: its
factor 2 does not separate 4/9 from 5/9.)

*Sketches of any number of points* need no such argument, because S is a sketch of itself, and fits.
Their sets are the sets that distributions on the points describe. There may be few such sets even
if there are many ways to choose points. `learners.sanitizers.described` searches for them.
`RealizableFooling` uses these sets, unless a number m is given.

**The game** [LWY25, Thm E.5]: `RealizableFooling`. An online learner of the class of sketches
predicts a set. The discriminator of Lemma E.2, which holds S, returns a concept on which the set is
wrong, with the right label, or "WIN". As long as its answers are right, they are consistent with a
sketch that fits S, and each answer is a mistake of the learner. So the number of answers is at most
the mistake bound of the learner: the Littlestone dimension of the class of sketches for the SOA,
and log2 of its size for Halving. T is one more. The set at "WIN" is the result.

**Privacy**: adaptive composition of T answers, for every learner. It holds for all sets that the
learner may predict, for every method that finds them, because the sets are a function of the public
class and of the answers. An incomplete list of sketches costs accuracy but no delta.
**Accuracy**: each answer is right except with probability beta/T, given as many points as the
discriminator needs.

**Cutting** (`CutSanitizer`): a sanitizer that is right up to a < alpha/2 is enough. A concept h is
in the set if its estimate is at least alpha - a. Then h is in the set if P_S(h) >= alpha, and h is
not in the set if P_S(h) = 0, because its estimate is at most a < alpha - a.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import cycle, islice
from math import comb, floor
from typing import Annotated

from catalog.closed_forms.hitting_sets import minimal_sets, smallest_hitting_set
from learners.accounting import Event, PostProcessed
from learners.balls import ball, log
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Alpha, CompositionDelta, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.number_arguments import least_integer, require_size
from learners.pac.base import enough_rows
from learners.playing.base.halving import Halving
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Sanitizer
from learners.sanitizers.described import described
from learners.sanitizers.discriminators import (
    ExponentialParts,
    MarkedPoints,
    PartLearners,
    RealizableDiscriminator,
)
from learners.sanitizers.fooling import AskingSanitizer, affordable, require_points
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import REALIZABLE_ERROR, RealizableRelease
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import format_number
from lsclasses.online import MistakeBounded
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label
from lsclasses.soa import SOA
from lsclasses.table import Table

__all__ = [
    "ConceptSet",
    "CutSanitizer",
    "RealizableFooling",
    "sketch_by_vc",
    "sketch_size",
    "sketches",
]


MOST_SKETCHES = 1 << 20
"""Largest number of ways to choose the points of a sketch."""


# ---- sketches


@check_arguments
def sketch_size(points: Annotated[int, Option("number of points", minimum=1)], alpha: Alpha) -> int:
    """Return a number m of points for which every data set has a sketch that fits.

    A sketch is the set of the concepts that are 1 on at least m alpha/2 of m points. It fits if it
    contains every concept with share at least 5 alpha/9 in the data, and no concept with share at
    most 4 alpha/9. The concepts distinguish `points` points.

    Examples
    --------
    >>> sketch_size(4, Fraction(1, 5)), sketch_size(16, Fraction(1, 10))
    (91, 721)
    """
    return floor(Fraction(9 * points, 2) / alpha) + 1


@check_arguments
def sketch_by_vc(dimension: Annotated[int, Option("VC dimension", minimum=1)], alpha: Alpha) -> int:
    """Return the sketch size for a VC dimension of at least 1, on any domain [LWY25, Lemma E.4].

    Examples
    --------
    >>> sketch_by_vc(1, Fraction(1, 5)), sketch_by_vc(2, Fraction(1, 10))
    (257238, 984095)
    """
    v, error = dimension, alpha

    def suffices(m: int) -> bool:
        least = 3040 / ball(error) * (v * (log(Fraction(2 * m, v)) + 1) + log(16))
        return bool(ball(m) >= least)

    # m - a ln(m) increases from m = a on.
    return least_integer(suffices, floor(3040 * v / error))


def sketches(of: Table, alpha: Fraction, size: int) -> Table:
    """Return the class of sets of concepts that `size` points describe.

    A list of m points describes the set of the concepts that are 1 on at least m alpha/2 of the
    points.

    Parameters
    ----------
    of : Table
        Class whose data sets have sketches.
    alpha : Fraction
        Error alpha of the sketches.
    size : int
        Number m of points.

    Raises
    ------
    TooLarge
        If there are more than 2^20 ways to choose `size` points.

    Examples
    --------
    >>> C = Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> [(m, len(sketches(C, Fraction(1, 2), m))) for m in (1, 2, 4, 9)]
    [(1, 3), (2, 6), (4, 7), (9, 7)]
    """
    dual = of.dual()
    ways = comb(size + len(dual) - 1, len(dual) - 1)
    if ways > MOST_SKETCHES:
        raise TooLarge(
            f"There are {format_number(ways)} ways to choose {size} of {len(dual)} points. The "
            "function tries each way, and "
            f"the limit is {MOST_SKETCHES}. Use a larger alpha or fewer "
            "points, or cut the estimates of a sanitizer (CutSanitizer).",
            estimate=ways,
            limit=MOST_SKETCHES,
        )
    return dual.majority(size, threshold=alpha / 2)


# ---- releases


@dataclass(frozen=True)
class ConceptSet(RealizableRelease):
    """A release of one bit for each concept: whether the concept is noticeably often 1 on the rows.

    Parameters
    ----------
    of : Table
        Class of the concepts.
    labels : tuple of 0 and 1
        Bit of each concept, in the order of the table.

    Examples
    --------
    >>> C = Table([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]])
    >>> found = ConceptSet(C, (1, 1, 0))
    >>> found.estimate(C[1]), list(found.hitting_dataset(3))
    (Fraction(1, 1), [1, 1, 1])
    """

    of: Table
    labels: tuple[Label, ...]

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.of) or not set(self.labels) <= {0, 1}:
            raise InvalidInput(
                f"Every concept must have a label 0 or 1: {len(self.of)} of them. Got "
                f"{self.labels}."
            )

    @property
    def domain(self) -> FiniteDomain:
        """The domain of the concepts."""
        return self.of.domain

    def _estimate(self, h: Hypothesis) -> Fraction:
        place = self.of.position(h)
        if place is None:
            raise InvalidInput(f"Only concepts of the class have an estimate. Got {h!r}.")
        return Fraction(self.labels[place])

    @check_arguments
    def hitting_dataset(self, size: Rows) -> PointSample:
        """Return a data set of `size` points that hits every concept of estimate 1.

        A data set hits a concept if the concept is 1 at one of the points.

        The data set repeats the points of a small set. A search looks for a smallest set. If the
        search is stopped, the set is a greedy choice.

        Raises
        ------
        InvalidInput
            If the set has more than `size` points, or a concept of estimate 1 is 0 everywhere. Both
            errors depend only on the release.
        """
        bits = self.of.row_bits
        sets = minimal_sets([bits[i] for i, label in enumerate(self.labels) if label])
        if 0 in sets:
            raise InvalidInput(
                "A concept that is 0 at all points has estimate 1, so no data set is consistent."
            )
        try:
            chosen = smallest_hitting_set(sets, [0] * len(self.domain))
        except TooLarge:
            chosen = _greedy(sets, len(self.domain))
        places = [j for j in range(len(self.domain)) if chosen >> j & 1] or [0]
        if len(places) > size:
            raise InvalidInput(
                f"{len(places)} points are needed to hit all concepts of estimate 1, more than "
                f"{size} rows."
            )
        return PointSample.at(self.domain, list(islice(cycle(places), size)))


def _greedy(sets: Sequence[int], points: int) -> int:
    """Return a hitting set by the greedy algorithm: the first point in most remaining sets."""
    chosen, rest = 0, list(sets)
    while rest:
        best = max(range(points), key=lambda j: sum(s >> j & 1 for s in rest))
        chosen |= 1 << best
        rest = [s for s in rest if not s >> best & 1]
    return chosen


# ---- the game


LEARNERS = {"soa": SOA, "halving": Halving}
"""Names of the learners of the class of sketches: the SOA, and Halving."""


@dataclass(frozen=True)
class RealizableFooling(AskingSanitizer):
    """A realizable sanitizer that plays a game of an online learner and a discriminator.

    The *sketch* of a list of points is the set of all concepts that are 1 on at least a share
    alpha/2 of the list. In every round, the learner proposes a set of concepts (those with estimate
    1). The private discriminator of [LWY25, Lemma E.2] returns a concept for which the proposal is
    wrong, or ends the game. The learner is an online learner of the class of all sketches. The
    docstring of the module `learners.sanitizers.sketches` describes the game.

    Use this sanitizer for classes with few sketches, because it enumerates all sketches.

    Parameters
    ----------
    discriminator : RealizableDiscriminator
        Discriminator, which determines the class, the number of points and the error.
    learner : "soa" or "halving"
        Online learner of the class of sketches.
    sketch : int or None
        Number m of points of a sketch. None allows any number of points.
    max_rounds, composition_delta
        Parameters of `FoolingSanitizer`.

    Raises
    ------
    InvalidInput
        If the name of the learner is unknown, or a number is out of range.
    TooLarge
        If the sketches cannot be enumerated as a table.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.sanitizers.realizable import realizable_error
    >>> C = catalog.build("points:n=4").to_table()
    >>> sanitizer = RealizableFooling.for_error(C, Fraction(1, 3), Budget(1, Fraction(1, 10**6)))
    >>> sanitizer.rows, sanitizer.max_rounds, len(sanitizer.candidates)
    (5535, 4, 15)
    >>> rows = PointSample.at(C.domain, [0, 3, 3] * (sanitizer.rows // 3))
    >>> found = sanitizer.release(rows, SeededCoins(1))
    >>> found.labels, float(realizable_error(found, C, rows)), list(found.hitting_dataset(4))
    ((1, 0, 0, 1), 0.0, [0, 3, 0, 3])
    """

    discriminator: RealizableDiscriminator
    learner: str
    sketch: Annotated[int, Option("size of a sketch", minimum=1)] | None
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
        learner: str = "soa",
        sketch: int | None = None,
        parts: type[PartLearners] = ExponentialParts,
    ) -> RealizableFooling:
        """Return the sanitizer for a privacy budget and an error alpha.

        Parameters
        ----------
        of, alpha, budget, beta, rows, parts
            Parameters of `FoolingSanitizer.for_error`.
        learner : "soa" or "halving"
            Online learner of the class of sketches, as for `RealizableFooling`.
        sketch : int, optional
            Number of points of a sketch, as for `RealizableFooling`.
        """
        epsilon, delta = Budget.require(budget)
        require_size(epsilon, delta or Fraction(1), beta)
        table = of.to_table()
        if table.is_empty:
            raise InvalidInput("A sanitizer needs a class with at least one concept.")
        require_points(table)
        rounds = _start(learner, _candidates(table, alpha, sketch)).mistake_bound
        assert rounds is not None
        rounds += 1

        def discriminator(size: int, budget: Fraction) -> RealizableDiscriminator:
            failure = beta / rounds
            return RealizableDiscriminator(table, size, alpha, budget, beta=failure, parts=parts)

        asked = affordable(discriminator, rounds, budget, rows)
        return cls(asked, learner, sketch, rounds, delta or None)

    def __post_init__(self) -> None:
        check_fields(self)
        _ = self.start

    @cached_property
    def candidates(self) -> Table:
        """The class of sketches on the concepts."""
        return _candidates(self.concept_class, self.discriminator.alpha, self.sketch)

    @cached_property
    def start(self) -> MistakeBounded:
        """The initial state of the learner."""
        return _start(self.learner, self.candidates)

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the bound on the error of the estimates, for the sanitizer's number of rows."""
        asked, mistakes = self.discriminator, self.start.mistake_bound
        assert mistakes is not None
        points = sketch_size(len(self.concept_class.dual()), asked.alpha)
        met = {
            enough_rows(asked.rows_needed): asked.enough
            and (rows is None or rows >= asked.rows_needed),
            f"at least {mistakes + 1} rounds": self.max_rounds > mistakes,
            f"sketches of at least {points} points": self.sketch is None or self.sketch >= points,
        }
        failure = asked.beta * self.max_rounds
        return (
            Bound(
                "[LWY25, Thm E.5] for small classes",
                REALIZABLE_ERROR,
                "alpha",
                asked.alpha if failure < 1 else TRIVIAL_ERROR,
                TRIVIAL_ERROR,
                failure if failure < 1 else 0,
                tuple(met),
                tuple(name for name, holds in met.items() if not holds),
            ),
        )

    def _release(self, sample: PointSample, coins: Coins) -> ConceptSet:
        data, state = MarkedPoints(sample), self.start
        concepts = self.candidates.domain
        for left in reversed(range(self.max_rounds)):
            # The learner predicts 0 everywhere after no sketch is consistent with its answers.
            labels = tuple(state.predict(h) for h in concepts)
            found = self.discriminator.answer(data, labels, coins)
            if found is None or not left:
                break
            place = self.concept_class.position(found[0])
            assert place is not None
            state = state.observe(concepts[place], found[1])
        return ConceptSet(self.concept_class, labels)


@dataclass(frozen=True)
class _Ordered:
    """A table with its concepts in order, because equal tables may have different orders."""

    of: Table = field(compare=False)
    rows: bytes
    names: tuple[Hashable, ...]


def _candidates(of: Table, alpha: Fraction, size: int | None) -> Table:
    """Return the sketches of a size, or of any size, as a class on the concepts of the table."""
    names = (*of.points, *(of.concept_names or ()))
    return _listed(_Ordered(of, of.packed.tobytes(), names), alpha, size)


@lru_cache(maxsize=16)
def _listed(ordered: _Ordered, alpha: Fraction, size: int | None) -> Table:
    of = ordered.of
    return described(of, alpha / 2) if size is None else sketches(of, alpha, size)


def _start(learner: str, candidates: Table) -> MistakeBounded:
    if learner not in LEARNERS:
        raise InvalidInput(f"The learner must be one of {', '.join(LEARNERS)}. Got {learner!r}.")
    start: MistakeBounded = LEARNERS[learner](candidates)
    return start


# ---- by cutting estimates


@dataclass(frozen=True)
class CutSanitizer(Sanitizer):
    """A realizable sanitizer that rounds the estimates of another sanitizer to 0 or 1.

    Estimates of at least alpha - a become 1, and smaller estimates become 0.

    Parameters
    ----------
    inner : Sanitizer
        Sanitizer whose estimates of the shares of ones have errors of at most a.
    alpha : Fraction
        Error of the realizable sanitizer, more than 2 a.
    off : Fraction
        Error a of the estimates of `inner`.

    Raises
    ------
    InvalidInput
        If alpha is not more than 2 a.

    Examples
    --------
    >>> from learners.sanitizers.mwem import MWEMSanitizer
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=4").to_table()
    >>> inner = MWEMSanitizer.for_error(C, Fraction(99, 1000), Budget(1, Fraction(1, 10**6)))
    >>> sanitizer = CutSanitizer(inner, Fraction(1, 5), inner.alpha)
    >>> found = sanitizer.release([0, 3, 3] * inner.needed, SeededCoins(1))
    >>> found.labels, print(sanitizer.bounds(inner.needed)[0])
    realizable sanitization error <= alpha = 1/5 [LWY25, Def. E.1], by cutting estimates, except \
with probability 1/20
    ((1, 0, 0, 1), None)
    """

    inner: Sanitizer
    alpha: Alpha
    off: Annotated[Fraction, Option("error of the estimates", above=0, below=1)]

    def __post_init__(self) -> None:
        check_fields(self)
        if not 2 * self.off < self.alpha:
            raise InvalidInput(
                "Estimates are cut between their errors, so alpha must exceed twice the error. "
                f"Got alpha = {self.alpha} and {self.off}."
            )

    @property
    def concept_class(self) -> Table:
        """The class for whose concepts the sanitizer answers."""
        return self.inner.concept_class

    @cached_property
    def privacy(self) -> Event | None:
        """The privacy cost of a release, which is the cost of the estimates."""
        return None if self.inner.privacy is None else PostProcessed(self.inner.privacy)

    @property
    def delta(self) -> Fraction | None:
        """The delta of the stated total privacy, or None if basic composition determines it."""
        return self.inner.delta

    @property
    def rows(self) -> int | None:
        """The number of rows of the inner sanitizer, or None if it accepts every number of rows."""
        return self.inner.rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the bound alpha on the error, if `inner` has an error bound of at most a."""
        promised = [
            each
            for each in self.inner.bounds(rows)
            if each.quantity == SANITIZATION_ERROR
            and each.value is not None
            and each.value <= self.off
        ]
        return tuple(
            Bound(
                "[LWY25, Def. E.1], by cutting estimates",
                REALIZABLE_ERROR,
                "alpha",
                self.alpha,
                TRIVIAL_ERROR,
                each.failure,
                each.hypotheses,
                each.unmet,
            )
            for each in promised
        )

    def _release(self, sample: PointSample, coins: Coins) -> ConceptSet:
        estimates = self.inner.release(sample, coins).estimates(self.concept_class)
        cut = self.alpha - self.off
        return ConceptSet(self.concept_class, tuple(int(estimate >= cut) for estimate in estimates))
