"""The smallest instances of audits hold their claims, and smaller instances are refused."""

from __future__ import annotations

from typing import Any

import pytest

from learners.audit.audit_registry import AUDITABLE
from tests.learners.privacy_checks import smallest_instances

FEWEST = [
    ("discrete_laplace", {"sensitivity": 1}, (0, 1)),
    ("randomized_response", {"answers": 2}, (0, 1)),
    *(
        (name, {"candidates": 1, "scores": 1}, ((0,), (1,)))
        for name in ("exponential_mechanism", "report_noisy_max", "permute_and_flip")
    ),
    *(
        (name, {"queries": 1, "rounds": 1, "reports": 1}, ((0,), (1,)))
        for name in (
            "above_threshold",
            "cumulative_above_threshold",
            "one_sided_threshold",
            "sparse",
        )
    ),
    ("challenge_at", {"queries": 1, "reports": 1}, (((-100, True),), ((100, True),))),
    ("tree_counter", {"rounds": 1}, ((0,), (1,))),
    *(
        (name, {"items": 2, "people": 1}, (("a",), ("b",)))
        for name in ("stable_histogram", "bounded_histogram")
    ),
    ("hist_sparse", {"histograms": 1, "size": 2, "lists": 2}, None),
    ("fooling_sanitizer", {"rows": 1, "rounds": 1}, ((0,), (1,))),
    ("independent_answers", {"points": 2, "rows": 1}, ((0,), (1,))),
    ("interval_sanitizer", {"rounds": 1}, (("a",), ("b",))),
    ("histogram_sanitizer", {"points": 2, "rows": 1}, ((0,), (1,))),
]


@pytest.mark.parametrize(("name", "least", "pair"), FEWEST, ids=[name for name, *_ in FEWEST])
def test_the_fewest_inputs_are_audited(name: str, least: dict[str, int], pair: Any) -> None:
    built = smallest_instances([AUDITABLE[name]], **least)
    if pair is not None:
        assert {instance.pairs for instance in built.values()} == {(pair,)}
