"""The rows about inequalities: what they say when something is wrong."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from catalog import atlas
from learners.general_checks import aggregation
from learners.general_checks.inequalities import (
    everywhere,
    on_atlas,
    on_members,
    on_table,
    small_members,
)
from lsclasses import Table, aggregate
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.inequalities import INEQUALITIES, Inequality

SAUER = next(each for each in INEQUALITIES if each.right == "sauer(points, vcdim)")


def test_a_false_inequality_is_violated_and_the_class_named() -> None:
    false = replace(SAUER, right="sauer(points, vcdim - 1) + 1")
    outcome = on_atlas(false)
    assert outcome.verdict == "violated"
    assert outcome.computed == "right - left = -5, first for the class of mask 6015, points: 4"
    members = small_members("thresholds")
    found = on_members(Inequality("size", "points - 1", "", ""), "thresholds", members)
    assert found is not None
    assert found.verdict == "violated"
    assert "thresholds:n=" in found.computed


def test_a_slack_that_is_not_attained_is_violated() -> None:
    loose = replace(SAUER, right="sauer(points, vcdim) + 1")
    assert on_atlas(loose).verdict == "violated"
    assert on_atlas(replace(loose, slack=1)).verdict == "holds"
    # Of a family nothing is stated but that the inequality holds.
    assert on_members(loose, "cube", small_members("cube")).verdict == "holds"  # type: ignore[union-attr]


def test_tables_of_the_atlas_are_held_against_inequalities() -> None:
    T = atlas.table(4)
    false = on_table(replace(SAUER, right="sauer(points, vcdim - 1) + 1"), T)
    assert false is not None
    assert false.verdict == "violated"
    assert false.computed == "right - left = -5, first for the class of mask 6015, points: 4"
    for inequality in INEQUALITIES:
        found = on_table(inequality, T)
        # Up to flips there are no dual dimensions and no threshold dimensions.
        assert (found is None) == any(
            DIMENSIONS[name].flips_change for name in inequality.names & DIMENSIONS.keys()
        )
        assert found is None or found.verdict == "holds"


def test_a_condition_that_no_member_meets_gives_no_row() -> None:
    (conditional,) = (each for each in INEQUALITIES if each.when)
    members = [each for each in small_members("cube") if each[1]["vcdim"] != 1]
    assert on_members(conditional, "cube", members) is None
    assert len(list(everywhere("warmuth"))) == len(INEQUALITIES) - 1


def test_masks_of_aggregations_are_those_of_tables() -> None:
    rng = np.random.default_rng(0)
    for function in range(16):
        masks = aggregation.aggregated_masks(2, function)
        for a, b in rng.integers(1, 16, (6, 2)).tolist():
            A, B = (Table([[c & 1, c >> 1] for c in range(4) if mask >> c & 1]) for mask in (a, b))
            both = aggregate(lambda x, y, g=function: g >> (2 * x + y) & 1, A, B)
            assert sum(1 << c for c in both.row_bits) == masks[a, b]
    assert not masks[0].any() and not masks[:, 0].any()


def test_drawn_classes_have_dimension_one() -> None:
    for name in ("ldim", "vcdim", "dual_ldim"):
        for A, B in itertools.islice(aggregation.pairs(12, name), 2):
            assert A.points == B.points
            assert aggregation.dimension_of(A, name) == aggregation.dimension_of(B, name) == 1
