"""What a dimension of concept classes is: a name, a definition, a search, and conventions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Progress, require_limit, within

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.dimensions.witness import Witness
    from lsclasses.table import Table

Value = int | Fraction | tuple[int, ...]
"""What a dimension can be: a number, or for the growth function one number a sample size."""


class Search(Protocol):
    """How a dimension of a table is found."""

    def __call__(
        self, table: Table, /, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Value:
        """The exact value; raises `TooLarge` when the limit is reached."""
        ...


Evidence = Callable[["Table", "Limit | None"], tuple["int | Fraction", Mapping[str, Any]]]
"""How what shows that a dimension is not smaller is found."""


class Answer(NamedTuple):
    """A dimension of a class, with where it comes from and how long it took.

    Attributes
    ----------
    value : int, Fraction or tuple of int
    source : "closed form" or "search"
        Whether a formula gave the value or a search in the table of the class.
    seconds : float
        Wall-clock time.
    """

    value: Value
    source: Literal["closed form", "search"]
    seconds: float


@dataclass(frozen=True)
class Dimension:
    """A quantity that every concept class has; call it on a class to get its exact value.

    Parameters
    ----------
    name : str
        As on the command line, and as the method of `ConceptClass`.
    title : str
    symbol : str
        What papers write.
    definition : str
        One sentence.
    reference : str
    search : callable
        ``search(table, limit=..., progress=...)`` gives the exact value for a table.
    value_on_empty : int, Fraction or None
        What the definition gives for the empty class, a `Fraction` if values are; None if it
        depends on the domain, as for a sequence.
    flips_change : bool
        Whether complementing the labels at a point can change it. Renaming points never does.
    meaning : str
        What it tells, in a sentence.
    evidence : callable, optional
        ``evidence(table, limit)`` gives the value for a class that is not empty, and what shows
        that it is not smaller; see `lsclasses.dimensions.witness`.

    Examples
    --------
    >>> from lsclasses import Table
    >>> from lsclasses.dimensions import dimension
    >>> vcdim = dimension("vcdim")
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
    search: Search
    value_on_empty: int | Fraction | None
    flips_change: bool = False
    meaning: str = ""
    evidence: Evidence | None = None

    @property
    def kind(self) -> Literal["integer", "fraction", "sequence"]:
        """What its values are."""
        if self.value_on_empty is None:
            return "sequence"
        return "fraction" if isinstance(self.value_on_empty, Fraction) else "integer"

    def __call__(
        self, C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Value:
        """The exact value for a class: by its closed form if it has one, else by search.

        Parameters
        ----------
        C : ConceptClass
        limit : Limit, optional
            What a search may use.
        progress : callable, optional
            Called with (lower, upper) whenever a search knows better bounds.

        Raises
        ------
        TooLarge
            If the limit is reached (the error carries the bounds found, where the search has
            any), or the class has no closed form and cannot be written out as a table.
        """
        return self.evaluate(C, limit=limit, progress=progress).value

    def evaluate(
        self, C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Answer:
        """The exact value, and whether a closed form or a search gave it; otherwise as a call."""
        require_limit(limit)
        start = time.perf_counter()
        source: Literal["closed form", "search"] = "closed form"
        value = self.closed_form(C)
        if value is None and C.is_empty:
            value = self.value_on_empty
        if value is None:
            source = "search"
            with within(limit):
                value = self.search(C.to_table(), limit=limit, progress=progress)
        return Answer(value, source, time.perf_counter() - start)

    def witness(self, C: ConceptClass, *, limit: Limit | None = None) -> Witness:
        """What shows that the value for a class is not smaller, found by search.

        Raises
        ------
        InvalidInput
            If there are no witnesses of this dimension, or the class is empty.
        TooLarge
            If the limit is reached, or the class cannot be written out as a table.
        """
        from lsclasses.dimensions.witness import Witness, require_witness

        require_witness(self.name)
        assert self.evidence is not None
        if C.is_empty:
            raise InvalidInput(f"The empty class has nothing that could show its {self.name}.")
        with within(limit):
            value, evidence = self.evidence(C.to_table(), limit)
        if value < 0:
            raise InvalidInput(f"{C!r} has nothing that could show its {self.name}, {value}.")
        return Witness(self.name, value, evidence)

    def closed_form(self, C: ConceptClass) -> Value | None:
        """The value that a formula gives, or None if the class has none for this dimension.

        Raises
        ------
        InfiniteDimension
            If the dimension of the class is infinite.
        """
        value = C._closed_form(self.name)
        # Formulas compute with fractions.
        return int(value) if value is not None and self.kind == "integer" else value
