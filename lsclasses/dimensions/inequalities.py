"""Inequalities between the dimensions of a class, as objects.

Each says that one formula in the dimensions never exceeds another, why, and how close they come on
small classes. `INEQUALITIES` is the single list: the documentation prints it, ``lsclasses verify``
recomputes it on all classes of the atlas and on members of the catalog, and ``lsclasses dims`` uses
it where a search was stopped (`lsclasses.dimensions.derived`).

Beside the dimensions of the registry, formulas know ``size`` and ``points`` (how many concepts and
points there are) and ``zero_cover_number[k]``, the largest 0-covering number of a tree of depth k
[LWY25, Def. A.15].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.cover import max_zero_cover_number
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.graph_inequalities import ABOUT_GRAPHS
from lsclasses.dimensions.inequality import Inequality
from lsclasses.dimensions.query_inequalities import ABOUT_QUERIES
from lsclasses.limits import Limit

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = [
    "INEQUALITIES",
    "MAJORITIES",
    "OPERATIONS",
    "Inequality",
    "quantities",
    "quantity",
    "quantity_names",
]


SHELAH = "Shelah 1978; Hodges 1997"
FHMM = "Filmus, Hanneke, Mehalel and Moran 2023"
SAUER = "Sauer 1972; Shelah 1972; Vapnik and Chervonenkis 1971"

INEQUALITIES: tuple[Inequality, ...] = (
    # ---- Littlestone and VC dimension
    Inequality(
        "vcdim",
        "ldim",
        "Littlestone 1988",
        "Ask the points of a shattered set one after the other: a shattered tree with the same "
        "point at all nodes of a level.",
    ),
    Inequality(
        "ldim",
        "floor_log2(size)",
        "Littlestone 1988",
        "Different branches of a shattered tree are followed by different concepts.",
        statements=("BLM20 Sec 1, finite classes",),
    ),
    Inequality(
        "ldim", "points", "Littlestone 1988", "A branch of a shattered tree repeats no point."
    ),
    Inequality(
        "size",
        "sauer(points, vcdim)",
        SAUER,
        "A class of more concepts shatters a set of vcdim + 1 points: by induction it shatters at "
        "least as many sets as it has concepts.",
        statements=("LWY25 Lemma A.5",),
    ),
    Inequality(
        "growth_function[k]",
        "sauer(k, vcdim)",
        SAUER,
        "The bound on the size, for the class on k of its points.",
        every="k",
        statements=("LWY25 Lemma A.5",),
    ),
    Inequality(
        "2**min(k, vcdim)",
        "growth_function[k]",
        "Vapnik and Chervonenkis 1971",
        "Points of a shattered set are labelled in every way; more points never have fewer "
        "labellings.",
        every="k",
        statements=("LWY25 Def A.4",),
    ),
    Inequality(
        "growth_function[k]",
        "size",
        "Vapnik and Chervonenkis 1971",
        "Different labellings come from different concepts.",
        every="k",
    ),
    Inequality(
        "size",
        "growth_function[points]",
        "Vapnik and Chervonenkis 1971",
        "Different concepts label the whole domain differently.",
    ),
    # ---- trees
    Inequality(
        "zero_cover_number[k]",
        "sauer(k, ldim)",
        "Rakhlin, Sridharan and Tewari 2015",
        "By induction over the depth: the root of the tree splits the class, and one of the two "
        "sides has a smaller Littlestone dimension.",
        every="k",
        statements=("LWY25 Lemma A.16", "LWY25 Fact A.17"),
    ),
    Inequality(
        "2**min(k, ldim)",
        "zero_cover_number[k]",
        "Ghazi, Golowich, Kumar and Manurangsi 2021",
        "On a shattered tree every branch takes a labelled tree of its own; deeper trees never "
        "take fewer.",
        every="k",
        statements=("LWY25 Fact A.17",),
    ),
    Inequality(
        "growth_function[k]",
        "zero_cover_number[k]",
        "Rakhlin, Sridharan and Tewari 2015",
        "A set of points is a tree with the same point at all nodes of a level.",
        every="k",
    ),
    # ---- thresholds
    Inequality(
        "threshold_dim",
        "2**(ldim + 1) - 1",
        SHELAH,
        "Bisecting a line of 2^d thresholds makes a shattered tree of depth d.",
    ),
    Inequality(
        "ldim",
        "2**(threshold_dim + 1) - 2",
        f"{SHELAH}, with this constant",
        "Take a concept h of the class and colour the nodes of a shattered tree of depth 2b + 1 by "
        "its labels: a complete subtree of depth b + 1 has one colour. Keep its root x, and what "
        "lies below on the side where concepts disagree with h: depth b is left, and h and x "
        "extend the line by one. So depth 2^s - 1 gives s thresholds.",
    ),
    Inequality(
        "threshold_dim",
        "2**(dual_ldim + 1) - 1",
        SHELAH,
        "A line of thresholds read backwards is one of the dual class.",
    ),
    Inequality(
        "dual_ldim",
        "2**(threshold_dim + 1) - 2",
        f"{SHELAH}, with this constant",
        "A line of thresholds of the dual class read backwards is one of the class.",
    ),
    # ---- the dual class
    Inequality(
        "dual_ldim",
        "2**(2**(ldim + 1)) - 2",
        SHELAH,
        "Through the threshold dimension, which is at most 2^(ldim + 1) - 1. [LWY25, section 4.1] "
        "quotes 2^(2^(ldim + 2)) - 2.",
        slack=1,
        statements=("LWY25 Sec 4.1, dual dimension",),
    ),
    Inequality(
        "ldim",
        "2**(2**(dual_ldim + 1)) - 2",
        SHELAH,
        "The same for the dual class, whose dual tells the same concepts apart.",
        slack=1,
    ),
    Inequality(
        "dual_vcdim",
        "2**(vcdim + 1) - 1",
        "Assouad 1983",
        "If 2^k concepts are labelled in every way by points, the binary digits of the concepts' "
        "numbers name k points that the class shatters.",
    ),
    Inequality(
        "vcdim",
        "2**(dual_vcdim + 1) - 1",
        "Assouad 1983",
        "The same for the dual class, whose dual tells the same concepts apart.",
    ),
    Inequality("dual_vcdim", "dual_ldim", "Littlestone 1988", "vcdim <= ldim for the dual class."),
    Inequality(
        "dual_ldim",
        "floor_log2(points)",
        "Littlestone 1988",
        "Different branches of a shattered tree of the dual class are followed by different "
        "points.",
    ),
    Inequality(
        "dual_ldim",
        "size",
        "Littlestone 1988",
        "A branch of a shattered tree of the dual class repeats no concept.",
    ),
    # ---- randomized Littlestone dimension
    Inequality(
        "ldim/2",
        "randomized_ldim",
        FHMM,
        "A complete shattered tree of depth ldim has that expected depth.",
    ),
    Inequality(
        "randomized_ldim",
        "ldim",
        FHMM,
        "The SOA, which is deterministic, makes at most ldim mistakes.",
    ),
    Inequality(
        "randomized_ldim",
        "log2(size)/2",
        FHMM,
        "The expected depth of a binary tree is the entropy of the leaf that is reached, at most "
        "log2 m for m leaves, and different leaves are reached by different concepts.",
    ),
    # ---- stars
    Inequality(
        "vcdim",
        "star_number",
        "Hanneke and Yang 2015",
        "A shattered set is a star around each of its labellings.",
    ),
    Inequality("star_number", "points", "Hanneke and Yang 2015", "A star repeats no point."),
    Inequality(
        "star_number",
        "size - 1",
        "Hanneke and Yang 2015",
        "The centre and the concepts that differ from it are all different.",
    ),
    Inequality(
        "hollow_star_number",
        "star_number + 1",
        "Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
        "Leave out one point of a hollow star: the concept that differs from the sample there is "
        "the centre of a star on the others.",
    ),
    Inequality(
        "hollow_star_number",
        "points",
        "Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
        "A hollow star repeats no point.",
    ),
    Inequality(
        "hollow_star_number",
        "size",
        "Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
        "Samples that differ in different places from one that no concept follows are followed by "
        "different concepts.",
    ),
    # ---- teaching
    Inequality(
        "recursive_teaching_dim",
        "teaching_dim",
        "Zilles, Lange, Holte and Zinkevich 2011",
        "What teaches a concept against all others teaches it against those that are left.",
    ),
    Inequality(
        "teaching_dim",
        "star_number",
        "Hanneke and Yang 2015",
        "Each point of a least teaching set is needed against a concept that differs at no other "
        "of them: a star.",
    ),
    Inequality(
        "recursive_teaching_dim",
        "floor_log2(size)",
        "folklore",
        "Of the concepts that are left keep those with the rarer label at a point that splits "
        "them, until one remains: that many points teach it.",
    ),
    Inequality(
        "recursive_teaching_dim",
        "vcdim",
        "Kuhlmann 1999; Doliwa, Fan, Simon and Zilles 2014",
        "Take an example (x, y) for which the concepts c with c(x) = y are as few as possible, but "
        "not none. Two of them would differ at some z, and a pattern (1 - y, b) would be missing "
        "at (x, z): the concepts with c(z) = b would be fewer. So one concept is taught by (x, y).",
        when="vcdim <= 1",
    ),
    Inequality(
        "size",
        "sauer(points, recursive_teaching_dim)",
        "Samei, Semukhin, Yang and Zilles 2014",
        "The polynomials that are 1 where a concept's lesson is followed, of degree at most the "
        "recursive teaching dimension, are linearly independent on the class: the matrix of their "
        "values is triangular in the order of the plan.",
    ),
    *ABOUT_QUERIES,
    *ABOUT_GRAPHS,
)
"""What holds between the dimensions of every class that is not empty."""

OPERATIONS: tuple[Inequality, ...] = (
    Inequality(
        "union_ldim",
        "ldim_1 + ldim_2 + 1",
        "folklore",
        "Colour the leaves of a shattered tree of depth n by the class whose concept follows the "
        "branch. By induction, the largest depths of complete subtrees with leaves of one colour "
        "add up to at least n - 1.",
    ),
    Inequality(
        "union_vcdim",
        "vcdim_1 + vcdim_2 + 1",
        "folklore",
        "On n points the union has at most sauer(n, vcdim_1) + sauer(n, vcdim_2) labellings, fewer "
        "than 2^n for n = vcdim_1 + vcdim_2 + 2.",
    ),
    Inequality(
        "aggregate_ldim",
        "counted(ldim_1, ldim_2)",
        "Ghazi, Golowich, Kumar and Manurangsi 2021",
        "A shattered tree of depth n needs a 0-cover of size 2^n, and the products of two 0-covers "
        "cover the aggregation.",
        statements=("LWY25 Lemma A.18",),
    ),
    Inequality(
        "aggregate_vcdim",
        "counted(vcdim_1, vcdim_2)",
        "Dudley 1978",
        "A labelling by the aggregation is determined by one of each class.",
        statements=("LWY25 Lemma A.18",),
    ),
    Inequality(
        "aggregate_dual_ldim",
        "counted(dual_ldim_1, dual_ldim_2)",
        "[LWY25, Lemma A.19]",
        "Points cover a tree of pairs of concepts by pairs of their labels on the two trees.",
        statements=("LWY25 Lemma A.19",),
    ),
    Inequality(
        "aggregate_dual_vcdim",
        "counted(dual_vcdim_1, dual_vcdim_2)",
        "[LWY25, Lemma A.19]",
        "How a point labels pairs of concepts is determined by how it labels the parts.",
        statements=("LWY25 Lemma A.19",),
    ),
)
"""What holds of two classes on one domain that are not empty: of their union, and of the class
that any Boolean function makes of them point by point (`lsclasses.aggregate`)."""

MAJORITIES: tuple[Inequality, ...] = tuple(
    Inequality(
        f"majority_{name}",
        f"counted({name}, {name}, {name})",
        source,
        "As for the aggregation of two classes, for three times the same one.",
        statements=(f"LWY25 Lemma A.{number}",),
    )
    for name, number, source in (
        ("ldim", 18, "Ghazi, Golowich, Kumar and Manurangsi 2021"),
        ("vcdim", 18, "Dudley 1978"),
        ("dual_ldim", 19, "[LWY25, Lemma A.19]"),
        ("dual_vcdim", 19, "[LWY25, Lemma A.19]"),
    )
)
"""What holds of the class of all majorities of three concepts (`Table.majority`)."""


def quantity_names() -> tuple[str, ...]:
    """The names of everything that inequalities are about: dimensions, and what is counted."""
    return ("size", "points", *DIMENSIONS, "zero_cover_number")


def quantity(table: Table, name: str, *, limit: Limit | None = None) -> Quantity:
    """One of `quantity_names` of a class that is not empty, by search.

    Parameters
    ----------
    table : Table
    name : str
    limit : Limit, optional
        What each search may use.
    """
    points = len(table.points)
    if name == "size":
        return len(table)
    if name == "points":
        return points
    if name == "zero_cover_number":
        return tuple(max_zero_cover_number(table, k, limit=limit) for k in range(points + 1))
    found: Quantity = DIMENSIONS[name].search(table, limit=limit)
    return found


def quantities(table: Table, *, limit: Limit | None = None) -> dict[str, Quantity]:
    """All `quantity_names` of a class that is not empty, by search.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        What each search may use.

    Examples
    --------
    >>> from lsclasses import Table
    >>> values = quantities(Table([[0, 0], [0, 1], [1, 1]]))
    >>> values["size"], values["ldim"], values["zero_cover_number"]
    (3, 1, (1, 2, 3))
    >>> all(min(each.margins(values), default=0) >= 0 for each in INEQUALITIES)
    True
    """
    return {name: quantity(table, name, limit=limit) for name in quantity_names()}
