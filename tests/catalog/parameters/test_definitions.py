"""Witnesses of parameters show what they say, and whatever passes a check is true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import catalog
from catalog import atlas
from catalog.parameters import PARAMETERS
from lsclasses import BadCertificate, InvalidInput, Table
from lsclasses.dimensions.base import Witness
from lsclasses.isomorphism import class_of_mask

NAMES = [name for name, entry in PARAMETERS.items() if entry.available]
SMALL = [each.table for points in (1, 2, 3) for each in atlas.classes(points, flips=False)]
UP_TO_FLIPS = [each.table for points in (1, 2, 3) for each in atlas.classes(points)]


def classes(name: str) -> list[Table]:
    """Schemes and deep trees take long, and flips leave their sizes as they are."""
    long = PARAMETERS[name].needs or name == "three_mistake_ldim"
    return UP_TO_FLIPS if long else SMALL


def last_value(name: str, table: Table) -> Any:
    """Return the value, or the largest entry of a sequence, on which the witness is."""
    value = PARAMETERS[name](table)
    return value[-1] if isinstance(value, tuple) else value


def is_refused(witness: Witness, table: Table) -> bool:
    try:
        witness.verify(table)
    except BadCertificate:
        return True
    return False


def test_every_parameter_has_witnesses() -> None:
    assert all(entry.evidence is not None for entry in PARAMETERS.values())


STEPS = [pytest.param(4, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]
"""Tests of some classes use every fourth class."""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", NAMES)
def test_a_witness_has_the_value_and_shows_no_better_one(name: str, step: int) -> None:
    entry = PARAMETERS[name]
    assert entry.evidence is not None
    better = -1 if entry.evidence.at_most else 1
    for table in classes(name)[::step]:
        witness = entry.witness(table)
        assert witness.value == last_value(name, table)
        witness.verify(table)
        assert is_refused(replace(witness, value=witness.value + better), table), witness


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_what_passes_for_another_class_is_true_of_it(name: str, step: int) -> None:
    """Points and concepts have the same names in all of them."""
    entry = PARAMETERS[name]
    assert entry.evidence is not None
    tables = [table for table in UP_TO_FLIPS if len(table.points) == 3][::step]
    values = [last_value(name, table) for table in tables]
    found = [entry.witness(table) for table in tables]
    refused = 0
    for i, table in enumerate(tables):
        for witness in found[i % 3 :: 3]:
            if is_refused(witness, table):
                refused += 1
            elif entry.evidence.at_most:
                assert values[i] <= witness.value, (witness, table.labels.tolist())
            else:
                assert values[i] >= witness.value, (witness, table.labels.tolist())
    assert refused


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", NAMES)
def test_evidence_that_lost_an_entry_shows_no_false_bound(name: str, step: int) -> None:
    """Every part without its last entry, and with one more, for the value and for a better one."""
    entry = PARAMETERS[name]
    assert entry.evidence is not None
    better = -1 if entry.evidence.at_most else 1
    for table in UP_TO_FLIPS[:: 2 * step]:
        witness = entry.witness(table)
        for part, names in witness.evidence.items():
            if isinstance(names, tuple) and names:
                for other in (names[:-1], (*names, names[0])):
                    changed = replace(witness, evidence={**witness.evidence, part: other})
                    is_refused(changed, table)  # and raises nothing else
                    assert is_refused(replace(changed, value=witness.value + better), table)


THRESHOLDS = "thresholds:n=3"
CUBE = "cube:n=2"
CHANGED: list[tuple[str, str, dict[str, Any], str]] = [
    ("effective_range", THRESHOLDS, {"zeros": (0, 0, 0)}, "do not have the labels 0 and 1"),
    ("diameter", THRESHOLDS, {"concepts": (0, 1)}, "the two concepts have the labels"),
    ("diameter", THRESHOLDS, {"points": (0, 0, 1)}, "must have 3 different points"),
    ("diameter", THRESHOLDS, {"points": (0, 1, "z")}, "there is no point 'z'"),
    ("oriented_diameter", THRESHOLDS, {"concepts": (0, 3)}, "have the labels 1 and 0"),
    ("hamming_radius", CUBE, {"sample": ((0, 0),)}, "a label for each of the 2 points"),
    ("hamming_radius", THRESHOLDS, {"sample": ((0, 1), (1, 0), (2, 0))}, "differs from the centre"),
    ("distinguishing_range", CUBE, {"points": (0,)}, "two concepts have the same labels there"),
    ("chain_dimension", CUBE, {"concepts": (0, 0, 3)}, "has not the label it needs"),
    ("chain_dimension", CUBE, {"concepts": (0, 1, 3, 3)}, "3 concepts are needed"),
    ("path_dimension", CUBE, {"flipped": (0,)}, "has not the label it needs"),
    ("shattered_sets", THRESHOLDS, {"sets": ((), (0, 1))}, "points 0, 1 are not shattered"),
    ("shattered_sets", CUBE, {"sets": ((), (0,), (1,), (1,))}, "must have 4 different sets"),
    ("effective_vc_radius", CUBE, {"sample": ((0, 0),)}, "a concept agrees with the sample"),
    ("effective_vc_radius", THRESHOLDS, {"sample": ()}, "concepts differ at 3 points"),
    ("largest_strongly_shattered_set", THRESHOLDS, {"points": (1,)}, "no concept has the labels"),
    ("projected_vc_radius", THRESHOLDS, {"points": (0, 1)}, "must have 1 different points"),
    ("interpolation_degree", CUBE, {"weights": ((0, 1), (1, 1))}, "do not add up to 0"),
    ("effective_vc_radius", CUBE, {"sample": ((0, 2),)}, "a label is 0 or 1, and not 2"),
    ("interpolation_degree", CUBE, {"weights": ((0, 0),)}, "some weight must not be 0"),
    ("interpolation_degree", CUBE, {"weights": ((0, 1.0),)}, "weights are integers"),
    ("yang_dimension", CUBE, {"cycle": (((0, 1), (1, 1)),)}, "the boundary of the cycle is not 0"),
    ("yang_dimension", CUBE, {"cycle": (((0, 1),),)}, "a face has 2 examples"),
    ("yang_dimension", CUBE, {"cocycle": ()}, "an even number of faces"),
    (
        "yang_dimension",
        THRESHOLDS,
        {"points": (0, 1, 2), "sample": ()},
        "the cocycle is not 0 on all boundaries",
    ),
    ("sign_rank", CUBE, {"rows": ((1, 1),) * 4}, "the product for"),
    ("sign_rank", CUBE, {"rows": ((1, 1, 1),) * 4}, "more than 2 entries"),
    ("sign_rank", CUBE, {"columns": (("1/0", 1), (1, 1))}, "entries are integers or fractions"),
    ("maximum_positive_degree", CUBE, {"concepts": (0, 1)}, "one point less"),
    ("projected_maximum_degree", CUBE, {"concepts": (3, 3)}, "at one of the points"),
    ("projected_minimum_degree", CUBE, {"points": (0,)}, "a concept has 1 neighbours"),
    ("projected_average_degree", CUBE, {"points": (0,)}, "the average degree on these points is 1"),
    ("minimum_teaching_set_size", CUBE, {"points": (0,)}, "these points do not tell"),
    ("projected_minimum_teaching_set_size", CUBE, {"points": (0,)}, "all 1 points tell"),
    ("projected_recursive_teaching_dim", CUBE, {"concepts": (0, 1, 2)}, "fewer than 2 of the"),
    ("positive_teaching_dim", THRESHOLDS, {"concept": 0}, "from the others already"),
    ("positive_recursive_teaching_dim", CUBE, {"concepts": (3,)}, "the points 0 tell"),
    ("average_teaching_dim", CUBE, {"sets": ((0, 1),) * 3}, "each concept needs a teaching set"),
    ("average_teaching_dim", CUBE, {"sets": ((0, 1),) * 3 + ((0,),)}, "do not tell 3 from all"),
    ("average_teaching_dim", THRESHOLDS, {"sets": ((0, 1, 2),) * 4}, "12 points for 4 concepts"),
    ("balbach_teaching_dim", THRESHOLDS, {"concept": 0}, "1 points teach 0"),
    ("subset_teaching_dim", CUBE, {"concept": 4}, "there is no concept 4"),
    ("hitting_size", CUBE, {"points": (0,)}, "is 1 at none of them"),
    (
        "membership_equivalence_queries",
        CUBE,
        {"strategy": ("ask", 0, (), ())},
        "has the wrong type",
    ),
    ("membership_equivalence_queries", CUBE, {"strategy": ("guess", 0)}, "'ask' or 'propose'"),
    (
        "membership_equivalence_queries",
        CUBE,
        {"strategy": ("propose", (0, 0), ((0, ("concept", 1)), (1, ("concept", 2))))},
        "called 'ask' or 'propose'",
    ),
    (
        "membership_equivalence_queries",
        CUBE,
        {"strategy": ("propose", (2, 2), ())},
        "a label is 0 or 1, and not 2",
    ),
    ("projected_membership_queries", CUBE, {"points": (0,)}, "1 membership queries suffice"),
    ("one_mistake_ldim", CUBE, {"nested_tree": ("point", 0, (), ())}, "the value of the tree is 1"),
    (
        "one_mistake_ldim",
        CUBE,
        {"nested_tree": ("repeat", 0, ())},
        "0 is not a point where all remaining",
    ),
    ("one_mistake_ldim", CUBE, {"nested_tree": ("point", 9, (), ())}, "there is no point 9"),
    (
        "one_mistake_randomized_ldim",
        CUBE,
        {"nested_tree": ("point", 0, (), ("repeat", 0, ()))},
        "0 is not a point where",
    ),
    ("one_mistake_randomized_ldim", CUBE, {"nested_tree": ("point", 0, (), ())}, "the tree is 1/2"),
    (
        "dual_antipodal_shattering_dim",
        CUBE,
        {"concepts": (0, 3)},
        "no point has the labels 0, 0 or their complement",
    ),
    ("extremal_extension_vcdim", CUBE, {"labellings": ((0, 0),)}, "1 is not among the labellings"),
    (
        "extremal_extension_vcdim",
        "points:n=2",
        {"labellings": ((0, 1), (1, 0))},
        "2 labellings shatter 3 sets",
    ),
    ("extremal_extension_vcdim", "points:n=2", {"labellings": ((0,),)}, "a labelling has 2 labels"),
    ("intersection_radon_number", CUBE, {"points": (0,)}, "must have 2 different points"),
    (
        "apple_tasting_mistakes",
        CUBE,
        {"nested_tree": ("one", 0, (), ())},
        "a learner makes at most 0 mistakes",
    ),
    (
        "apple_tasting_mistakes",
        CUBE,
        {"nested_tree": ("zero", 0, (), ("one", 0, (), ()))},
        "no remaining concept has the label 1 at 0",
    ),
    (
        "apple_tasting_mistakes",
        CUBE,
        {"nested_tree": ("both", 0, (), ())},
        "a node is called 'zero' or 'one'",
    ),
    ("apple_tasting_mistakes", CUBE, {"nested_tree": ("one", 9, (), ())}, "there is no point 9"),
    ("two_mistake_ldim", CUBE, {"nested_tree": ("point", 0, (), ())}, "the value of the tree is 1"),
    (
        "three_mistake_ldim",
        "points:n=1",
        {"nested_tree": ("repeat", 0, ("repeat", 0, ("repeat", 0, ("repeat", 0, ()))))},
        "every concept disagrees with four labels",
    ),
    ("two_prefix_ldim", CUBE, {"nested_tree": ("point", 0, (), ())}, "a branch has 1 points"),
    ("two_block_ldim", CUBE, {"nested_tree": ("repeat", 0, ())}, "a point with two subtrees"),
    ("two_block_ldim", CUBE, {"nested_tree": ("point", 9, (), ())}, "there is no point 9"),
    (
        "three_block_ldim",
        CUBE,
        {"nested_tree": ("point", 0, *(("point", 0, (), ()),) * 2)},
        "no concept agrees with all labels on a branch",
    ),
    (
        "three_prefix_ldim",
        "cube:n=3",
        {
            "nested_tree": (
                *("point", 0),
                ("point", 1, *(("point", 2, (), ()),) * 2),
                ("point", 2, *(("point", 1, (), ()),) * 2),
            )
        },
        "level 1 has the points 1 and 2",
    ),
    (
        "ternary_yang_dimension",
        CUBE,
        {"cycle": ((((0, 1), (1, 1)), 1),)},
        "the boundary of the cyc",
    ),
    ("ternary_yang_dimension", CUBE, {"cycle": ((((1, 1), (0, 1)), 1),)}, "in the order of the po"),
    ("ternary_yang_dimension", CUBE, {"cocycle": ()}, "the cocycle is 0 on the cycle"),
    ("ternary_yang_dimension", CUBE, {"cocycle": ((((0, 1), (1, 1)), 3),)}, "is 0 on the cycle"),
    (
        "rational_yang_dimension",
        CUBE,
        {"cocycle": ((((0, 1), (1, 1)), 1.0),)},
        "one integer as its",
    ),
    ("rational_yang_dimension", CUBE, {"points": (0,)}, "each point is free or fixed"),
    (
        "rational_yang_dimension",
        THRESHOLDS,
        {"points": (0, 1, 2), "sample": ()},
        "the cocycle is not 0 on all boundaries",
    ),
    ("apple_littlestone_dim", CUBE, {"points": (0,)}, "must have 2 different points"),
    ("apple_littlestone_dim", THRESHOLDS, {"points": (2, 1, 0)}, "and 1 there"),
    ("spherical_dim", CUBE, {"samples": (((0, 0),),)}, "a sample has 2 examples"),
    ("spherical_dim", CUBE, {"samples": (((0, 0), (9, 0)),)}, "there is no point 9"),
    ("spherical_dim", CUBE, {"samples": (((0, 0), (1, 0)), ((0, 1), (1, 1)))}, "up to complements"),
    ("spherical_dim", "points:n=2", {"samples": ()}, "has 0 of the samples as faces"),
    ("sco_dim", CUBE, {"columns": ((1, 0, 0), (0, 1, 0))}, "each concept and each point"),
    ("sco_dim", CUBE, {"columns": ((1, 0, 0), (0, 1, 0), (0, 0, -1))}, "the product for"),
    ("list_replicability_lower", CUBE, {"points": ()}, "the sample needs 1 points"),
    ("list_replicability_lower", CUBE, {"sample": ()}, "the sample has one example"),
    ("list_replicability_lower", "points:n=3", {"sample": ((0, 1),)}, "has the labels"),
    ("list_replicability_upper", CUBE, {"labellings": ((0,),)}, "a labelling has 2 labels"),
    ("list_replicability_upper", CUBE, {"labellings": ((0, 0),) * 2}, "must be different"),
    ("list_replicability_upper", CUBE, {"labellings": ((0, 2),)}, "a label is 0 or 1"),
    ("list_replicability_upper", CUBE, {"labellings": ((0, 0),)}, "form no contractible complex"),
    ("list_replicability_upper", "cube:n=3", {"labellings": ()}, "4 concepts have the label 0 at"),
    ("transductive_mistakes", CUBE, {"points": (0,)}, "at most 1 mistakes on these points"),
    ("transductive_mistakes", CUBE, {"points": (0, 0)}, "must have 2 different points"),
    ("projected_maximum_positive_degree", CUBE, {"points": (0,)}, "must have 2 different points"),
    ("projected_maximum_positive_degree", CUBE, {"concept": 1}, "1 is not 1 at all of these"),
    ("projected_maximum_positive_degree", CUBE, {"concepts": (1, 2, 0)}, "2 points need 2"),
    ("projected_maximum_positive_degree", CUBE, {"concepts": (0, 1)}, "does not differ from 3"),
    ("concept_star_number", CUBE, {"centres": (0, 1, 2)}, "each concept needs a star"),
    ("concept_star_number", CUBE, {"stars": ((0, 1),)}, "each concept needs a star"),
    ("concept_star_number", CUBE, {"stars": ((0,),) * 4}, "fewer than 2 points"),
    ("subclass_star_number", CUBE, {"centres": (0, 0)}, "the concepts must be different"),
    (
        "subclass_star_number",
        CUBE,
        {"centres": (0,), "stars": ((0, 1),), "arms": ((1, 2),)},
        "is not among the concepts",
    ),
    ("projected_distinguishing_range", CUBE, {"pairs": ((0, 1),)}, "2 points need 2 pairs"),
    ("projected_distinguishing_range", CUBE, {"pairs": ((0, 3),) * 2}, "do not differ only at 0"),
    ("shattering_cover_vcdim", CUBE, {"points": (0,)}, "2 sets are shattered, and there are 4"),
    ("antichain_number", CUBE, {"concepts": (0, 1, 2)}, "must have 4 different concepts"),
    ("antichain_number", CUBE, {"sets": ((0,),)}, "each concept needs a set of points"),
    ("antichain_number", CUBE, {"sets": ((0, 1),) * 4}, "the set of 0 has more than 1 points"),
    ("antichain_number", CUBE, {"sets": ((0,),) * 4}, "contain the examples of"),
    ("version_space_radon_number", "points:n=3", {"concepts": (0, 1)}, "must have 3 different"),
    (
        "version_space_radon_number",
        "cube:n=3",
        {"concepts": (0, 3, 7)},
        "a concept agrees with the common labels of",
    ),
    (
        "projected_no_clash_teaching_dim",
        CUBE,
        {"projections": ()},
        "the projection to .*is missing",
    ),
    (
        "projected_no_clash_teaching_dim",
        "cube:n=1",
        {"projections": (((), ((0, ()),)), ((0,), ((0, ()), (1, ()))))},
        "the teaching sets of 0 and 1 clash",
    ),
    (
        "projected_no_clash_teaching_dim",
        "cube:n=1",
        {"projections": (((), ((0, ()),)), ((0,), ((0, (0,)),)))},
        "a concept of a projection has no teaching set",
    ),
    (
        "projected_no_clash_teaching_dim",
        "cube:n=1",
        {"projections": (((), ((0, (0,)),)), ((0,), ((0, (0,)), (1, ()))))},
        "is not in the projection",
    ),
    ("majority_queries", CUBE, {"sample": ((0, 0), (0, 0))}, "concepts have the label 0 at 0"),
    ("order_compression", CUBE, {"labellings": ((0, 0),)}, "is not rebuilt"),
    ("order_compression", CUBE, {"labellings": ((0, 2),)}, "a label is 0 or 1, and not 2"),
    ("order_compression", CUBE, {"labellings": ((0, 0, 0),)}, "a labelling has 2 labels"),
    ("proper_order_compression", CUBE, {"concepts": (0, 1)}, "is not rebuilt"),
]


@pytest.mark.parametrize(("name", "spec", "parts", "problem"), CHANGED)
def test_what_is_wrong_is_said(name: str, spec: str, parts: dict[str, Any], problem: str) -> None:
    table = Table(catalog.build(spec).to_table().labels)
    witness = PARAMETERS[name].witness(table)
    with pytest.raises(
        BadCertificate, match=f"This is not a witness of {name}.* [<>]= .*{problem}"
    ):
        replace(witness, evidence={**witness.evidence, **parts}).verify(table)


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if (shown := PARAMETERS[name].evidence) is not None and shown.at_most],
)
def test_what_shows_an_upper_bound_shows_larger_ones(name: str) -> None:
    table = catalog.build(THRESHOLDS).to_table()
    witness = PARAMETERS[name].witness(table)
    replace(witness, value=witness.value + 1).verify(table)


def test_concepts_may_be_hard_to_teach_on_more_points_than_their_lessons_have() -> None:
    table = catalog.build("warmuth").to_table()
    witness = PARAMETERS["projected_recursive_teaching_dim"].witness(table)
    witness.verify(table)
    assert witness.value == 3 < len(witness.evidence["points"])


def test_weights_of_a_concept_that_stands_twice_are_added() -> None:
    table = Table([[0], [1]], domain="a", concepts=[(0,), (1,)])
    witness = PARAMETERS["interpolation_degree"].witness(table)
    doubled = [((0,), 1), (tuple(part for part in (0,)), -1)]
    with pytest.raises(BadCertificate, match="some weight must not be 0"):
        replace(witness, evidence={"weights": doubled}).verify(table)


def test_products_that_are_no_numbers_have_no_sign() -> None:
    """0 times infinity is neither positive nor 0: vectors of one entry would have three signs."""
    table = Table([[1, 0], [0, 0], [0, 1]], domain="ab")
    assert PARAMETERS["sign_rank"](table) == 2
    infinity = float("inf")
    forged = {"rows": ((1,), (0,), (-1,)), "columns": ((infinity,), (-infinity,))}
    witness = replace(PARAMETERS["sign_rank"].witness(table), value=1, evidence=forged)
    with pytest.raises(BadCertificate, match="entries are integers or fractions"):
        witness.verify(table)


@pytest.mark.skipif(not PARAMETERS["labelled_compression"].available, reason="lsclasses[sat]")
def test_schemes_are_held_against_their_kind() -> None:
    """One that is not proper, or not stable, shows no size of those that are."""
    table = Table(catalog.build("points:n=3").to_table().labels)
    found = PARAMETERS["unlabelled_compression"].witness(table)
    forged = replace(found, dimension="proper_unlabelled_compression")
    with pytest.raises(BadCertificate, match="is not a concept"):
        forged.verify(table)
    pairs = found.evidence["compressed"]
    for changed, problem in [
        (pairs[1:], "must compress the samples of the class"),
        ((*pairs[:-1], (pairs[-1][0], (7,))), "is not a part of the sample"),
    ]:
        with pytest.raises(BadCertificate, match=problem):
            replace(found, evidence={**found.evidence, "compressed": changed}).verify(table)


@pytest.mark.parametrize("name", [n for n in NAMES if not PARAMETERS[n].needs])
@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_witnesses_on_four_points(name: str, count: int) -> None:
    rng = np.random.default_rng(len(name))
    for mask in rng.integers(1, 2**16, size=2).tolist()[:count]:
        table = class_of_mask(4, mask)
        PARAMETERS[name].witness(table).verify(table)


def test_witnesses_say_in_words_and_in_json_what_they_show() -> None:
    table = catalog.build(THRESHOLDS).to_table()
    witness = PARAMETERS["hitting_size"].witness(table)
    assert str(witness).startswith("hitting_size <= 1: points ")
    said = witness.to_json()
    assert (said["dimension"], said["value"], said["at_most"]) == ("hitting_size", 1, True)
    assert "at_most" not in PARAMETERS["diameter"].witness(table).to_json()
    with pytest.raises(InvalidInput, match="empty class has no evidence for its diameter"):
        PARAMETERS["diameter"].witness(Table([], domain="ab"))
