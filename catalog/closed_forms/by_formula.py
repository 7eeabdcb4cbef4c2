"""The base of classes in closed form: a state of the version space, and formulas in it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from fractions import Fraction

from lsclasses.concept_class import ConceptClass


class ByFormula(ConceptClass):
    """A class that answers by formula, after any examples."""

    __slots__ = ()

    @property
    @abstractmethod
    def _state(self) -> Hashable:
        """The state that determines the concepts; version spaces are equal iff their states are."""

    @abstractmethod
    def _formula(self, dimension: str) -> int | Fraction | None:
        """The value of a dimension if a formula gives it, else None; the class is not empty."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, ByFormula)
        return self._state == other._state and self.domain == other.domain

    def __hash__(self) -> int:
        return hash(self._state)

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        if self._is_empty():
            return {"ldim": -1, "vcdim": -1, "threshold_dim": 0}.get(dimension)
        return self._formula(dimension)
