r"""Learning online from synthetic examples: a private proper agnostic learner [LWY25, Alg 3].

The rounds are cut into batches of B. After each batch a sanitizer for the class of errors
(`Table.label_class`) makes B synthetic examples from its B true examples. They are put in a random
order, and the i-th of them goes to the i-th of B copies of a learner. Before every round a random
copy draws a concept, and the learner publishes this concept.

**Privacy.** The concepts published in a batch are computed from the sanitizer's releases of earlier
batches. The rounds of each batch are fixed, so a changed example lies in one batch. A batch is read
at once when it is complete, so the sanitizer's guarantee holds on every history
(`learners.accounting.AtOnce`). So the whole game costs as much as one run of the sanitizer, delta
included, also against adaptive adversaries. Privacy does not depend on the order. The last batch is
never read.

**Regret** [LWY25, Thm 4.1]. Let every synthetic batch be right up to a on all concepts. So for
every concept, the shares of errors on the synthetic batch and on the true batch differ by at most
a. Let the copies' concepts be drawn with regret at most R(T/B) against every sequence of T/B
examples, in expectation over the draws only (`learners.experts.hedge`). Then, against adaptive
adversaries who choose an example before its prediction is visible,

    expected regret <= B R(T/B) + 2 a T.

*Proof.* Fix the examples of the copies before a batch. A uniformly drawn copy predicts a round of
the batch. So the expected number of mistakes in the batch equals the expected number of mistakes of
the average copy on the B true examples. This is at most a B more than on the synthetic examples. As
the order of the synthetic examples is uniform, each copy's expected loss on its next synthetic
example is its average loss on all of them. So the expected number of mistakes is at most a T more
than the sum of the copies' losses. For each copy, its loss exceeds the loss of every concept on its
sequence by at most R(T/B). The sum over copies of the least losses is at most the least loss on all
synthetic examples, at most a T more than on the true examples. QED

In [LWY25] a = 2 alpha, because the data are made from estimates that are right up to alpha. Weights
on a finite domain are themselves right up to alpha. Then a = alpha + |X|/(2 B), where the last term
comes from rounding the weights to B examples (`learners.sanitizers.base.SyntheticData.counts`, with
2 |X| pairs). If a sanitizer fails with probability b, replace its failed outputs by true data. Then
all batches are right, and the two games differ with probability at most b (T/B - 1). So
b T (T/B - 1) is added.

**Without the random order** the learner is as private, but a copy may see one kind of examples
only, and regret can grow like T: `lsclasses verify --topic sanitizers` shows it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from learners.accounting import AtOnce, Event, OneAtATime
from learners.bounds import UNSEEN, Bound
from learners.budget import Budget
from learners.coins import Coins
from learners.experts.hedge import Hedge
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.expert_sources import Expert, ExpertSource, experts_of
from learners.playing.learner import Kept, PublishingLearner
from learners.playing.loss_learner import LossLearner, checked_rounds
from learners.playing.private_options import Spending
from learners.sanitizers.base import SANITIZATION_ERROR, Sanitizer, SyntheticData
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.states import require_rounds_left
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

__all__ = ["LEARNERS", "Batches", "SanitizedOnline"]


@dataclass(frozen=True)
class Batches:
    """The state of `SanitizedOnline` between rounds.

    Attributes
    ----------
    copies : tuple
        The state of each copy of the learner, after the synthetic examples that it received.
    counts : tuple of int
        Number of occurrences of each pair of a point and a label in the batch so far.
    played : int
        Number of examples that were read.
    concept : object
        The concept that was published last.
    """

    copies: tuple[Kept, ...]
    counts: tuple[int, ...]
    played: int = 0
    concept: Expert = None


Batch = Annotated[
    int,
    Option(
        "number of rounds per batch. The number of rounds of the game must be a multiple of "
        "this number",
        minimum=1,
        noun="batch size",
    ),
]


@dataclass(frozen=True)
class SanitizedOnline(PublishingLearner):
    """A private proper online learner from batches of synthetic examples [LWY25, Alg 3].

    After each batch of B examples, a sanitizer makes B private synthetic examples. Each of B copies
    of an online learner receives one synthetic example. In every round the learner selects a
    uniformly random copy and publishes a concept that this copy draws. The module
    `learners.experts.batched_online` has the proofs of privacy and regret.

    Parameters
    ----------
    sanitizer : Sanitizer
        Sanitizer of batches, for the class of error functions (x, y) -> [c(x) != y] of the concepts
        c. Its output must be `SyntheticData`.
    copy : LossLearner
        Online learner for T/B rounds, of which B copies are made. The copies need not be private.
        They must draw every concept with fresh coins.
    rounds : int
        Number T of rounds.
    batch : int
        Number B of examples per batch, a divisor of T.

    Raises
    ------
    InvalidInput
        If B does not divide T, the copies have fewer than T/B rounds or another domain, or the
        sanitizer is for another number of examples.

    Examples
    --------
    In the printed bound, R bounds the expected regret of a copy. Except with probability b, the
    shares of errors of every concept on a batch and on its synthetic batch differ by at most a. The
    word *printed* precedes the bound of the paper, which does not specify its constants.

    >>> import catalog
    >>> C = catalog.build("thresholds:n=8")
    >>> learner = SanitizedOnline.within(Budget(16, Fraction(1, 10**6)), C, 20_000)
    >>> learner.batch, learner.sanitizer.alpha
    (4000, Fraction(227, 1000))
    >>> print(learner.bounds[0])
    expected regret <= B*R + 2*a*T + b*T*(T/B - 1) = 1.85e+04 [LWY25, Thm 4.1], constants made \
