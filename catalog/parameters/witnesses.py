"""Witnesses of parameters: what shows that a value is not smaller, or not larger.

Each is a `lsclasses.dimensions.base.Witness`, which verifies itself from the labels of a class.
This module says for each parameter what is found, and how it is checked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from catalog.parameters import definitions, finding, finding_algebra
from catalog.parameters.base import EVIDENCE, KNOWN
from lsclasses.dimensions import definitions as of_dimensions
from lsclasses.dimensions.base import Evidence
from lsclasses.dimensions.definitions import Check
from lsclasses.limits import Limit
from lsclasses.table import Table

Find = Callable[[finding.Named, Any], Mapping[str, Any]]


def _evidence(name: str, shows: str, find: Find, check: Check, *, at_most: bool = False) -> None:
    parameter = KNOWN[name]

    def found(table: Table, limit: Limit | None) -> tuple[Any, Mapping[str, Any]]:
        value = parameter(table, limit=limit)
        return value, find(finding.Named(table, limit), value)

    EVIDENCE[name] = Evidence(found, shows, check, at_most=at_most)


# ---- that the value is not smaller

for _name, _shows, _find, _check in (
    (
        "effective_range",
        "points, with a concept for each that is 0 there and one that is 1",
        finding.differing,
        definitions.differing,
    ),
    (
        "diameter",
        "two concepts, and points at which they differ",
        finding.far_apart,
        definitions.far_apart,
    ),
    (
        "oriented_diameter",
        "two concepts, and points at which the first is 0 and the second 1",
        partial(finding.far_apart, oriented=True),
        partial(definitions.far_apart, oriented=True),
    ),
    (
        "chain_dimension",
        "points in an order, and a concept for each step of the chain",
        finding.unflipped_chain,
        definitions.unflipped_chain,
    ),
    (
        "path_dimension",
        "points in an order, those that are flipped, and a concept for each step of the chain",
        finding.chain,
        definitions.chain,
    ),
    (
        "shattered_sets",
        "different sets of points, each of which is shattered",
        finding.shattered_sets,
        definitions.shattered_sets,
    ),
    (
        "largest_strongly_shattered_set",
        "points, and a concept that stays one whatever the labels there",
        finding.subcube,
        definitions.subcube,
    ),
    (
        "projected_vc_radius",
        "points that are shattered: the radius of the projection to them",
        finding.shattered,
        of_dimensions.shattered,
    ),
    (
        "projected_strongly_shattered",
        "points that are shattered, so that the projection to them is a cube",
        finding.shattered,
        of_dimensions.shattered,
    ),
    (
        "interpolation_degree",
        "weights of concepts, not all 0, that each product of fewer labels adds up to 0: a "
        "function of their values is none of a lower degree",
        finding_algebra.no_polynomial,
        definitions.no_polynomial,
    ),
    (
        "yang_dimension",
        "a subcube by its free points and a sample of the others, a cycle of its complex, and a "
        "cocycle that meets the cycle in an odd number of faces, so that it is no boundary",
        finding_algebra.cycle,
        definitions.cycle,
    ),
    (
        "maximum_positive_degree",
        "a concept, and neighbours that are contained in it",
        finding.positive_neighbours,
        definitions.positive_neighbours,
    ),
    (
        "projected_maximum_degree",
        "points, a concept, and others that differ from it at one of these points each",
        finding.projected_neighbours,
        definitions.projected_neighbours,
    ),
    (
        "projected_minimum_degree",
        "points: each concept has at least n neighbours in the projection to them, n the value",
        finding.projected_degrees,
        definitions.projected_degrees,
    ),
    (
        "projected_average_degree",
        "points: concepts have at least n neighbours on average in the projection, n the value",
        finding.projected_edges,
        definitions.projected_edges,
    ),
    (
        "projected_minimum_teaching_set_size",
        "points of which no fewer teach a concept on them",
        finding.projected_untaught,
        definitions.projected_untaught,
    ),
    (
        "projected_recursive_teaching_dim",
        "points, and concepts none of which fewer of these points tell from the rest of them",
        finding.projected_core,
        definitions.projected_core,
    ),
    (
        "positive_teaching_dim",
        "a concept that no fewer points with label 1 tell from all others",
        finding.positive_teaching,
        definitions.positive_teaching,
    ),
    (
        "positive_recursive_teaching_dim",
        "concepts, none of which fewer points with label 1 tell from the rest of them",
        finding.positive_core,
        definitions.positive_core,
    ),
    (
        "projected_membership_queries",
        "points: fewer membership queries do not identify every concept of the projection to them",
        finding.projected_queries,
        definitions.projected_queries,
    ),
    (
        "majority_queries",
        "counterexamples, each of which leaves at most half of the concepts",
        finding.majorities,
        definitions.majorities,
    ),
):
    _evidence(_name, _shows, _find, _check)


# ---- that the value is not larger

for _name, _shows, _find, _check in (
    (
        "hamming_radius",
        "labels of all points that no concept differs from at more points",
        finding.ball,
        definitions.ball,
    ),
    (
        "distinguishing_range",
        "points whose labels tell all concepts apart",
        finding.telling_apart,
        definitions.telling_apart,
    ),
    (
        "effective_vc_radius",
        "a sample of at most n + 1 points, n the value, that no concept agrees with, where "
        "concepts differ at each of its points; or none, if they differ at n points at most",
        finding.not_shattered,
        definitions.not_shattered,
    ),
    (
        "least_order_shattered",
        "all points in an order that shatters no larger set",
        finding.order_shattered,
        definitions.order_shattered,
    ),
    (
        "sign_rank",
        "a vector for each concept and each point, whose products have the signs of the labels",
        finding_algebra.vectors,
        definitions.vectors,
    ),
    (
        "minimum_teaching_set_size",
        "a concept, and points whose labels tell it from all others",
        finding.taught,
        definitions.taught,
    ),
    (
        "hitting_size",
        "points that meet each concept but the empty one",
        finding.hitting,
        definitions.hitting,
    ),
    (
        "membership_equivalence_queries",
        "a strategy that asks and proposes no more often",
        finding.strategy,
        definitions.strategy,
    ),
    (
        "membership_proper_equivalence_queries",
        "a strategy that asks, and proposes concepts, no more often",
        partial(finding.strategy, proper=True),
        partial(definitions.strategy, proper=True),
    ),
    (
        "order_compression",
        "labellings in an order: of each sample a few examples, so that the first labelling that "
        "agrees with them agrees with all",
        finding.order,
        definitions.order,
    ),
    (
        "proper_order_compression",
        "the concepts in an order: of each sample a few examples, so that the first concept that "
        "agrees with them agrees with all",
        finding.order_of_concepts,
        definitions.order_of_concepts,
    ),
):
    _evidence(_name, _shows, _find, _check, at_most=True)

for _kind in itertools.product((True, False), repeat=3):
    _labelled, _proper, _stable = _kind
    _words = [*(["proper"] if _proper else []), *(["stable"] if _stable else [])]
    _evidence(
        "_".join([*_words, "labelled" if _labelled else "unlabelled", "compression"]),
        "a scheme: what is kept of each sample, and the labels that are rebuilt from it",
        finding.scheme(*_kind),
        definitions.scheme(*_kind),
        at_most=True,
    )
