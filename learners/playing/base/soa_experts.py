"""Learning with few mistakes if the best concept errs a few times, by experts that run the SOA.

[KMMNS23, Thm F.1] quotes from Ben-David, Pal, Shalev-Shwartz (2009) a learner with O(M + d ln T)
mistakes over T rounds when some concept errs at most M times. The learner in this module makes
O(M + d) mistakes, for every T, with the constant in `experts_bound`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import comb
from typing import Annotated, Any

from learners.number_arguments import least_integer
from learners.playing.base.state import FeatureRule
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer
from lsclasses.online import MistakeBounded
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point
from lsclasses.soa import ConservativeSOA

__all__ = ["ExpertVote", "Group", "SOAExperts", "experts_bound"]

MOST_GROUPS = 1 << 16
"""The largest number of groups of experts in a state."""

LARGEST = 1 << 14
"""The largest dimension and the largest number of errors for which the mistake bound is
computed."""

Group = tuple[ConservativeSOA, int, int]
"""A group of experts: their common SOA state, their number of errors, and the group's size."""


@cache
def _choices(rounds: int, most: int) -> int:
    """Return the number of sets of at most `most` out of `rounds` rounds."""
    total = term = 1
    for i in range(min(most, rounds)):
        term = term * (rounds - i) // (i + 1)
        total += term
    return total


def experts_bound(dimension: int, errors: int) -> int:
    """Return the mistake bound of `SOAExperts`: the largest n with 2^n <= C(n, <=d) C(n, <=M).

    C(n, <=j) is the number of sets of at most j out of n rounds. The bound is d for M = 0, and it
    is less than 9.1 max(d, M) for all d and M that are not both 0. The reasons are
    C(n, <=j) <= 2^(n h(j/n)) for j <= n/2 with the binary entropy h, and 2 h(1/9.1) < 1. For large
    M the bound is 2M + O(sqrt(d M ln M)).

    Parameters
    ----------
    dimension : int
        Littlestone dimension d, at least 0.
    errors : int
        Largest number M of errors of the best concept, at least 0.

    Raises
    ------
    InvalidInput
        If a number is negative.
    TooLarge
        If both are positive and one is above 2^14, because the bound would take seconds or more.

    Examples
    --------
    >>> [experts_bound(2, errors) for errors in (0, 1, 2, 10, 100)]
    [2, 8, 13, 39, 266]
    """
    d, most = integer(dimension, "dimension"), integer(errors, "number of errors")
    if d < 0 or most < 0:
        raise InvalidInput(
            f"The dimension and the number of errors must be at least 0. Got {d} and {most}."
        )
    if not d or not most:
        return d + most
    if max(d, most) > LARGEST:
        raise TooLarge(
            f"The bound is computed for dimensions and numbers of errors up to {LARGEST}. "
            f"Got {d} and {most}.",
            estimate=max(d, most),
            limit=LARGEST,
        )
    return _bound(d, most)


@cache
def _bound(d: int, most: int) -> int:
    # C(n, <=j) is log-concave in n, since C(n+1, <=j)/C(n, <=j) = 2 - C(n, j)/C(n, <=j) decreases.
    # So the inequality holds exactly up to its largest solution, which is below 9.1 max(d, M).
    beyond = max(d, most) * 91 // 10 + 1
    return least_integer(lambda n: 1 << n > _choices(n, d) * _choices(n, most), 0, beyond) - 1


class ExpertVote(FeatureRule):
    """The weighted majority of the experts of a `SOAExperts`, its ``hypothesis``."""

    __slots__ = ("_labels", "_state")

    def __init__(self, state: SOAExperts) -> None:
        self._state = state
        self._labels: dict[Point, Label] = {}

    @property
    def domain(self) -> Domain:
        """The domain of the concept class."""
        return self._state.concept_class.domain

    def _label(self, x: Point) -> Label:
        label = self._labels.get(x)
        if label is None:
            label = self._labels[x] = self._state._vote(x)
        return label

    def _description(self) -> Hashable:
        return self._state.groups, self._state.remaining

    def __repr__(self) -> str:
        return f"<Vote of experts in {len(self._state.groups)} groups>"


