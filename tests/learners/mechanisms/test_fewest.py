"""The fewest inputs that audits compare: they hold the claim, and fewer are refused."""

from __future__ import annotations

from typing import Any

import pytest

from learners.mechanisms import (
    challenge_at,
    counter,
    hist_sparse,
    histograms,
    noise,
    randomized_response,
    selection,
    sparse_vector,
)
from learners.sanitizers import fooling, independent, intervals, realizable
from tests.learners.privacy_checks import smallest_instances

FEWEST = [
    (noise, {"sensitivity": 1}, (0, 1)),
    (randomized_response, {"answers": 2}, (0, 1)),
    (selection, {"candidates": 1, "scores": 1}, ((0,), (1,))),
    (sparse_vector, {"queries": 1, "rounds": 1, "reports": 1}, ((0,), (1,))),
    (challenge_at, {"queries": 1, "reports": 1}, (((-100, True),), ((100, True),))),
    (counter, {"rounds": 1}, ((0,), (1,))),
    (histograms, {"items": 2, "people": 1}, (("a",), ("b",))),
    (hist_sparse, {"histograms": 1, "size": 2, "lists": 2}, None),
    (fooling, {"rows": 1, "rounds": 1}, ((0,), (1,))),
    (independent, {"points": 2, "rows": 1}, ((0,), (1,))),
    (intervals, {"rounds": 1}, (("a",), ("b",))),
    (realizable, {"points": 2, "rows": 1}, ((0,), (1,))),
]


@pytest.mark.parametrize(
    ("module", "least", "pair"), FEWEST, ids=[module.__name__ for module, *_ in FEWEST]
)
def test_the_fewest_inputs_are_audited(module: Any, least: dict[str, int], pair: Any) -> None:
    built = smallest_instances(module.AUDITS, **least)
    if pair is not None:
        assert {instance.pairs for instance in built.values()} == {(pair,)}
