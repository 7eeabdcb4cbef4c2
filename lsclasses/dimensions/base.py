"""Dimensions of concept classes: name, definition, search and conventions.

``DIMENSIONS`` is the single list of dimensions. The command line, the documentation, the atlas and
the verification of the catalog read ``DIMENSIONS``. To add a dimension, write a search with the
decorator `dimension`, and add a line to ``lsclasses/dimensions/names.toml``.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from lsclasses.dimensions.definitions import Check, Labels, Problem, listed
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.limits import Limit, Progress, require_limit, within
from lsclasses.point_names import name_text, to_json
from lsclasses.registry import Registry, instance_of

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

Value = int | Fraction | tuple[int, ...]
"""The value of a dimension: a number, or a sequence for the growth function."""


V = TypeVar("V", bound=Value)
V_co = TypeVar("V_co", bound=Value, covariant=True)


class Search(Protocol[V_co]):
    """Protocol of a search for a dimension of a table."""

    __name__: str

    def __call__(
        self, table: Table, /, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> V_co:
        """Return the exact value.

        Parameters
        ----------
        table : Table
        limit : Limit, optional
            Time and memory that the search may use.
        progress : callable, optional
            Called with (lower, upper) whenever a bound improves.

        Raises
        ------
        TooLarge
            If the limit is reached. The error contains the bounds found so far. If they are equal,
            the decorator `dimension` returns the value.
        """
        ...


@dataclass(frozen=True)
class Evidence:
    """Evidence for a lower or an upper bound on a dimension.

    Parameters
    ----------
    find : callable
        ``find(table, limit)`` returns the value for a table that is not empty, and the evidence for
        the value. The evidence maps parts to names of points or of concepts, as in the table. A
        part is a list of names, or one name if `SINGLE` contains the part. A ``sample`` is a list
        of pairs of a point and a label.
    shows : str
        Description of the evidence.
    check : callable
        ``check(labels, evidence, value)`` returns the error in the evidence, computed from the
        labels. See `lsclasses.dimensions.definitions`.
    at_most : bool
        Whether the evidence proves an upper bound instead of a lower bound.
    """

    find: Callable[[Table, Limit | None], tuple[int | Fraction, Mapping[str, Any]]]
    shows: str
    check: Check
    at_most: bool = False

    def witness(
        self, made: Callable[..., Witness], name: str, C: ConceptClass, limit: Limit | None
    ) -> Witness:
        """Return a witness of a bound on the quantity `name` of a class.

        `made` builds the witness from the name, the value and the evidence. The errors are the
        errors of `Dimension.witness`.
        """
        if C.is_empty:
            raise InvalidInput(f"The empty class has no evidence for its {name}.")
        with within(limit):
            value, found = self.find(C.to_table(), limit)
        if value < 0:
            raise InvalidInput(f"{C!r} has no evidence for its {name}, {value}.")
        return made(name, value, found)


class Answer(NamedTuple):
    """A dimension of a class, with its source and its running time.

    Attributes
    ----------
    value : int, Fraction or tuple of int
    source : "closed form" or "search"
        Whether the value comes from a formula or from a search in the table of the class.
    seconds : float
        Wall-clock time.
    """

    value: Value
    source: Literal["closed form", "search"]
    seconds: float


@dataclass(frozen=True)
class Dimension(Generic[V_co]):
    """A dimension of concept classes, called with a class to return its exact value.

    Parameters
    ----------
    name : str
        Name on the command line, and name of the method of `ConceptClass`.
    title : str
    symbol : str
        Symbol in papers.
    definition : str
        One sentence.
    reference : str
    search : callable
        ``search(table, limit=..., progress=...)`` returns the exact value for a table.
    value_on_empty : int, Fraction or None
        Value for the empty class by the definition, a `Fraction` if all values are fractions. None
        means that the value depends on the domain, as for a sequence.
    value_without_points : int or None
        Value for the empty class on a domain without points, if it differs from `value_on_empty`.
    flips_change : bool
        Whether complementing the labels at a point can change the dimension. Renaming points never
        changes a dimension.
    meaning : str
        Significance of the dimension, in a sentence.
    evidence : Evidence, optional
        Evidence for a lower bound, if a set or sequence of points and concepts proves the bound.
    bounded_by : str, optional
        Name of a dimension that bounds this dimension. If a search ends without bounds, this other
        dimension is computed.

    Examples
    --------
    >>> from lsclasses import Table
    >>> from lsclasses.dimensions import DIMENSIONS
    >>> vcdim = DIMENSIONS["vcdim"]
    >>> print(vcdim.definition)
    The size of the largest set of points on which the class induces every labelling.
    >>> C = Table([[0, 0], [0, 1], [1, 1]])
    >>> vcdim(C), vcdim.evaluate(C).source
    (1, 'search')
    """

    name: str
    title: str
    symbol: str
    definition: str
    reference: str
    search: Search[V_co]
    value_on_empty: int | Fraction | None
    flips_change: bool = False
    meaning: str = ""
    evidence: Evidence | None = None
    bounded_by: str = ""
    value_without_points: int | None = None

    @property
    def kind(self) -> Literal["integer", "fraction", "sequence"]:
        """The type of the values: integer, fraction or sequence."""
        if self.value_on_empty is None:
            return "sequence"
        return "fraction" if isinstance(self.value_on_empty, Fraction) else "integer"

    def __call__(
        self, C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> V_co:
        """Return the exact value for a class, by its closed form if it has one, or by search.

        Parameters
        ----------
        C : ConceptClass
        limit : Limit, optional
            Time and memory that a search may use.
        progress : callable, optional
            Called with (lower, upper) whenever a search improves the bounds.

        Raises
        ------
        TooLarge
            If the limit is reached, or the class has no closed form and cannot be enumerated as a
            table. If the limit is reached in the search of a table, the error contains different
            bounds: the bounds of the search, or else bounds from the numbers of concepts and
            points. If the bounds are equal, the call returns the value instead.
        """
        value: Any = self._value(C, limit, progress, bounded=True)[0]
        found: V_co = value
        return found

    def evaluate(
        self, C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Answer:
        """Return the exact value and its source, "closed form" or "search". See `__call__`.

        An error of the search contains only the bounds that the search found, if any.
        """
        start = time.perf_counter()
        value, source = self._value(C, limit, progress, bounded=False)
        return Answer(value, source, time.perf_counter() - start)

    def _value(
        self, C: ConceptClass, limit: Limit | None, progress: Progress | None, *, bounded: bool
    ) -> tuple[Value, Literal["closed form", "search"]]:
        """Return the value and its source. If `bounded`, every stopped search has bounds."""
        require_limit(limit)
        value = self.closed_form(C)
        if value is None and C.is_empty:
            value = self.of_empty_class(C)
        if value is not None:
            return value, "closed form"
        with within(limit):
            table = C.to_table()
            try:
                return self.search(table, limit=limit, progress=progress), "search"
            except TooLarge as stopped:
                if stopped.lower is not None or not bounded:
                    raise
                # The module is imported by its name because it is above tables.
                made = import_module("lsclasses.dimensions.derived")
                bounds: Value = made.value_or_bounds(self, table, stopped)
                return bounds, "search"

    def of_empty_class(self, C: ConceptClass) -> int | Fraction | None:
        """Return the value of the dimension for an empty class, which may depend on its domain.

        The result is None for a sequence, which a search computes.

        Examples
        --------
        >>> from lsclasses import Table
        >>> from lsclasses.dimensions import DIMENSIONS
        >>> dual_ldim = DIMENSIONS["dual_ldim"]
        >>> dual_ldim.of_empty_class(Table([], domain="ab"))
        0
        >>> dual_ldim.of_empty_class(Table([], domain=[]))
        -1
        """
        if self.value_without_points is not None and C.domain.size == 0:
            return self.value_without_points
        return self.value_on_empty

    def witness(self, C: ConceptClass, *, limit: Limit | None = None) -> Witness:
        """Return evidence for a lower bound on the value for a class, found by search.

        Raises
        ------
        InvalidInput
            If this dimension has no witnesses, or the class is empty.
        TooLarge
            If the limit is reached, or the class cannot be enumerated as a table.
        """
        return _evidence_of(self).witness(Witness, self.name, C, limit)

    def closed_form(self, C: ConceptClass) -> Value | None:
        """Return the value in closed form, or None if the class has no formula for this dimension.

        Raises
        ------
        InfiniteDimension
            If the dimension of the class is infinite.
        """
        value = C._closed_form(self.name)
        # Formulas compute with fractions.
        return int(value) if value is not None and self.kind == "integer" else value


def dimension(
    title: str,
    *,
    symbol: str,
    reference: str,
    of_empty: int | Fraction | None,
    without_points: int | None = None,
    definition: str = "",
    meaning: str = "",
    flips_change: bool = False,
    evidence: Evidence | None = None,
    bounded_by: str = "",
) -> Callable[[Search[V]], Dimension[V]]:
    """Return a decorator that makes a search function a dimension with the function's name.

    Parameters
    ----------
    of_empty : int, Fraction or None
        The `value_on_empty` of a `Dimension`. The remaining parameters are parameters of
        `Dimension`, too.
    without_points : int, optional
        The `value_without_points` of a `Dimension`.
    definition : str, optional
        Definition, by default the first paragraph of the docstring.

    Examples
    --------
    >>> from lsclasses import Table
    >>> @dimension("largest support", symbol="w", reference="by definition", of_empty=0)
    ... def largest_support(table, *, limit=None, progress=None):
    ...     '''The largest number of points at which a concept is 1.'''
    ...     return max(map(int.bit_count, table.row_bits))
    >>> largest_support(Table([[0, 0], [0, 1]])), largest_support(Table([], domain="ab"))
    (1, 0)
    >>> largest_support.name, largest_support.definition
    ('largest_support', 'The largest number of points at which a concept is 1.')
    """

    def made(search: Search[V]) -> Dimension[V]:
        @wraps(search)
        def decided(
            table: Table, /, *, limit: Limit | None = None, progress: Progress | None = None
        ) -> V:
            try:
                return search(table, limit=limit, progress=progress)
            except TooLarge as stopped:
                # Bounds can meet before the search has found its evidence.
                if stopped.lower is None or stopped.lower != stopped.upper:
                    raise
                value: Any = stopped.lower
                return value  # type: ignore[no-any-return]

        said = definition or " ".join((search.__doc__ or "").partition("\n\n")[0].split())
        found = Dimension(
            search.__name__,
            title,
            symbol,
            said,
            reference,
            decided,
            of_empty,
            flips_change=flips_change,
            meaning=meaning,
            evidence=evidence,
            bounded_by=bounded_by,
            value_without_points=without_points,
        )
        # The dimension keeps the docstring and the examples of the function.
        set_frozen_fields(
            found, __doc__=search.__doc__, __module__=search.__module__, __wrapped__=search
        )
        return found

    return made


SINGLE = ("centre", "concept", "target", "strategy", "nested_tree")
"""Names of the parts of evidence that are a single value. All other parts are lists."""


CONCEPTS = frozenset({"centre", "concept", "concepts", "target"})
"""Names of the parts of evidence that consist of names of concepts."""


@dataclass(frozen=True)
class Witness:
    """A witness of a bound on a dimension: the bound `value`, and evidence that proves it.

    Parameters
    ----------
    dimension : str
    value : int or Fraction
    evidence : mapping of str to tuple or name
        Evidence in the form that the `Evidence` of the dimension describes. Concepts have their
        names in the class, or their positions if the class has no names.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], domain="abc")
    >>> witness = C.witness("threshold_dim")
    >>> print(witness)
    threshold_dim >= 3: points a, b, c; concepts 3, 2, 1
    >>> witness.verify(C)
    >>> Witness("threshold_dim", 2, {"points": "ab", "concepts": (1, 3)}).verify(C)
    Traceback (most recent call last):
        ...
    lsclasses.errors.BadCertificate: This is not a witness of threshold_dim >= 2: concept 1 has ...
    """

    dimension: str
    value: int | Fraction
    evidence: Mapping[str, Any]

    def verify(self, C: ConceptClass) -> None:
        """Check that the evidence proves the bound, by the definition of the dimension.

        The check uses only the labels of the class.

        Parameters
        ----------
        C : ConceptClass

        Raises
        ------
        BadCertificate
            If the evidence does not prove the claim.
        TooLarge
            If C cannot be enumerated, or the definition requires more than a million sets.
        """
        shown, kind = self._subject
        problem = self._malformed(kind)
        if not problem:
            # Some parts are read twice, and an iterator would be empty the second time.
            evidence = {
                name: part if name in SINGLE else tuple(part)
                for name, part in self.evidence.items()
            }
            table = C.to_table()
            evidence |= {
                name: _unmerged(table, name, evidence[name]) for name in CONCEPTS & evidence.keys()
            }
            try:
                problem = shown.check(_labels_of(table), evidence, self.value)
            except (LookupError, TypeError, ValueError) as error:
                from lsclasses.json_text import damaged

                problem = damaged(error)
        if problem:
            raise BadCertificate(f"This is not a witness of {self._claim}: {problem}.")

    @property
    def _subject(self) -> tuple[Evidence, str]:
        """The type of evidence, and the type of values."""
        dimension = DIMENSIONS[self.dimension]
        return _evidence_of(dimension), dimension.kind

    def _malformed(self, kind: str) -> Problem:
        """Return the error in the form of the claim and the evidence, or an empty string."""
        kinds = (int, Fraction) if kind == "fraction" else (int,)
        if type(self.value) not in kinds or self.value < 0:
            number = "a fraction" if len(kinds) > 1 else "an integer"
            return f"the value must be {number} of at least 0"
        if not isinstance(self.evidence, Mapping):
            return f"the evidence must be a mapping from parts to names. Got {self.evidence!r:.99}"
        for name, part in self.evidence.items():
            if name not in SINGLE and not isinstance(part, Iterable):
                return f"{name} must be a list. Got {part!r:.99}"
        return ""

    @property
    def _claim(self) -> str:
        sign = "<=" if self._subject[0].at_most else ">="
        return f"{self.dimension} {sign} {self.value}"

    def __str__(self) -> str:
        parts = "; ".join(_shown(name, part) for name, part in self.evidence.items())
        return f"{self._claim}: {parts}"

    def to_json(self) -> dict[str, Any]:
        """Return the dimension, the value and the evidence as JSON values, with names as in files.

        The object contains ``"at_most": true`` if the witness proves an upper bound.
        """
        return {
            "dimension": self.dimension,
            "value": self.value if isinstance(self.value, int) else str(self.value),
            **({"at_most": True} if self._subject[0].at_most else {}),
            "evidence": {name: to_json(part) for name, part in self.evidence.items()},
        }


def _evidence_of(dimension: Dimension[Value]) -> Evidence:
    if dimension.evidence is None:
        raise InvalidInput(
            f"{dimension.name!r} has no witnesses, because no set or sequence of points and "
            "concepts proves a lower bound on it. Dimensions with witnesses are, for example, "
            "ldim, vcdim, threshold_dim, star_number and teaching_dim."
        )
    return dimension.evidence


def _labels_of(table: Table) -> Labels:
    concepts = tuple(table.concept_name(i) for i in range(len(table)))
    return Labels(concepts, table.points, table.labels.tolist())


def _unmerged(table: Table, name: str, part: Any) -> Any:
    """Return a part with the names of merged duplicates replaced by the names of their concepts."""
    kept = dict(table.merged_names)
    try:
        if name in SINGLE:
            return kept.get(part, part)
        return tuple(kept.get(each, each) for each in part)
    except TypeError:
        return part


def _shown(name: str, part: Any) -> str:
    if name in SINGLE:
        return f"{name} {name_text(part)}"
    if name == "sample":
        return f"{name} {listed([f'({name_text(x)}, {y})' for x, y in part])}"
    return f"{name} {listed([name_text(each) for each in part])}"


READING_ORDER = (
    "ldim",
    "vcdim",
    "dual_ldim",
    "dual_vcdim",
    "threshold_dim",
    "randomized_ldim",
    "star_number",
    "hollow_star_number",
    "teaching_dim",
    "recursive_teaching_dim",
    "growth_function",
    "membership_queries",
    "equivalence_queries",
    "proper_equivalence_queries",
    "partial_equivalence_queries",
    "self_directed_mistakes",
    "best_order_mistakes",
    "worst_order_mistakes",
    "min_degree",
    "max_degree",
    "average_degree",
    "degeneracy",
    "density",
    "eluder_dim",
    "antipodal_shattering_dim",
    "min_star_number",
    "extended_teaching_dim",
    "no_clash_teaching_dim",
    "positive_no_clash_teaching_dim",
)
"""Order of dimensions in listings, by familiarity. Dimensions of other packages come last."""


@cache
def aliases() -> Mapping[str, str]:
    """Return a map from each alias to the name of its dimension.

    Examples
    --------
    >>> aliases()["vc"], DIMENSIONS["Littlestone dimension"].name
    ('vcdim', 'ldim')
    """
    path = Path(__file__).with_name("aliases.toml")
    return MappingProxyType(tomllib.loads(path.read_text(encoding="utf-8")))


def names_by_alias() -> Mapping[str, str]:
    """Return a map from symbols, titles and aliases, in lower case, to names of dimensions.

    Examples
    --------
    >>> names_by_alias()["rl"], names_by_alias()["vc_dimension"]
    ('randomized_ldim', 'vcdim')
    """
    symbols = {d.symbol.casefold(): name for name, d in DIMENSIONS.items() if d.symbol}
    titles = {re.sub(r"[\s-]+", "_", d.title.casefold()): name for name, d in DIMENSIONS.items()}
    return {**symbols, **titles, **aliases()}


def _answers() -> Mapping[str, str]:
    """Return the answers about words that are not dimensions, which only an unknown name needs."""
    from lsclasses.dimensions.not_computed import answers

    return answers()


DIMENSIONS = Registry(
    "dimensions",
    "dimension",
    instance_of(Dimension, "A dimension is made by the decorator lsclasses.dimensions.dimension."),
    first=READING_ORDER,
    aliases=names_by_alias,
    answers=_answers,
)
"""Every dimension of this package and of installed plug-ins, by name."""
