"""The dimensions of a class as its methods, and the summary of a class.

Each method has one line. A dimension is defined, with its reference, beside its search in
`lsclasses.dimensions`. A summary lists the dimensions, each exact or with bounds, as text and as
HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from lsclasses.html import html_table
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    import pandas

    from lsclasses.dimensions.base import Witness


# ---- summary


Quantity = int | Fraction | float | tuple[int, ...]
"""A value of a dimension; `math.inf` for an infinite one."""


@dataclass(frozen=True)
class SummaryRow:
    """One dimension of a class.

    Parameters
    ----------
    name, title : str
    value : str
        The exact value, or bounds; of sequences the first entries.
    source : str
        "closed form", "search" or "inequalities"; "limit reached" or "too large", where there is no
        exact value.
    lower, upper : int, Fraction, float or tuple of int, optional
        The known bounds, which are equal for an exact value; `math.inf` for an infinite one.
    """

    name: str
    title: str
    value: str
    source: str
    lower: Quantity | None = None
    upper: Quantity | None = None

    @property
    def exact(self) -> Quantity | None:
        """The value as a number, or None if only bounds are known."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True)
class Summary(Mapping[str, "Quantity | None"]):
    """The dimensions of a class: a mapping from names to exact values.

    `ConceptClass.summary` returns it. The value of a dimension is None if only bounds are known.
    The bounds are in `rows`. ``pandas.Series(summary)`` is a series of the values, and `to_pandas`
    returns a data frame with bounds and sources.

    Parameters
    ----------
    title : str
        The class.
    rows : tuple of SummaryRow

    Examples
    --------
    >>> import catalog
    >>> summary = catalog.build("thresholds:n=5").summary(["ldim", "vcdim"])
    >>> summary["ldim"], dict(summary)
    (2, {'ldim': 2, 'vcdim': 1})
    >>> summary.rows[0].source
    'closed form'
    """

    title: str
    rows: tuple[SummaryRow, ...]

    def __getitem__(self, name: str) -> Quantity | None:
        """Return the value of a dimension, or None if only bounds are known."""
        for row in self.rows:
            if row.name == name:
                return row.exact
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (row.name for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each dimension: value, bounds, source and title.

        Raises
        ------
        InvalidInput
            If pandas is missing.

        Examples
        --------
        >>> import catalog
        >>> frame = catalog.build("thresholds:n=5").summary(["ldim", "vcdim"]).to_pandas()
        >>> list(frame.columns), int(frame.loc["ldim", "value"])
        (['value', 'lower', 'upper', 'source', 'title'], 2)
        """
        from lsclasses.frames import data_frame

        columns: dict[str, list[Any]] = {
            "value": [row.exact for row in self.rows],
            "lower": [row.lower for row in self.rows],
            "upper": [row.upper for row in self.rows],
            "source": [row.source for row in self.rows],
            "title": [row.title for row in self.rows],
        }
        return data_frame(columns, list(self))

    def __str__(self) -> str:
        name, value = (max(len(getattr(r, w)) for r in self.rows) for w in ("name", "value"))
        lines = (f"  {r.name:{name}}  {r.value:{value}}  {r.source}" for r in self.rows)
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        cells = [(row.name, row.title, row.value, row.source) for row in self.rows]
        return html_table(self.title, cells, head=("", "dimension", "value", "source"))


# ---- dimension methods


class DimensionMethods:
    """Mixin of `ConceptClass`: every dimension of the registry as a method."""

    def _dimension(
        self, name: str, limit: Limit | None = None, progress: Progress | None = None
    ) -> Any:
        from lsclasses.dimensions.base import DIMENSIONS

        return DIMENSIONS[name](cast("Any", self), limit=limit, progress=progress)

    def summary(self, names: Iterable[str] | None = None, *, limit: Limit | None = None) -> Summary:
        """All dimensions at once, to print or to show in a notebook.

        Parameters
        ----------
        names : iterable of str, optional
            Which dimensions; all of them when omitted.
        limit : Limit, optional
            For all searches together; ten seconds when omitted. Bounds stand where it is reached,
            also those that follow from other dimensions.

        Raises
        ------
        InvalidInput
            If a name is none of a dimension, or there is none.

        Examples
        --------
        >>> import catalog
        >>> print(catalog.build("thresholds:n=5").summary(["ldim", "vcdim", "star_number"]))
        <Thresholds on 5 points: start 0 to 5>
          ldim         2  closed form
          vcdim        1  closed form
          star_number  2  closed form
        """
        # By its name, as dimensions are: what follows from inequalities stands above tables.
        made = import_module("lsclasses.dimensions.derived")
        found: Summary = made.summarize(self, names, limit or Limit(seconds=10))
        return found

    def ldim(self, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
        """The Littlestone dimension, exactly; -1 for the empty class.

        Parameters
        ----------
        limit : Limit, optional
            What the search may use.
        progress : callable, optional
            Called with the bounds known so far whenever they improve.

        Raises
        ------
        TooLarge
            If the limit is reached; the error carries the bounds found by then.

        Examples
        --------
        >>> from lsclasses import Table
        >>> Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]).ldim()
        2
        """
        return int(self._dimension("ldim", limit, progress))

    def vcdim(self, *, limit: Limit | None = None) -> int:
        """The Vapnik-Chervonenkis dimension; -1 for the empty class."""
        return int(self._dimension("vcdim", limit))

    def dual_ldim(self, *, limit: Limit | None = None) -> int:
        """The Littlestone dimension of the dual class, whose points are the concepts."""
        return int(self._dimension("dual_ldim", limit))

    def dual_vcdim(self, *, limit: Limit | None = None) -> int:
        """The VC dimension of the dual class."""
        return int(self._dimension("dual_vcdim", limit))

    def threshold_dim(self, *, limit: Limit | None = None) -> int:
        """The largest k with points x_j and concepts h_i such that h_i(x_j) = 1 iff i <= j."""
        return int(self._dimension("threshold_dim", limit))

    def randomized_ldim(self, *, limit: Limit | None = None) -> Fraction:
        """The randomized Littlestone dimension: the optimal expected number of mistakes."""
        return Fraction(self._dimension("randomized_ldim", limit))

    def star_number(self, *, limit: Limit | None = None) -> int:
        """The star number: the most points each of which some concept flips alone in a centre."""
        return int(self._dimension("star_number", limit))

    def hollow_star_number(self, *, limit: Limit | None = None) -> int:
        """The size of the largest minimal non-realizable sample (dual Helly number)."""
        return int(self._dimension("hollow_star_number", limit))

    def teaching_dim(self, *, limit: Limit | None = None) -> int:
        """The teaching dimension: the fewest examples that suffice to single out any concept."""
        return int(self._dimension("teaching_dim", limit))

    def recursive_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """The recursive teaching dimension: the least order of a teaching plan."""
        return int(self._dimension("recursive_teaching_dim", limit))

    def growth_function(self, *, limit: Limit | None = None) -> tuple[int, ...]:
        """The growth function: the largest number of labellings of n points, n = 0, 1, 2, ..."""
        return tuple(self._dimension("growth_function", limit))

    def membership_queries(self, *, limit: Limit | None = None) -> int:
        """The least depth of a decision tree over points that identifies every concept."""
        return int(self._dimension("membership_queries", limit))

    def equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """The least number of equivalence queries with arbitrary labellings as hypotheses: Ldim."""
        return int(self._dimension("equivalence_queries", limit))

    def proper_equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """The least number of equivalence queries whose hypotheses are concepts of the class."""
        return int(self._dimension("proper_equivalence_queries", limit))

    def partial_equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """The least number of partial equivalence queries, which label only some points."""
        return int(self._dimension("partial_equivalence_queries", limit))

    def self_directed_mistakes(self, *, limit: Limit | None = None) -> int:
        """The least number of mistakes of a learner that chooses the next point in every round."""
        return int(self._dimension("self_directed_mistakes", limit))

    def best_order_mistakes(self, *, limit: Limit | None = None) -> int:
        """The least number of mistakes in the best order of the points, known beforehand."""
        return int(self._dimension("best_order_mistakes", limit))

    def worst_order_mistakes(self, *, limit: Limit | None = None) -> int:
        """The least number of mistakes in the worst order of the points, known beforehand."""
        return int(self._dimension("worst_order_mistakes", limit))

    def min_degree(self, *, limit: Limit | None = None) -> int:
        """The minimum degree of the one-inclusion graph."""
        return int(self._dimension("min_degree", limit))

    def max_degree(self, *, limit: Limit | None = None) -> int:
        """The maximum degree of the one-inclusion graph."""
        return int(self._dimension("max_degree", limit))

    def average_degree(self, *, limit: Limit | None = None) -> Fraction:
        """The average degree of the one-inclusion graph."""
        return Fraction(self._dimension("average_degree", limit))

    def degeneracy(self, *, limit: Limit | None = None) -> int:
        """The degeneracy of the one-inclusion graph: the largest minimum degree of a subgraph."""
        return int(self._dimension("degeneracy", limit))

    def density(self, *, limit: Limit | None = None) -> Fraction:
        """The density of the one-inclusion graph: the largest edges/vertices of a subgraph."""
        return Fraction(self._dimension("density", limit))

    def eluder_dim(self, *, limit: Limit | None = None) -> int:
        """The eluder dimension: the most points at which concepts first depart from a target."""
        return int(self._dimension("eluder_dim", limit))

    def antipodal_shattering_dim(self, *, limit: Limit | None = None) -> int:
        """The largest set on which each labelling or its complement occurs: the dual sign rank."""
        return int(self._dimension("antipodal_shattering_dim", limit))

    def min_star_number(self, *, limit: Limit | None = None) -> int:
        """The minimum star number: the least size, over all labellings, of their largest star."""
        return int(self._dimension("min_star_number", limit))

    def extended_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """The extended teaching dimension: the fewest points that suffice for every labelling."""
        return int(self._dimension("extended_teaching_dim", limit))

    def no_clash_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """The no-clash teaching dimension: the least size of the largest lesson without clashes."""
        return int(self._dimension("no_clash_teaching_dim", limit))

    def positive_no_clash_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """The no-clash teaching dimension if lessons have points with label 1 only."""
        return int(self._dimension("positive_no_clash_teaching_dim", limit))

    def witness(self, dimension: str, *, limit: Limit | None = None) -> Witness:
        """A witness that a dimension is not smaller, a set or sequence, which verifies itself.

        Parameters
        ----------
        dimension : str
            The name of a dimension; of all but the randomized one and the growth function.
        limit : Limit, optional
            What the search may use.

        Raises
        ------
        InvalidInput
            If there is no such dimension, or there are no witnesses of it; or the class is empty.
        TooLarge
            If the limit is reached, or the class cannot be written out as a table.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], domain="abc")
        >>> print(C.witness("star_number"))
        star_number >= 3: points a, b, c; centre 0; concepts 1, 2, 3
        >>> print(C.witness("vcdim"))
        vcdim >= 1: points a
        """
        from lsclasses.dimensions.base import DIMENSIONS

        return DIMENSIONS[dimension].witness(cast("Any", self), limit=limit)
