"""Definitions transcribed, without tricks: the yardstick of the tests and of the benchmarks.

Nothing here shares code with the searches, and nothing but tests and benchmarks uses it. A class is
a plain collection of tuples of labels, one a concept; its points are the positions 0, 1, ... of the
tuples. Everything is brute force, for classes of a handful of concepts and points; only
`ldim_recursive`, `randomized_ldim_recursive` and the games of queries and mistakes keep what they
have computed.

A tree is written breadth first, as the tuple of the points at its nodes: the children of node i
are 2i+1 (where the label is 0) and 2i+2 (where it is 1).
"""

from tests.oracles.compression import labelled_compression_size, unlabelled_compression_size
from tests.oracles.dimensions import (
    antipodal_shattering_dim,
    dual,
    dual_ldim,
    dual_vcdim,
    eluder_dim,
    growth_function,
    hollow_star_number,
    ldim,
    ldim_recursive,
    least_support,
    max_zero_cover_number,
    min_star_number,
    randomized_ldim,
    randomized_ldim_recursive,
    restrict,
    shatters,
    soa_label,
    star_number,
    threshold_dim,
    vcdim,
    zero_cover_number,
)
from tests.oracles.graph import average_degree, degeneracy, density, max_degree, min_degree
from tests.oracles.queries import (
    best_order_mistakes,
    equivalence_queries,
    membership_queries,
    partial_equivalence_queries,
    proper_equivalence_queries,
    self_directed_mistakes,
    worst_order_mistakes,
)
from tests.oracles.teaching import (
    extended_teaching_dim,
    no_clash_teaching_dim,
    positive_no_clash_teaching_dim,
    recursive_teaching_dim,
    teaching_dim,
    teaching_set_size,
)

__all__ = [
    "antipodal_shattering_dim",
    "average_degree",
    "best_order_mistakes",
    "degeneracy",
    "density",
    "dual",
    "dual_ldim",
    "dual_vcdim",
    "eluder_dim",
    "equivalence_queries",
    "extended_teaching_dim",
    "growth_function",
    "hollow_star_number",
    "labelled_compression_size",
    "ldim",
    "ldim_recursive",
    "least_support",
    "max_degree",
    "max_zero_cover_number",
    "membership_queries",
    "min_degree",
    "min_star_number",
    "no_clash_teaching_dim",
    "partial_equivalence_queries",
    "positive_no_clash_teaching_dim",
    "proper_equivalence_queries",
    "randomized_ldim",
    "randomized_ldim_recursive",
    "recursive_teaching_dim",
    "restrict",
    "self_directed_mistakes",
    "shatters",
    "soa_label",
    "star_number",
    "teaching_dim",
    "teaching_set_size",
    "threshold_dim",
    "unlabelled_compression_size",
    "vcdim",
    "worst_order_mistakes",
    "zero_cover_number",
]
