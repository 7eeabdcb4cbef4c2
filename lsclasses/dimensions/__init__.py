"""The dimensions of a concept class, one file each, and the one registry that lists them.

The command line, the documentation and the verification of the catalog read `DIMENSIONS`; a new
dimension needs a file and one entry there.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol

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
from lsclasses.limits import Limit
from lsclasses.points import nearest

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass, Progress
    from lsclasses.table import Table

__all__ = ["DIMENSIONS", "Answer", "Dimension", "Value", "dimension"]

Value = int | Fraction | tuple[int, ...]


class Search(Protocol):
    """How a dimension of a table is computed."""

    def __call__(
        self, table: Table, /, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Any:
        """The exact value; `TooLarge` with bounds when the limit is reached."""


@dataclass(frozen=True)
class Answer:
    """The value of a dimension, and how it was found.

    Attributes
    ----------
    value : int, Fraction or tuple of int
    source : "closed form" or "search"
    seconds : float
        The time it took.
    """

    value: Value
    source: Literal["closed form", "search"]
    seconds: float


@dataclass(frozen=True)
class Dimension:
    """A dimension: what it is and how it is computed.

    Calling it on a class gives the exact value: by formula if the class knows one, else by search
    on the class's table.

    Attributes
    ----------
    name, title, symbol : str
        As written in code, in text and in formulas.
    definition : str
        One sentence.
    reference : str
    search : callable
        Computes it for a table.
    """

    name: str
    title: str
    symbol: str
    definition: str
    reference: str
    search: Search

    def __call__(
        self, C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Any:
        """The exact value.

        Raises
        ------
        TooLarge
            If the class is too large to search, or the limit is reached.
        """
        return self.evaluate(C, limit=limit, progress=progress).value

    def evaluate(
        self, C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> Answer:
        """The exact value, with where it comes from; raises as calling does."""
        start = time.perf_counter()
        known = C._closed_form(self.name)
        if known is not None:
            return Answer(known, "closed form", time.perf_counter() - start)
        value = self.search(C.to_table(), limit=limit, progress=progress)
        return Answer(value, "search", time.perf_counter() - start)


DIMENSIONS: dict[str, Dimension] = {
    entry.name: entry
    for entry in (
        Dimension(
            "ldim",
            "Littlestone dimension",
            "Ldim(C)",
            "The depth of the deepest complete binary tree of points that the class shatters.",
            "Littlestone 1988; [LWY25, Definition 2.2]",
            ldim,
        ),
        Dimension(
            "vcdim",
            "Vapnik-Chervonenkis dimension",
            "VCdim(C)",
            "The size of the largest set of points on which the class induces every labelling.",
            "Vapnik and Chervonenkis 1971; [LWY25, Definition A.4]",
            vcdim,
        ),
        Dimension(
            "dual_ldim",
            "dual Littlestone dimension",
            "Ldim*(C)",
            "The Littlestone dimension of the dual class, whose points are the concepts.",
            "[LWY25, section 2.1]",
            dual_ldim,
        ),
        Dimension(
            "dual_vcdim",
            "dual VC dimension",
            "VCdim*(C)",
            "The VC dimension of the dual class.",
            "Assouad 1983; [LWY25, Appendix A.1]",
            dual_vcdim,
        ),
        Dimension(
            "threshold_dim",
            "threshold dimension",
            "Tdim(C)",
            "The largest k with points x_1..x_k and concepts h_1..h_k, h_i(x_j) = 1 iff i <= j.",
            "Shelah 1978; Alon, Livni, Malliaris and Moran 2019",
            threshold_dim,
        ),
        Dimension(
            "randomized_ldim",
            "randomized Littlestone dimension",
            "RL(C)",
            "The least expected number of mistakes of a randomized learner on realizable streams.",
            "Filmus, Hanneke, Mehalel and Moran 2023",
            randomized_ldim,
        ),
        Dimension(
            "star_number",
            "star number",
            "s(C)",
            "The most points at each of which some concept, and there only, departs from a centre.",
            "Hanneke and Yang 2015",
            star_number,
        ),
        Dimension(
            "hollow_star_number",
            "hollow star number",
            "ho(C)",
            "The size of the largest minimal non-realizable sample: the dual Helly number.",
            "Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
            hollow_star_number,
        ),
        Dimension(
            "teaching_dim",
            "teaching dimension",
            "TD(C)",
            "The number of examples that suffices to single out any concept of the class.",
            "Goldman and Kearns 1995",
            teaching_dim,
        ),
        Dimension(
            "recursive_teaching_dim",
            "recursive teaching dimension",
            "RTD(C)",
            "The order of the teaching plan that removes the most easily taught concepts first.",
            "Zilles, Lange, Holte and Zinkevich 2011; Doliwa et al. 2014",
            recursive_teaching_dim,
        ),
        Dimension(
            "growth_function",
            "growth function",
            "Pi_C(0), Pi_C(1), ...",
            "The most labellings that the class induces on n points, for n from 0 on.",
            "Vapnik and Chervonenkis 1971; [LWY25, Definition A.3]",
            growth_function,
        ),
    )
}
"""Every dimension, by name, in the order of listings."""


def dimension(name: str) -> Dimension:
    """The dimension of that name.

    Raises
    ------
    InvalidInput
        If there is none; the message names the nearest.

    Examples
    --------
    >>> dimension("star_number").symbol
    's(C)'
    """
    if name not in DIMENSIONS:
        raise InvalidInput(f"There is no dimension {name!r}. {nearest(name, DIMENSIONS)}")
    return DIMENSIONS[name]
