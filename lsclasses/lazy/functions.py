"""Hypotheses given by functions from points to labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.points import Label, Point, check_label

Labelling = Hypothesis | Callable[[Any], Any]


class FunctionHypothesis(OnDomain[Domain], Hypothesis):
    """A hypothesis given by a function from points to 0 and 1.

    It is compared with others by walking through the domain.

    Parameters
    ----------
    domain : Domain
    function : callable
        ``function(x)`` is the label of the point x.

    Examples
    --------
    >>> from lsclasses import IntegerRange
    >>> odd = FunctionHypothesis(IntegerRange(0, 10), lambda x: x % 2)
    >>> odd(7), odd.disagreement(FunctionHypothesis(odd.domain, lambda x: x < 3))
    (1, 0)
    """

    __slots__ = ("_domain", "function")

    def __init__(self, domain: Domain, function: Callable[[Any], Any]) -> None:
        self._domain = domain
        self.function = function

    def _label(self, x: Point) -> Label:
        return check_label(self.function(x))

    def _extension(self) -> Hashable:
        return self.to_concept()._extension()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        points = FiniteDomain(self.to_concept().domain)
        labels = [patches.get(x, self._label(x)) for x in points]
        return Concept.from_labels(points, labels)._extension()

    def __repr__(self) -> str:
        return f"FunctionHypothesis({self._domain!r}, {self.function!r})"


def hypothesis_of(domain: Domain, labelling: Any) -> Hypothesis:
    if isinstance(labelling, Hypothesis):
        if labelling.domain != domain:
            raise InvalidInput(
                f"A concept must label the domain of the class, {domain.describe()}. "
                f"Got one on {labelling.domain.describe()}."
            )
        return labelling
    if not callable(labelling):
        raise InvalidInput(
            "A concept must be a Hypothesis or a function from points to labels. "
            f"Got {labelling!r}."
        )
    return FunctionHypothesis(domain, labelling)
