"""The SOA's rule of a closed form, written out only when it is compared with another one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import ClassVar

from catalog.closed_forms.by_formula import ByFormula
from lsclasses.domain import Domain
from lsclasses.hypothesis import Hypothesis, PatchedHypothesis, differences, distance
from lsclasses.points import Label, Point


class WritesRules(ByFormula):
    """A class that answers for single points faster than it describes the SOA's whole rule.

    Attributes
    ----------
    writes_quickly : bool
        Whether describing it takes no more than a thousand points would, so that rules that are
        asked again and again are better written out.
    """

    writes_quickly: ClassVar[bool] = False

    @abstractmethod
    def _written_rule(self) -> Hypothesis:
        """The SOA's rule as a hypothesis with a canonical extension."""


class RuleOnDemand(Hypothesis):
    """The SOA's rule for a version space, point by point.

    Parameters
    ----------
    version_space : WritesRules
    """

    def __init__(self, version_space: WritesRules) -> None:
        self.version_space = version_space

    @property
    def domain(self) -> Domain:
        """The points that are labelled."""
        return self.version_space.domain

    def _label(self, x: Point) -> Label:
        return self.version_space._soa_label(x)

    @cached_property
    def written(self) -> Hypothesis:
        """The same labelling in a form that can be compared with others."""
        return self.version_space._written_rule()

    def _extension(self) -> Hashable:
        return self.written._extension()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        # What is written may be a patched hypothesis itself.
        return PatchedHypothesis(self.written, patches)._extension()

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        return self.written._canonical(patches)

    def _base_and_changes(self) -> tuple[Hypothesis, Mapping[Point, Label]]:
        if self.version_space.writes_quickly:
            return self.written._base_and_changes()
        return self, {}

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        return differences(self.written, written(other))

    def _distance(self, other: Hypothesis) -> int:
        return distance(self.written, written(other))

    def __repr__(self) -> str:
        return f"<SOA of {self.version_space!r}>"


def written(h: Hypothesis) -> Hypothesis:
    """The same labelling in a form that can be compared with others."""
    return h.written if isinstance(h, RuleOnDemand) else h
