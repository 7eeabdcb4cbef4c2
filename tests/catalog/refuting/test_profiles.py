"""Classes on six points whose growth function a condition bounds."""

from __future__ import annotations

import numpy as np
import pytest

from catalog import atlas
from catalog.atlas.bitmasks import least
from catalog.refuting import Statement, refutation, refute
from catalog.refuting.refutation import bounds_of, profile_of


@pytest.mark.parametrize("flips", [True, False])
@pytest.mark.parametrize("bounds", [{2: 3}, {1: 1}, {2: 2, 3: 4}, {3: 5, 4: 6}])
def test_all_classes_within_bounds_are_found_once(
    bounds: dict[int, int], flips: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refutation, "POINTS", 4)
    T = atlas.table(4, flips=flips)
    growth = T["growth_function"]
    within = np.all([growth[:, i] <= most for i, most in bounds.items()], axis=0)
    found: dict[int, int] = {}
    words = np.zeros(1, dtype=np.uint64)
    while grown := refutation._grown(words, bounds, flips, np.inf):
        words, orbits = grown
        if not len(words):
            break
        masks, again = least(words, 4, flips=flips)
        assert again.tolist() == orbits.tolist() and len(set(masks.tolist())) == len(masks)
        found.update(zip(masks.tolist(), orbits.tolist(), strict=True))
    assert found == dict(
        zip(T["mask"][within].tolist(), T["labelled"][within].tolist(), strict=True)
    )


def test_what_bounds_the_growth_function() -> None:
    for condition, expected in {
        "growth_function[2] == 3 and growth_function[3] < 5": {2: 3, 3: 4},
        "6 >= growth_function[3] and growth_function[3] <= 5": {3: 5},
        "vcdim < 2": {2: 3},
        "growth_function[2] >= 3 and growth_function[size] <= 3": {},
        "size < 9 and vcdim <= 1": {2: 3, 6: 8},
        "growth_function[7] <= 3 and ldim == 1 and growth_function[2] <= vcdim": {},
    }.items():
        assert bounds_of(Statement(f"ldim <= 3 when {condition}")) == expected
    assert profile_of(Statement("diameter <= 3 when vcdim <= 1")) is None
    assert profile_of(Statement("ldim <= 3 when size >= 9")) is None


def test_a_class_on_six_points_refutes_and_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    found = refute("growth_function[6] <= 1 when growth_function[2] <= 2", seconds=20)
    assert found.counterexample is not None and found.profile is not None
    assert found.counterexample.table.labels.shape == (2, 6) and not found.in_atlas
    monkeypatch.setattr(refutation, "MOST", 100)
    stopped = profile_of(Statement("size <= 7 when vcdim <= 1"))
    assert stopped is not None and not stopped.complete
    assert f"of at most {stopped.concepts} concepts" in str(stopped)
    assert stopped.survey.values["size"].max() == stopped.concepts


@pytest.mark.parametrize("bound", ["1/0", "growth_function[2]", "2**100000"])
def test_a_bound_without_a_value_bounds_no_class(bound: str) -> None:
    statement = Statement(f"ldim <= 9 when size <= {bound}")
    assert bounds_of(statement) == {}
    assert refute(statement, seconds=0.01).counterexample is None
