"""Inequalities about the one-inclusion graph, no-clash teaching and antipodal shattering."""

from __future__ import annotations

from lsclasses.dimensions.inequality import Inequality

HLW = "Haussler, Littlestone and Warmuth 1994"
NO_CLASH = "Kirkpatrick, Simon and Zilles 2019"
SIGN_RANK = "Alon, Moran and Yehudayoff 2016"

ABOUT_GRAPHS: tuple[Inequality, ...] = (
    # ---- degrees
    Inequality("min_degree", "average_degree", "folklore", "The least number is at most the mean."),
    Inequality("average_degree", "max_degree", "folklore", "The mean is at most the largest."),
    Inequality("average_degree/2", "density", "folklore", "The whole graph is one of its parts."),
    Inequality("min_degree", "degeneracy", "folklore", "The whole graph is one of its parts."),
    Inequality(
        "degeneracy",
        "max_degree",
        "folklore",
        "No vertex has more neighbours in a part than in the whole.",
    ),
    Inequality(
        "degeneracy/2",
        "density",
        "folklore",
        "A part all of whose degrees are at least k has at least k / 2 edges to a vertex.",
    ),
    Inequality(
        "density",
        "degeneracy",
        "folklore",
        "Vertices of least degree, taken away one by one, take all edges of the densest part "
        "along, each at most so many.",
    ),
    Inequality(
        "density",
        "vcdim",
        HLW,
        "Shift the densest part towards 0: at one point after the other, take label 0 wherever "
        "that makes no two concepts equal. The VC dimension does not grow, and no edge is lost. In "
        "the end every concept that is less than one of the class belongs to it, so it has at most "
        "vcdim labels 1, and each edge is one of those of its upper end.",
    ),
    Inequality(
        "max_degree",
        "star_number",
        "Hanneke and Yang 2015",
        "A concept and its neighbours are a star.",
    ),
    # ---- no-clash teaching
    Inequality(
        "density",
        "no_clash_teaching_dim",
        NO_CLASH,
        "Of two neighbours one has the point in its lesson at which they differ. So in every part "
        "the lessons have, taken together, at least as many points as there are edges.",
    ),
    Inequality(
        "no_clash_teaching_dim",
        "recursive_teaching_dim",
        NO_CLASH,
        "The lessons of a teaching plan do not clash: of two concepts the later one does not agree "
        "with the lesson of the earlier one.",
    ),
    Inequality(
        "no_clash_teaching_dim",
        "positive_no_clash_teaching_dim",
        NO_CLASH,
        "Lessons of points with label 1 are lessons.",
    ),
    # ---- antipodal shattering
    Inequality(
        "vcdim",
        "antipodal_shattering_dim",
        SIGN_RANK,
        "A set with every labelling has one of each and its complement.",
    ),
    Inequality(
        "antipodal_shattering_dim",
        "2*vcdim + 1",
        SIGN_RANK,
        "On 2 d + 2 points a class of VC dimension d has at most sauer(2 d + 2, d) labellings, "
        "which is less than half of all, and half of all are needed.",
    ),
    Inequality(
        "2**antipodal_shattering_dim",
        "2*size",
        SIGN_RANK,
        "Half of the labellings of the set belong to different concepts.",
    ),
    # ---- the randomized Littlestone dimension
    Inequality(
        "density",
        "randomized_ldim",
        "proved here",
        "No part of the class has a larger randomized dimension, so it is enough that the average "
        "degree is at most twice the dimension. Let a point split the class, a fraction p <= 1/2 "
        "of it on one side, and let r and s be twice the dimensions of this side and the other. At "
        "most so many concepts of either side have a neighbour across, so by induction the average "
        "degree is at most p r + (1 - p) s + 2 p. This is (1/2 - p)(s - r - 2) more than "
        "1 + (r + s)/2, and p (s - r - 2) less than s; neither is more than twice the dimension.",
    ),
)
"""What holds of every class that is not empty."""