@dataclass(frozen=True)
class SOAExperts(MistakeBounded):
    r"""Agnostic halving over experts, which run the SOA with few overridden rounds and few errors.

    An expert is given by two sets of rounds, of at most d = Ldim(C) and of at most M = `errors`
    rounds. It runs the SOA on its own outputs. Outside the first set its output is the SOA's
    prediction. In a round of the first set its output is the opposite label, and the SOA receives
    this label. In the rounds of the second set the expert expects to err, so its forecast is the
    opposite of its output. Otherwise its forecast is its output. The learner forecasts like the
    majority of the experts that have been right in all rounds so far (ties: 0). It changes on
    mistakes only, and the experts count only these rounds.

    **Mistakes.** At most R = `experts_bound(d, M)` on every stream on which some concept c of C
    errs at most M times, adaptively chosen or not.

    *Proof.* Number the rounds with mistakes. The experts' sets are taken from the first n = R + 1
    of these rounds. Run the SOA on c in these rounds. The SOA errs in at most d of them. Consider
    the expert whose first set contains the rounds in which the SOA errs and whose second set
    contains the rounds in which c errs. The outputs of this expert equal the labels of c, and its
    forecasts equal the true labels, so it never leaves. In the beginning there are at most
    C(n, <=d) C(n, <=M) < 2^n experts, and each mistake removes at least half of the remaining
    experts. So no expert would remain after n mistakes.

    *Without ln T.* [KMMNS23, Thm F.1] has d ln T because its experts' sets are taken from all T
    rounds. A deterministic learner need not count rounds in which it is right.

    **Experts in groups.** Experts in one state of the SOA with equally many errors behave equally.
    Only their number is kept, and sets of later rounds are counted by binomials. So a state holds
    far fewer groups than experts. For thresholds, whose version spaces are intervals between
    examples, the number of groups is at most n^2 (M + 1).

    **Afterwards.** When no expert remains, every concept surely errs more than M times. The learner
    starts again, and `mistake_bound` is None from then on.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty and has a Littlestone dimension that can be computed.
    errors : int
        Largest number M of errors of the best concept, at least 0.

    Attributes
    ----------
    remaining : int
        Number of future mistakes from which the experts' sets are taken.
    groups : frozenset of Group
        The experts that have made no mistake so far, in groups.
    exhausted : bool
        Whether at some time no expert remained.

    Raises
    ------
    InvalidInput
        If the class is empty or the number of errors is negative.
    TooLarge
        If there are more than 2^16 groups. Under a private learner this error depends on the
        examples and is public, and no guarantee covers it. It requires errors that spread over very
        many states, as with large `errors` on long streams that contradict every concept.

    References
    ----------
    Ben-David, Pal, Shalev-Shwartz 2009, for the experts; Cesa-Bianchi, Freund, Helmbold, Warmuth
    1996, for weighting by the number of ways to err.

    Examples
    --------
    >>> import catalog
    >>> state = SOAExperts(catalog.build("thresholds:n=7"), errors=1)
    >>> state.mistake_bound, len(state.groups)
    (11, 1)
    >>> for x, y in [(3, 1), (3, 0), (2, 1)]:
    ...     state = state.observe(x, y)
    >>> state.mistake_bound, len(state.groups), [state.predict(x) for x in range(7)]
    (5, 2, [0, 0, 1, 1, 1, 1, 1])
    >>> state.observe(6, 0).observe(6, 0).mistake_bound is None  # every concept errs twice
    True
    """

    concept_class: ConceptClass
    errors: Annotated[int, Option("number of errors", minimum=0)]
    remaining: int = -1
    groups: frozenset[Group] = frozenset()
    exhausted: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.groups:
            start = ConservativeSOA(self.concept_class)
            set_frozen_fields(self, groups=frozenset({(start, 0, 1)}))
            set_frozen_fields(
                self, remaining=experts_bound(self.concept_class.ldim(), self.errors) + 1
            )

    @cached_property
    def hypothesis(self) -> ExpertVote:
        """The rule that predicts in this state."""
        return ExpertVote(self)

    @property
    def experts(self) -> int:
        """The number of experts without a mistake so far."""
        return sum(
            count
            * _choices(self.remaining, soa.version_space.ldim())
            * _choices(self.remaining, self.errors - made)
            for soa, made, count in self.groups
        )

    @property
    def mistake_bound(self) -> int | None:
        """The remaining mistake bound while some concept errs at most `errors` times.

        The bound is the binary logarithm of the number of remaining experts, rounded down. It is
        None after no expert remained.
        """
        return None if self.exhausted else self.experts.bit_length() - 1

    def to_json(self, start: SOAExperts) -> dict[str, Any]:
        """Return the state as JSON values, which contain the examples of each SOA state."""
        soa = ConservativeSOA(self.concept_class)
        groups = [[state.to_json(soa), made, count] for state, made, count in self.groups]
        return {"remaining": self.remaining, "groups": groups, "exhausted": self.exhausted}

    def from_json(self, data: Any) -> SOAExperts:
        """Return the state that `to_json` wrote, which was derived from the state `self`."""
        soa = ConservativeSOA(self.concept_class)
        groups = frozenset(
            (soa.from_json(each), made, count) for each, made, count in data["groups"]
        )
        return replace(
            self, remaining=data["remaining"], groups=groups, exhausted=bool(data["exhausted"])
        )

    def _observe(self, x: Point, y: Label) -> SOAExperts:
        if self._predict(x) == y:
            return self
        counts: dict[tuple[ConservativeSOA, int], int] = {}
        for soa, made, count in self.groups:
            usual = soa._predict(x)
            for said, after in ((usual, soa), (1 - usual, soa._observe(x, 1 - usual))):
                errors = made + (said != y)
                # No expert overrides against all concepts or errs more often than allowed.
                if after.realizable and errors <= self.errors:
                    counts[after, errors] = counts.get((after, errors), 0) + count
        if not counts:
            return SOAExperts(self.concept_class, self.errors, exhausted=True)
        if len(counts) > MOST_GROUPS:
            raise TooLarge(
                f"The experts are in more than {MOST_GROUPS} groups, with {self.remaining - 1} "
                "mistakes to come, and each may double their number. Take a class of smaller "
                "dimension or allow fewer errors.",
                estimate=float(len(counts)) * 2.0 ** min(self.remaining - 1, 1000),
                limit=MOST_GROUPS,
            )
        groups = frozenset((soa, made, count) for (soa, made), count in counts.items())
        return SOAExperts(
            self.concept_class, self.errors, self.remaining - 1, groups, exhausted=self.exhausted
        )

    @cached_property
    def _weights(self) -> tuple[tuple[tuple[ConservativeSOA, int, int], ...], int]:
        """The weights by which each group's experts outvote the experts that expect to err now.

        Each group has two weights. The first weight lacks the factor for the ways of overriding the
        SOA later. The second weight has this factor, for the experts that do not override now. The
        final number bounds the total weight of all experts that override now.
        """
        rounds, weights, others = self.remaining - 1, [], 0
        for soa, made, count in self.groups:
            dimension = soa.version_space.ldim()
            # C(n, <=j) - C(n, <=j-1) = C(n, j), for the j errors that are left to make.
            each = count * comb(rounds, self.errors - made)
            weights.append((soa, each, each * _choices(rounds, dimension)))
            others += each * _choices(rounds, dimension - 1) if dimension else 0
        return tuple(weights), others

    def _vote(self, x: Point) -> Label:
        weights, others = self._weights
        margin = sum(weight if soa._predict(x) else -weight for soa, _, weight in weights)
        # An override needs a restriction of the class. Most votes are clear without overrides.
        if abs(margin) <= others:
            for soa, each, _ in weights:
                said = 1 - soa._predict(x)
                overridden = soa._observe(x, said)
                if overridden.realizable:
                    weight = each * _choices(self.remaining - 1, overridden.version_space.ldim())
                    margin += weight if said else -weight
        return int(margin > 0)
