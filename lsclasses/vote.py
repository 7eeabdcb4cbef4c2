"""A weighted majority of hypotheses, which is a hypothesis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, lcm
from numbers import Rational
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import ComputedHypothesis, Hypothesis
from lsclasses.point_names import Label, Point
from lsclasses.stacks import GrowingArray, HypothesisStack, Listed, Stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD = 1 << 62
"""Bound on the sum of the weights of votes that are counted in 64 bits.

Votes with a larger sum are counted in Python's integers.
"""


class Vote(ComputedHypothesis):
    """A weighted vote of hypotheses: 1 where at least a given share of the weight votes 1.

    The label of x is ``[ w_1 h_1(x) + ... + w_k h_k(x) >= threshold (w_1 + ... + w_k) ]``, computed
    in integers. With equal weights and the threshold 1/2, the vote is the majority of [LWY25]
    (before Claim E.7), with the label 1 for a tie. `Table.majority` returns the class of all such
    majorities of m concepts.

    Two votes are equal if they agree everywhere. On a finite domain, a vote also equals a list of
    labels (`Concept`) with the same labels. On other domains, a vote equals only votes.

    Parameters
    ----------
    hypotheses : iterable of Hypothesis
        Voters, at least one, with equal domains. Hypotheses may repeat.
    weights : iterable of int or Fraction, optional
        Weights, one per hypothesis, at least 0 and not all 0. The default is 1. Only the ratios of
        the weights matter.
    threshold : Fraction, int or str such as "2/3"
        Share of the weight that gives the label 1, in (0, 1].

    Attributes
    ----------
    hypotheses : tuple of Hypothesis
        Hypotheses of positive weight.
    weights : tuple of int
        Weights of these hypotheses, without a common divisor.
    threshold : Fraction
        Share of the weight that gives the label 1.

    Raises
    ------
    InvalidInput
        If no hypothesis is given, if the domains differ, if the numbers of weights and hypotheses
        differ, if a weight is negative or a float, or if the threshold is out of range.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]], domain="abc")
    >>> Vote(C).to_concept().support, Vote(C, threshold="1/3").to_concept().support
    ((), ('a', 'b', 'c'))
    >>> h = Vote(C, [3, 1, Fraction(1, 2)])
    >>> h.weights, h("a"), h("b"), h == C[0]
    ((6, 2, 1), 1, 0, True)
    """

    kind: ClassVar[str] = "votes"

    def __init__(
        self,
        hypotheses: Iterable[Hypothesis],
        weights: Iterable[int | Fraction] | None = None,
        threshold: Fraction | int | str = Fraction(1, 2),
    ) -> None:
        super().__init__()
        voters = tuple(hypotheses)
        given = (1,) * len(voters) if weights is None else tuple(weights)
        self.threshold = _share(threshold)
        whole = _integers(given, len(voters))
        self.hypotheses = tuple(h for h, weight in zip(voters, whole, strict=True) if weight)
        self.weights = tuple(weight for weight in whole if weight)
        for h in self.hypotheses[1:]:
            if h.domain is not self.domain and h.domain != self.domain:
                raise InvalidInput(
                    "Only hypotheses on one domain can vote together. Got domains of "
                    f"{self.domain.describe()} and of {h.domain.describe()}."
                )
        self._total = sum(self.weights)
        self._least = ceil(self.threshold * self._total)

    @property
    def domain(self) -> Domain:
        """The points that the vote labels."""
        return self.hypotheses[0].domain

    @cached_property
    def _asked(self) -> tuple[HypothesisStack, NDArray[Any]]:
        """All voters on one stack, and their weights."""
        stack = HypothesisStack(self.domain)
        for h in self.hypotheses:
            stack.append(h)
        return stack, np.array(self.weights, np.int64 if self._total < WORD else object)

    def _compute(self, x: Point) -> Label:
        stack, weights = self._asked
        return int(weights[stack.labels(x)].sum() >= self._least)

    def _stack(self) -> Stack[Any]:
        return VoteStack(self.domain) if self._total < WORD else Listed()

    def __repr__(self) -> str:
        voters = len(self.hypotheses)
        return f"<Vote of {voters} hypothes{'is' if voters == 1 else 'es'}>"


class VoteStack(Stack[Vote]):
    """A stack of votes whose weights fit into 64 bits. It stores the voters of all votes in order.

    Parameters
    ----------
    domain : Domain
    """

    def __init__(self, domain: Domain) -> None:
        self._voters = HypothesisStack(domain)
        self._weights = GrowingArray(np.int64)
        self._starts = GrowingArray(np.intp)
        self._least = GrowingArray(np.int64)

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis.

        It must be a `Vote` whose weights fit into 64 bits.
        """
        return isinstance(h, Vote) and h._total < WORD

    def append(self, h: Vote) -> None:
        """Put a vote on the stack."""
        self._starts.append(len(self._voters))
        self._least.append(h._least)
        for voter, weight in zip(h.hypotheses, h.weights, strict=True):
            self._voters.append(voter)
            self._weights.append(weight)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the votes at a point."""
        said = np.where(self._voters.labels(x), self._weights.array, 0)
        # Only voters with positive weight are kept, so each vote has a voter, as `reduceat` needs.
        labels: NDArray[np.bool_] = np.add.reduceat(said, self._starts.array) >= self._least.array
        return labels


def _share(threshold: Fraction | int | str) -> Fraction:
    try:
        share = Fraction(threshold) if isinstance(threshold, (Rational, str)) else Fraction(0)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1:
        raise InvalidInput(
            f"The threshold of a vote must be a rational number in (0, 1]. Got {threshold!r}."
        )
    return share


def _integers(weights: Sequence[int | Fraction], voters: int) -> list[int]:
    """Return the weights as integers without a common divisor."""
    if not voters:
        raise InvalidInput("A vote needs at least one hypothesis. Got none.")
    if len(weights) != voters:
        raise InvalidInput(
            f"There must be one weight for each of {voters} hypotheses. Got {len(weights)}."
        )
    for weight in weights:
        if not isinstance(weight, Rational) or isinstance(weight, bool) or weight < 0:
            raise InvalidInput(
                f"A weight must be an integer or a Fraction, at least 0. Got {weight!r}."
            )
    common = lcm(*(int(weight.denominator) for weight in weights))
    whole = [int(weight * common) for weight in weights]
    divisor = gcd(*whole)
    if not divisor:
        raise InvalidInput("At least one hypothesis must have a positive weight. All have 0.")
    return [weight // divisor for weight in whole]
