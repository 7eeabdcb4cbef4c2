"""Hypotheses with their ledgers in files: what is read is what was saved, and nothing else."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import catalog
from learners.coins import SeededCoins
from learners.pac.base import FewRows
from learners.pac.distributions import UniformDistribution
from learners.pac.entries import BATCH_LEARNERS
from learners.tables.guarantees import Guarantee
from learners.tables.hypothesis_models import HypothesisModel
from learners.tables.records import as_records
from learners.tables.saved import MODELS, load_model
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.documents import checksum
from lsclasses.table import Table
from tests.learners.tables.test_models import accepted, edits, sealed

TABLE = Table([[0, 1, 1], [0, 0, 1], [1, 0, 0]], domain=["a", "b", (0, 1)], concepts="xyz")


def found(source: Any, name: str, rows: int = 60, **given: str) -> HypothesisModel:
    """What a learner finds of rows that a concept of the class labels."""
    C = catalog.build(source) if isinstance(source, str) else source
    learner = BATCH_LEARNERS[name].learner(C, rows, **given)
    D = UniformDistribution(C.domain, C.sample(rng=1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewRows)
        h = learner.fit(D.sample(rows, SeededCoins(1)), SeededCoins(2))
    event = learner.privacy
    guarantee = None if event is None else Guarantee.of(event, simulated=True, conditional=False)
    return HypothesisModel(source, name, given, rows, h, guarantee)


MODELS_FOUND = {
    "generic": found("thresholds:n=4", "generic", alpha="1/4"),
    "table": found(TABLE, "generic", epsilon="2"),
    "agnostic": found("points:n=4", "agnostic", epsilon="2", alpha="1/3"),
    "aggregate": found("points:n=4", "subsample-aggregate", batches="6"),
    "littlestone": found("affine:q=2,n=20,k=1", "private-littlestone", alpha="1/3", delta="1/100"),
    "erm": found("thresholds:n=4", "erm"),
}


@pytest.mark.parametrize("model", MODELS_FOUND.values(), ids=MODELS_FOUND)
def test_a_model_is_read_back(model: HypothesisModel, tmp_path: Path) -> None:
    model.save(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again == model and again.to_json() == model.to_json()
    assert isinstance(again, HypothesisModel)
    assert again.hypothesis.disagreement(model.hypothesis) is None
    points = [model.hypothesis.domain.point(i) for i in range(3)]
    records = as_records([{"point": str(x)} for x in points])
    assert again.predict(records) == [model.hypothesis(x) for x in points]
    assert again.text() == model.text()


def test_points_are_read_from_a_column() -> None:
    model = MODELS_FOUND["table"]
    assert model.predict(as_records([{"x": "a"}, {"x": "(0,1)"}])) == [
        model.hypothesis("a"), model.hypothesis((0, 1)),
    ]  # fmt: skip
    with pytest.raises(InvalidInput, match="In row 1: 'c' is not a point of the domain"):
        model.predict(as_records([{"point": "a"}, {"point": "c"}]))
    with pytest.raises(InvalidInput, match="There is no column 'point'"):
        model.predict(as_records([{"age": 3}]))


@pytest.mark.parametrize("name", ["generic", "table"])
def test_every_edit_of_a_file_is_noticed(name: str) -> None:
    data = json.loads(MODELS_FOUND[name].to_json())
    assert accepted(data)
    assert [path for path, other in edits(data) if accepted(other)] == []


@pytest.mark.parametrize("name", ["table", "aggregate", "littlestone", "erm"])
def test_what_one_edit_with_a_new_checksum_can_still_say(name: str) -> None:
    """What was learned, by whom of how many rows, of which class, and whether it was a simulation.

    Ledger and bounds follow from the learner: neither can be stated otherwise.
    """
    model = MODELS_FOUND[name]
    said = set()
    for path, other in edits(json.loads(model.to_json())):
        read = accepted(sealed(other)) if isinstance(other, dict) else None
        # A file that lacks a later parameter means its earlier value, so it is the same model.
        if read is None or read == model or path in ((), ("checksum",)):
            continue
        assert isinstance(read, HypothesisModel)
        said.add(".".join(str(key) for key in path if isinstance(key, str)))
        if path != ("privacy",):
            assert (read.guarantee is None) == (model.guarantee is None)
            if read.guarantee is not None and model.guarantee is not None:
                assert tuple(read.guarantee.total) == tuple(model.guarantee.total)
                assert read.guarantee.scope == model.guarantee.scope
        learner = BATCH_LEARNERS[read.learner].learner(
            read.concept_class, read.rows, **read.parameters
        )
        assert read.bounds == tuple(each.recorded for each in learner.bounds(read.rows))
    assert said <= {
        "class", "class.concepts", "class.rows", "class.points", "hypothesis", "rows",
        "hypothesis.labels", "hypothesis.basis", "privacy.simulated", "parameters",
        "parameters.batches", "parameters.eta", "parameters.beta", "parameters.allow_weak_privacy",
    }  # fmt: skip
    unedited = {"parameters", "privacy.epsilon", "privacy.delta", "bounds", "learner", "privacy"}
    assert not unedited & said


def test_a_large_table_is_not_written_beside_a_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learners.tables.hypothesis_models.ENTRIES", 8)
    with pytest.raises(TooLarge, match=r"with 9 labels\. The limit is 8"):
        MODELS_FOUND["table"].to_json()


def test_every_kind_of_model_is_found_by_its_name() -> None:
    for name in MODELS.names():
        assert MODELS[name].kind == name.replace("-", " ")
    assert checksum({"a": 1, "checksum": "x"}) == checksum({"a": 1})
