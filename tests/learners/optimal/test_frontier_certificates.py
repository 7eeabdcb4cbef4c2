"""Certificates of the frontier as files: checked by the command, refused when changed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import catalog
from learners.optimal.error import optimal_error
from learners.optimal.evidence.stored import VALUES, Value, stored
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.mistakes import optimal_mistakes
from learners.optimal.publisher import OptimalPublisher
from learners.optimal.sample_learner import OptimalLearner, OptimalPredictor
from lsclasses.certificates import Certificate, load_certificate
from lsclasses.certificates.base import _digest
from lsclasses.errors import BadCertificate, InvalidInput, LsclassesError
from tests.lsclasses.commands.test_cli import run

C = catalog.build("points:n=2")


@cache
def certificate(kind: str) -> PrivateFrontier:
    made = {
        "error": lambda: optimal_error(C, 2, 1),
        "prediction": lambda: optimal_error(C, 1, 1, outputs="prediction"),
        "mistakes": lambda: optimal_mistakes(C, 2, 1),
    }
    return PrivateFrontier.of(C, made[kind]().evidence)


@pytest.mark.parametrize("kind", ["error", "prediction", "mistakes"])
def test_a_file_is_read_checked_and_has_the_learner(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "frontier.json"
    certificate(kind).save(path)
    again = load_certificate(path)
    assert again == certificate(kind) and isinstance(again, PrivateFrontier)
    assert "is proved by" in run("check", path, "points:n=2").stdout
    assert "does not prove a claim" in run("check", path, "thresholds:n=1", status=1).stderr
    classes = {
        "error": OptimalLearner,
        "prediction": OptimalPredictor,
        "mistakes": OptimalPublisher,
    }
    assert type(again.learner(C)) is classes[kind]
    said = run("check", path, "points:n=2", "--coq", tmp_path / "proof.v", status=2).stderr
    assert "The theory in Coq has no certificates of the kind 'private-frontier'" in said


QUICK = [
    each
    for each in VALUES
    if each.rows + each.rounds <= 2 and each.spec in ("points:n=2", "points:n=3", "thresholds:n=3")
]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(each, id=str(each), marks=[] if each in QUICK else pytest.mark.slow)
        for each in VALUES
    ],
)
def test_what_is_solved_anew_is_what_is_stored(value: Value) -> None:
    """The bounds that are stored `lsclasses verify` checks without a solver."""
    anew, kept = value.compute().evidence, stored()[value].evidence
    assert max(anew.lower, kept.lower) <= min(anew.upper, kept.upper)


def signed(data: dict[str, Any]) -> dict[str, Any]:
    """A forgery whose digest is right."""
    body = {key: value for key, value in data.items() if key != "digest"}
    return {**body, "digest": _digest(body)}


def smaller(text: str) -> str:
    return hex(int(text, 16) - 1) if int(text, 16) else "0x1"


@pytest.mark.parametrize("kind", ["error", "mistakes"])
def test_files_that_were_changed_are_refused(kind: str) -> None:
    data = json.loads(certificate(kind).to_bytes())
    Certificate.from_json(signed(data)).verify(C)
    changed = {
        "epsilon": {**data, "epsilon": "999/1000"},
        "another field": {**data, "remark": "trust me"},
        "quantity": {**data, "quantity": "mistakes"},
        "a float": {**data, "epsilon": 1.0},
        "a weight": {**data, "weights": [smaller(data["weights"][0]), *data["weights"][1:]]},
        "no weights": {**data, "weights": []},
        "a decimal": {**data, "weights": [12, *data["weights"][1:]]},
        "claim": {**data, "claim": data["claim"].replace("(1, 0)", "(1/2, 0)")},
        "lower": {**data, "lower": "1/2"},
        "upper": {**data, "upper": "1/8"},
        "class": {**data, "class": {**data["class"], "concepts": 3}},
        "multipliers": {**data, "multipliers": [[0, "-0x1"], *data["multipliers"][1:]]},
        "a missing field": {key: value for key, value in data.items() if key != "prices"},
        "kind": {**data, "kind": "vcdim"},
    }
    for each in changed.values():
        with pytest.raises(LsclassesError) as refused:
            Certificate.from_json(signed(each)).verify(C)
        assert isinstance(refused.value, (BadCertificate, InvalidInput))
