"""The dimensions of a concept class, one file each, and the registry that lists them.

``DIMENSIONS`` is the single list: the command line, the documentation and the verification of the
catalog read it. A new dimension is a file with its search, a transcription of its definition in
`lsclasses.naive` for the tests, and one entry here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from lsclasses.dimensions import dual, hollow_star, littlestone, star, teaching, threshold, vc
from lsclasses.dimensions.dual import dual_ldim, dual_vcdim
from lsclasses.dimensions.growth import growth_function
from lsclasses.dimensions.hollow_star import hollow_star_number
from lsclasses.dimensions.littlestone import ldim
from lsclasses.dimensions.randomized import randomized_ldim
from lsclasses.dimensions.star import star_number
from lsclasses.dimensions.teaching import recursive_teaching_dim, teaching_dim
from lsclasses.dimensions.threshold import threshold_dim
from lsclasses.dimensions.vc import vcdim
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Progress, require_limit
from lsclasses.points import nearest

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.dimensions.witness import Witness as Witness
    from lsclasses.table import Table

__all__ = ["DIMENSIONS", "Answer", "Dimension", "Value", "dimension"]

Value = int | Fraction | tuple[int, ...]
"""What a dimension can be: a number, or for the growth function one number a sample size."""


class Search(Protocol):
    """How a dimension of a table is found."""

    def __call__(
        self, table: Table, /, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Value:
        """The exact value; raises `TooLarge` when the limit is reached."""
        ...


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
        What the definition gives for the empty class; None if that depends on the domain.
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
    evidence: Callable[[Table, Limit | None], tuple[int, Mapping[str, Any]]] | None = None

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

        require_witness(self.name, (name for name, entry in DIMENSIONS.items() if entry.evidence))
        assert self.evidence is not None
        if C.is_empty:
            raise InvalidInput(f"The empty class has nothing that could show its {self.name}.")
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
        # Formulas compute with fractions; only the randomized dimension is one.
        return int(value) if value is not None and isinstance(self.value_on_empty, int) else value


DIMENSIONS: dict[str, Dimension] = {
    entry.name: entry
    for entry in (
        Dimension(
            "ldim",
            "Littlestone dimension",
            "Ldim",
            "The largest depth of a complete binary tree of points, every branch of which some "
            "concept follows.",
            "Littlestone 1988; [LWY25, Definition 2.2]",
            ldim,
            -1,
            meaning="An adversary forces so many mistakes on every deterministic online "
            "learner, and the Standard Optimal Algorithm makes no more.",
            evidence=littlestone.evidence,
        ),
        Dimension(
            "vcdim",
            "Vapnik-Chervonenkis dimension",
            "VCdim",
            "The size of the largest set of points on which the class induces every labelling.",
            "Vapnik and Chervonenkis 1971",
            vcdim,
            -1,
            meaning="About so many examples, divided by the error that is allowed, are enough "
            "to learn from a sample.",
            evidence=vc.evidence,
        ),
        Dimension(
            "dual_ldim",
            "dual Littlestone dimension",
            "Ldim*",
            "The Littlestone dimension of the dual class, whose points are the concepts and whose "
            "concepts are the points.",
            "[LWY25, section 2.3]; Shelah 1978",
            dual_ldim,
            0,
            meaning="It is finite exactly when the Littlestone dimension is, though what is "
            "proved of the two leaves them doubly exponentially far apart.",
            flips_change=True,
            evidence=dual.ldim_evidence,
        ),
        Dimension(
            "dual_vcdim",
            "dual VC dimension",
            "VCdim*",
            "The VC dimension of the dual class, whose points are the concepts and whose concepts "
            "are the points.",
            "Assouad 1983",
            dual_vcdim,
            0,
            meaning="It bounds how few concepts vote like all of them, as in majorities of a "
            "few hypotheses.",
            flips_change=True,
            evidence=dual.vcdim_evidence,
        ),
        Dimension(
            "threshold_dim",
            "threshold dimension",
            "tdim",
            "The largest k with points x_1, ..., x_k and concepts h_1, ..., h_k such that "
            "h_i(x_j) = 1 if and only if i <= j.",
            "Shelah 1978; Hodges 1997; Alon, Livni, Malliaris and Moran 2019",
            threshold_dim,
            0,
            meaning="How long a line of thresholds hides in the class; finite exactly when the "
            "Littlestone dimension is, which is how private learning was shown to need "
            "a finite one.",
            flips_change=True,
            evidence=threshold.evidence,
        ),
        Dimension(
            "randomized_ldim",
            "randomized Littlestone dimension",
            "RL",
            "Half the largest expected depth of a binary tree of points, complete or not, every "
            "branch of which some concept follows, when branches turn with probability 1/2.",
            "Filmus, Hanneke, Mehalel and Moran 2023",
            randomized_ldim,
            Fraction(-1),
            meaning="The expected number of mistakes that an adversary forces on every online "
            "learner which may flip coins, and that the best one makes.",
        ),
        Dimension(
            "star_number",
            "star number",
            "s",
            "The largest s with points x_1, ..., x_s and concepts h_0, ..., h_s such that among "
            "these points h_i differs from h_0 exactly at x_i.",
            "Hanneke and Yang 2015",
            star_number,
            -1,
            meaning="Whether asking for labels one by one saves any: an active learner may need "
            "so many of them to see where a concept differs.",
            evidence=star.evidence,
        ),
        Dimension(
            "hollow_star_number",
            "hollow star number",
            "k_o",
            "The largest size of a labelled sample of distinct points that is not realizable while "
            "every sample differing from it in exactly one label is; 0 if there is none.",
            "Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
            hollow_star_number,
            0,
            meaning="How many examples a proof can need that no concept fits a sample; it "
            "decides whether learners that answer with concepts can be as good as "
            "others.",
            evidence=hollow_star.evidence,
        ),
        Dimension(
            "teaching_dim",
            "teaching dimension",
            "TD",
            "The largest, over the concepts, of the least number of points whose labels tell a "
            "concept from all others.",
            "Goldman and Kearns 1995; Shinohara and Miyano 1991",
            teaching_dim,
            -1,
            meaning="How many labelled points a helpful teacher needs for the concept that is "
            "hardest to teach.",
            evidence=teaching.evidence,
        ),
        Dimension(
            "recursive_teaching_dim",
            "recursive teaching dimension",
            "RTD",
            "The least k for which the concepts can be taken one by one, each told from those that "
            "are left by the labels of at most k points.",
            "Zilles, Lange, Holte and Zinkevich 2011; Doliwa, Fan, Simon and Zilles 2014",
            recursive_teaching_dim,
            -1,
            meaning="How many labelled points suffice if easy concepts are taught first and are "
            "known to be out of the question later.",
            evidence=teaching.recursive_evidence,
        ),
        Dimension(
            "growth_function",
            "growth function",
            "Pi",
            "For n = 0, 1, ... up to the number of points, the largest number of labellings that "
            "the class induces on n points.",
            "Vapnik and Chervonenkis 1971",
            growth_function,
            None,
            meaning="How many behaviours the class has on n points: 2^n up to the VC dimension, "
            "polynomially many above it.",
        ),
    )
}
"""Every dimension by name, in the order of listings."""


def dimension(name: str) -> Dimension:
    """The dimension of that name.

    Raises
    ------
    InvalidInput
        If there is none; the message names the nearest.

    Examples
    --------
    >>> dimension("star_number").title
    'star number'
    """
    if name not in DIMENSIONS:
        raise InvalidInput(f"There is no dimension {name!r}. {nearest(name, DIMENSIONS)}")
    return DIMENSIONS[name]