explicit, printed: O(B*R + alpha*T)
    """

    sanitizer: Sanitizer
    copy: LossLearner
    rounds: int = 0
    batch: Batch = 0

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        concept_class: Source,
        rounds: int,
        *,
        batch: Batch | None = None,
        composition: str = "best",
    ) -> SanitizedOnline:
        """Return the learner with copies of Hedge over the class and MWEM as the sanitizer.

        Parameters
        ----------
        concept_class : ConceptClass or str
            Class that can be enumerated as a table.
        rounds : int
            Number T of rounds.
        budget : Budget
            Privacy budget of the whole game. With delta = 0, the sanitizer's cost is computed by
            basic composition.
        batch : int, optional
            Number B of examples per batch, a divisor of T. The default is a divisor with about the
            least regret bound. If every bound is vacuous, the default is the largest divisor with
            at least ten batches.
        composition : "best" or "zcdp"
            Accountants that calibrate the sanitizer: all accountants for "best", only zCDP for
            "zcdp".

        Raises
        ------
        InvalidInput
            If a number is out of range, or B does not divide T.
        TooLarge
            If the class cannot be enumerated as a table.
        """
        total = checked_rounds(rounds)
        C = _enumerated(class_of(concept_class))
        wrong, beta = C.label_class(), Fraction(1, max(2, total) ** 2)

        def hoped(alpha: Fraction, composition: str) -> MWEMSanitizer:
            return MWEMSanitizer.for_error(wrong, alpha, budget, beta=beta, composition=composition)

        def made(size: int, composition: str = composition) -> SanitizedOnline:
            try:
                sanitizer = MWEMSanitizer.within(
                    budget, wrong, size, beta=beta, composition=composition
                )
            except InvalidInput:
                # This sanitizer has no error bound but the same privacy.
                sanitizer = hoped(HOPED, composition)
            copies = Hedge(experts_of(C), total // size)
            return cls(sanitizer, copies, total, size)

        if batch is not None:
            _require_divides(batch, total)
            return made(batch)
        least = hoped(Fraction(999, 1000), "zcdp").needed
        sizes = [size for size in _divisors(total) if least <= size < total]
        step = max(1, len(sizes) // 8)
        # The bound falls with B as far as the sanitizer decides, and grows from there on. The
        # search uses zCDP, because calibration by all accountants takes a second per sanitizer.
        found = {size: made(size, "zcdp") for size in sizes[::step]}
        if found:
            at = sizes.index(min(found, key=lambda size: _value(found[size])))
            near = sizes[max(0, at - step + 1) : at + step]
            found |= {size: made(size, "zcdp") for size in near}
            best = min(found.values(), key=_value)
            if not (best := made(best.batch)).bounds[0].vacuous:
                return best
        return made(max(size for size in _divisors(total) if 10 * size <= total or size == 1))

    def __post_init__(self) -> None:
        total = checked_rounds(self.rounds)
        check_fields(self)
        size = self.batch
        set_frozen_fields(self, rounds=total)
        _require_divides(size, total)
        if self.copy.rounds is not None and self.copy.rounds < total // size:
            raise InvalidInput(
                f"A copy gets one example per batch, {total // size} in all. Got copies for "
                f"{self.copy.rounds} rounds."
            )
        pairs = self.sanitizer.domain
        domain = self.copy.domain
        if domain is None or [*pairs] != [(x, y) for x in domain for y in (0, 1)]:
            raise InvalidInput(
                "The sanitizer must be for pairs of the copies' points and a label, such as the "
                f"pairs of C.label_class(). Got {pairs.describe()}."
            )
        if self.sanitizer.rows is not None and self.sanitizer.rows != size:
            raise InvalidInput(
                f"The sanitizer is for {self.sanitizer.rows} examples. Got batches of {size}."
            )

    # ---- guarantees

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        assert self.copy.domain is not None
        return self.copy.domain

    @property
    def comparators(self) -> ExpertSource:
        """The concepts that the learner's copies draw. The best of them defines the regret."""
        return self.copy.experts

    @property
    def batches(self) -> int:
        """The number T/B of batches, for T rounds and B examples per batch."""
        return self.rounds // self.batch

    @cached_property
    def privacy(self) -> Event | None:
        """The privacy cost of a whole game, or None if the sanitizer is not private.

        The cost equals the cost of sanitizing one batch, because a changed example is in one batch.
        The learner never reads the last batch, so a game of one batch has no privacy cost.
        """
        if self.batches > 1 and self.sanitizer.privacy is None:
            return None
        event = self.sanitizer.privacy
        return OneAtATime(() if self.batches == 1 or event is None else (AtOnce(event),))

    @property
    def delta(self) -> Fraction | None:
        """The delta of the stated total privacy, or None if basic composition determines it."""
        return self.sanitizer.delta

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The regret bound of [LWY25, Thm 4.1], of value None if no sanitizer bound is known."""
        copies = next(
            (each for each in self.copy.bounds if each.quantity == "expected regret"), None
        )
        promised = next(
            (each for each in self.sanitizer.bounds(self.batch) if _promise(each)), None
        )
        value = None
        if copies is not None and copies.value is not None and promised is not None:
            assert promised.value is not None
            pairs, T, B = len(self.sanitizer.domain), self.rounds, self.batch
            a = promised.value + Fraction(pairs, 4 * B) * bool(promised.value)
            failure = promised.failure * T * (self.batches - 1)
            value = B * copies.value + 2 * a * T + failure
        return (
            Bound(
                "[LWY25, Thm 4.1], constants made explicit",
                "expected regret",
                "B*R + 2*a*T + b*T*(T/B - 1)",
                value,
                self.rounds,
                hypotheses=(UNSEEN,),
                printed="O(B*R + alpha*T)",
            ),
        )

    # ---- the game

    def _begin(self, coins: Coins) -> Batches:
        # [LWY25, Alg 3 line 1]
        begun = self.copy._begin(coins)
        return Batches((begun,) * self.batch, (0,) * len(self.sanitizer.domain))

    def _publish(self, batches: Batches, coins: Coins) -> tuple[Batches, Hashable]:
        # The last round draws no concept. The publication after it contains no new information.
        if batches.played < self.rounds:
            # [LWY25, Alg 3 line 4]
            drawn = self.copy._choose(batches.copies[coins.below(self.batch)], coins)
            batches = replace(batches, concept=drawn.expert)
        return batches, batches.concept

    def _receive(self, batches: Batches, point: Point, label: Label, coins: Coins) -> Batches:
        require_rounds_left(batches.played, self.rounds, "learner", "batches")
        place = self.sanitizer.domain.index((point, label))
        counts = (*batches.counts[:place], batches.counts[place] + 1, *batches.counts[place + 1 :])
        played = batches.played + 1
        # [LWY25, Alg 3 line 5]
        if played % self.batch or played == self.rounds:
            return replace(batches, counts=counts, played=played)
        copies = self._after_batch(batches.copies, counts, coins)
        return Batches(copies, (0,) * len(counts), played, batches.concept)

    def _after_batch(
        self, copies: tuple[Kept, ...], counts: tuple[int, ...], coins: Coins
    ) -> tuple[Kept, ...]:
        """Return the copies after a batch."""
        pairs = self.sanitizer.domain
        true = PointSample.counted(pairs, dict(zip(pairs, counts, strict=True)))
        # [LWY25, Alg 3 line 6]
        sanitized = self.sanitizer.release(true, coins)
        if not isinstance(sanitized, SyntheticData):
            raise InvalidInput(
                "The sanitizer must release synthetic data, which copies can learn from. "
                f"Got {sanitized!r}."
            )
        examples = sanitized.dataset(self.batch)
        order = self._order(coins)  # [LWY25, Alg 3 line 7]
        # [LWY25, Alg 3 line 8]
        return tuple(
            self.copy._listen(copy, examples[place], coins)
            for copy, place in zip(copies, order, strict=True)
        )

    def _order(self, coins: Coins) -> tuple[int, ...]:
        return coins.shuffle(self.batch)

    def __str__(self) -> str:
        return f"SanitizedOnline: {self.batches} batches of {self.batch}, copies are {self.copy}"


HOPED = Fraction(1, 2)
"""The error alpha for which the sanitizer is calibrated if batches are too small for any proved
error."""


def _promise(bound: Bound) -> bool:
    return bound.quantity == SANITIZATION_ERROR and bound.applies and bound.value is not None


def _value(learner: SanitizedOnline) -> Fraction:
    value = learner.bounds[0].value
    return Fraction(learner.rounds) if value is None else Fraction(value)


def _divisors(total: int) -> list[int]:
    small = [i for i in range(1, int(total**0.5) + 1) if total % i == 0]
    return sorted({*small, *(total // i for i in small)})


def _enumerated(C: ConceptClass) -> Table:
    """Return the table of a class, whose concepts are queries of the sanitizer."""
    try:
        return C.to_table()
    except TooLarge as error:
        raise TooLarge(
            f"{error} {_why_listed(C)}", estimate=error.estimate, limit=error.limit
        ) from None


def _why_listed(C: ConceptClass) -> str:
    """Return the proved reason why MWEM lists a class, and a learner that needs no list."""
    if reason := C._hardness_of_weights():
        return (
            f"The sanitizer draws concepts by their errors on each batch. {reason} POP needs only "
            "a learner with a mistake bound. Use lsclasses run pop."
        )
    return (
        "The sanitizer draws concepts by their errors on synthetic data. For N thresholds and "
        "batches of B examples, at least N/(2(B + 1)) of these errors can differ, so groups of "
        "concepts with equal errors do not replace a list (docs/agnostic-online.md, Synthetic "
        "batches). 'lsclasses run dp-hedge' and 'lsclasses run sparse-experts' draw by errors on "
        "the stream, without a list."
    )


def _require_divides(size: int, total: int) -> None:
    if total % size:
        divisors = _divisors(total)
        below = max(each for each in divisors if each < size) if size > 1 else 1
        above = min((each for each in divisors if each > size), default=total)
        near = f"{below} or {above}" if above != below else f"{below}"
        raise InvalidInput(
            f"Batches must fill the {total} rounds, so their size must divide it. Got {size}. The "
            f"nearest divisors are {near}."
        )


# ---- by name


def _sanitized(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    batch: Batch | None = None,
) -> SanitizedOnline:
    return SanitizedOnline.within(budget, source, rounds, batch=batch)


LEARNERS = (
    OnlineEntry(
        "sanitized",
        "a private learner that runs Hedge on private synthetic examples",
        _sanitized,
        details=(
            "After each batch of rounds, a sanitizer releases private synthetic examples that "
            "replace the examples of the batch. Copies of the learner Hedge receive these "
            "examples. In each round, a random copy draws the published concept. A concept with "
            "fewer errors on the synthetic examples has a larger probability."
        ),
    ),
)
