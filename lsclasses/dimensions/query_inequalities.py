"""Inequalities between the numbers of queries and of mistakes, and the dimensions of teaching."""

from __future__ import annotations

from lsclasses.dimensions.inequality import Inequality

ORDERS = "Ben-David, Kushilevitz and Mansour 1997"
TEACHING = "Doliwa, Fan, Simon and Zilles 2014"
ELUDER = "Li, Kamath, Foster and Srebro 2022"

ABOUT_QUERIES: tuple[Inequality, ...] = (
    # ---- queries
    Inequality(
        "size",
        "2**membership_queries",
        "Angluin 1988",
        "A decision tree of depth k has at most 2^k leaves.",
    ),
    Inequality(
        "membership_queries",
        "eluder_dim",
        "folklore",
        "Ask only for points that the concepts left disagree on. On every branch of such a "
        "decision tree the points, in their order, elude the concept at its end.",
    ),
    Inequality(
        "equivalence_queries",
        "ldim",
        "Littlestone 1988",
        "The SOA's hypotheses lose one level of the dimension with every counterexample.",
    ),
    Inequality(
        "ldim",
        "equivalence_queries",
        "Littlestone 1988",
        "Counterexamples along a shattered tree, each to the side that the hypothesis denies, "
        "leave at least two concepts before its last level.",
    ),
    Inequality(
        "equivalence_queries",
        "proper_equivalence_queries",
        "Angluin 1988",
        "Concepts of the class are among the labellings that may be proposed.",
    ),
    Inequality(
        "proper_equivalence_queries",
        "size - 1",
        "Angluin 1988",
        "Every concept that is denied is ruled out.",
    ),
    Inequality(
        "partial_equivalence_queries",
        "equivalence_queries",
        "Maass and Turán 1992",
        "A labelling of all points may be claimed as well.",
    ),
    Inequality(
        "partial_equivalence_queries",
        "membership_queries",
        "Maass and Turán 1992",
        "To claim a label of one point is to ask for it.",
    ),
    # ---- mistakes
    Inequality(
        "self_directed_mistakes",
        "partial_equivalence_queries",
        "Maass and Turán 1992",
        "Ask the points of a query one after the other and predict what it claims: the first "
        "mistake is a counterexample, and without one the answer is yes.",
    ),
    Inequality(
        "self_directed_mistakes",
        "best_order_mistakes",
        ORDERS,
        "Whoever chooses the next point every time may follow the best order.",
    ),
    Inequality(
        "best_order_mistakes",
        "worst_order_mistakes",
        ORDERS,
        "The best order is no worse than the worst.",
    ),
    Inequality(
        "worst_order_mistakes",
        "ldim",
        ORDERS,
        "The SOA need not know the order.",
    ),
    Inequality(
        "vcdim",
        "worst_order_mistakes",
        ORDERS,
        "If the points of a shattered set come first, every prediction there can be wrong.",
    ),
    Inequality(
        "recursive_teaching_dim",
        "self_directed_mistakes",
        TEACHING,
        "Let the learner be wrong wherever it can be, until one concept is left. The points where "
        "it was right had only one label left, so those where it was wrong teach this concept. The "
        "same holds for every part of the class.",
    ),
    # ---- teaching
    Inequality(
        "teaching_dim",
        "extended_teaching_dim",
        "Hegedűs 1995",
        "Concepts are labellings, and to specify one is to teach it.",
    ),
    Inequality(
        "extended_teaching_dim",
        "membership_queries",
        "Hegedűs 1995",
        "Answer membership queries by any labelling: in the end at most one concept agrees.",
    ),
    # ---- the eluder dimension and stars
    Inequality(
        "ldim",
        "eluder_dim",
        ELUDER,
        "On every branch of a shattered tree the points elude the concept that follows it.",
    ),
    Inequality(
        "star_number",
        "eluder_dim",
        ELUDER,
        "The points of a star elude its centre, in any order.",
    ),
    Inequality(
        "threshold_dim",
        "eluder_dim + 1",
        ELUDER,
        "All points of a line but the last elude its last concept, in the order of the line.",
    ),
    Inequality(
        "eluder_dim",
        "size - 1",
        "folklore",
        "Every point of a sequence that eludes a target rules out a concept, and the target is "
        "left.",
    ),
    Inequality("eluder_dim", "points", "folklore", "No point eludes a target twice."),
    Inequality(
        "vcdim",
        "min_star_number",
        "Hanneke 2024",
        "A shattered set is a star around every labelling.",
    ),
    Inequality(
        "min_star_number",
        "star_number",
        "Hanneke 2024",
        "Some concept is no better a centre than the best labelling.",
    ),
)
"""What holds of every class that is not empty."""
