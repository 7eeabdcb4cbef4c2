"""The fewest inputs that audits compare: they hold the claim, and fewer are refused."""

from __future__ import annotations

from typing import Any

import pytest

from learners.mechanisms.evidence import (
    challenge_at_instances,
    counter_instances,
    hist_sparse_instances,
    histograms_instances,
    noise_instances,
    randomized_response_instances,
    selection_instances,
    sparse_vector_instances,
)
from learners.sanitizers.evidence import (
    fooling_instances,
    independent_instances,
    intervals_instances,
    realizable_instances,
)
from tests.learners.privacy_checks import smallest_instances

FEWEST = [
    (noise_instances, {"sensitivity": 1}, (0, 1)),
    (randomized_response_instances, {"answers": 2}, (0, 1)),
    (selection_instances, {"candidates": 1, "scores": 1}, ((0,), (1,))),
    (sparse_vector_instances, {"queries": 1, "rounds": 1, "reports": 1}, ((0,), (1,))),
    (challenge_at_instances, {"queries": 1, "reports": 1}, (((-100, True),), ((100, True),))),
    (counter_instances, {"rounds": 1}, ((0,), (1,))),
    (histograms_instances, {"items": 2, "people": 1}, (("a",), ("b",))),
    (hist_sparse_instances, {"histograms": 1, "size": 2, "lists": 2}, None),
    (fooling_instances, {"rows": 1, "rounds": 1}, ((0,), (1,))),
    (independent_instances, {"points": 2, "rows": 1}, ((0,), (1,))),
    (intervals_instances, {"rounds": 1}, (("a",), ("b",))),
    (realizable_instances, {"points": 2, "rows": 1}, ((0,), (1,))),
]


@pytest.mark.parametrize(
    ("module", "least", "pair"), FEWEST, ids=[module.__name__ for module, *_ in FEWEST]
)
def test_the_fewest_inputs_are_audited(module: Any, least: dict[str, int], pair: Any) -> None:
    built = smallest_instances(module.AUDITS, **least)
    if pair is not None:
        assert {instance.pairs for instance in built.values()} == {(pair,)}
