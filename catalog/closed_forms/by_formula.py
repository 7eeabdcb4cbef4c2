"""The base of classes in closed form: a state of the version space, and formulas in the state.

The module has three more parts. `grow_tree` builds the shattered tree of a class that can choose a
splitting point at every version space. The SOA's rule of a closed form is written out only when it
is compared with another rule. `stated_value` returns the dimensions that a family states for the
whole class and that have no formula after examples.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis, PatchedHypothesis, differences, distance
from lsclasses.options import Value
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point

# ---- by formula


class ByFormula(ConceptClass):
    """Base of classes that answer by formula, also after restrictions to examples."""

    __slots__ = ()

    @property
    @abstractmethod
    def _state(self) -> Hashable:
        """Return the state of the version space, which is equal iff the version space is equal."""

    @abstractmethod
    def _formula(self, dimension: str) -> int | Fraction | None:
        """Return the value of a dimension of a non-empty class, or None without a formula."""

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


def require_searchable(C: ConceptClass) -> None:
    """Raise `TooLarge` if the table of a class is too large to search its Littlestone dimension.

    Raises
    ------
    TooLarge
        If the table of the class needs too much memory. The error contains the upper bound by the
        number of concepts.
    """
    size, points = C.size, C.domain.size
    assert size is not None
    assert points is not None
    try:
        require_memory(size, points, repr(C))
    except TooLarge as error:
        most = max(size.bit_length() - 1, 0)
        raise TooLarge(
            f"No formula gives the Littlestone dimension of {C!r}. It is at most {most}, because "
            f"there are fewer than 2^{most + 1} concepts. A table for a search is too large. The "
            "learner best needs only a mistake bound.",
            estimate=error.estimate,
            limit=error.limit,
            lower=0,
            upper=most,
        ) from None


# ---- trees


C = TypeVar("C", bound=ConceptClass)


def grow_tree(root: C, split: Callable[[C, int], Point]) -> tuple[Point, ...]:
    """Return the inner nodes of a shattered tree of depth Ldim >= 0, breadth first.

    Parameters
    ----------
    root : ConceptClass
        Version space at the root of the tree.
    split : callable
        ``split(V, d)`` returns, for a version space V with Ldim >= d >= 1, a point both of whose
        labels leave a shattered tree of depth d - 1.
    """
    points: list[Point] = []
    level: list[Any] = [root]
    for d in range(root.ldim(), 0, -1):
        below = []
        for left in level:
            x = split(left, d)
            points.append(x)
            below += [left._restrict(x, y) for y in (0, 1)]
        level = below
    return tuple(points)


# ---- on demand


class WritesRules(ByFormula):
    """Base of classes that predict at one point faster than they describe the SOA's whole rule.

    Attributes
    ----------
    writes_quickly : bool
        Whether writing out the rule takes at most as long as a thousand predictions. Then a rule
        that is evaluated often is written out.
    """

    writes_quickly: ClassVar[bool] = False

    @abstractmethod
    def _written_rule(self) -> Hypothesis:
        """Return the SOA's rule as a hypothesis with a canonical extension."""


class RuleOnDemand(Hypothesis):
    """The SOA's rule for a version space, which computes each label when it is needed.

    Parameters
    ----------
    version_space : WritesRules
        The version space whose SOA predicts.
    """

    def __init__(self, version_space: WritesRules) -> None:
        self.version_space = version_space

    @property
    def domain(self) -> Domain:
        """The points that the rule labels."""
        return self.version_space.domain

    def _label(self, x: Point) -> Label:
        return self.version_space._soa_label(x)

    @cached_property
    def written(self) -> Hypothesis:
        """The rule, written out as a labelling that can be compared with other labellings."""
        return self.version_space._written_rule()

    def _extension(self) -> Hashable:
        return self.written._extension()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        # The written rule may itself be a patched hypothesis.
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
    """Return a rule, written out as a labelling that can be compared with other labellings."""
    return h.written if isinstance(h, RuleOnDemand) else h


# ---- family facts


def stated_value(family: str, dimension: str, **values: Value) -> Fraction | None:
    """Return the value of a dimension that the facts of a family state.

    The result is None if no fact states the exact value.

    Examples
    --------
    >>> stated_value("affine", "dual_ldim", q=2, n=64, k=8, empty=0)
    Fraction(9, 1)
    """
    import catalog

    found = catalog.family(family)
    for fact in found.facts:
        if fact.quantity == dimension and fact.relation == "==" and found.applies(fact, values):
            return found.evaluate(fact.expression, values)
    return None
