"""Certificates of every kind with a value of a wrong JSON type at every place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import catalog
from learners.optimal import mistakes
from learners.optimal.error import optimal_error
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.mistakes import optimal_mistakes
from lsclasses import Table
from lsclasses.certificates import (
    Certificate,
    FailureDAG,
    FoldedTree,
    LdimCertificate,
    ShatteredTree,
    VCCertificate,
)
from lsclasses.certificates.base import HEADER, _kinds
from lsclasses.certificates.reading import HEX, NATURAL, Either, ListOf, ObjectShape, require_shape
from lsclasses.dimensions.case_proofs import proof_by_cases
from lsclasses.dimensions.depth_proofs import randomized_ldim_certificate
from lsclasses.errors import BadCertificate
from tests.lsclasses.certificates.forging import changed, mended
from tests.lsclasses.commands.test_cli import run

C = catalog.build("points:n=3").to_table()
LONG = 10**4000
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, LONG, 0.5, 1.0, float("nan"), "", "0", "0x1", "1/2", "true",
    [], [0], [None], {}, {"depth": 0},
]  # fmt: skip
UNIONS = {"points", "leaves", "missing", "cases"}
"""Fields with names of points and concepts, or with cases, which have several JSON types."""


KINDS = [
    *("shattered-tree", "folded-tree", "failure-dag", "ldim", "vcdim", "shattered-set"),
    *("randomized-ldim", "mistakes", "error"),
    *("proof-by-cases of star_number", "proof-by-cases of teaching_dim"),
]


@cache
def certificates() -> dict[str, Certificate]:
    """Small certificates of all kinds, by name."""
    vcdim = VCCertificate.of(C)
    found: dict[str, Certificate] = {
        "shattered-tree": ShatteredTree.of(C),
        "folded-tree": FoldedTree.of(C),
        "failure-dag": FailureDAG.of(C),
        "ldim": LdimCertificate.of(C),
        "vcdim": vcdim,
        "shattered-set": vcdim.shattered,
        "randomized-ldim": randomized_ldim_certificate(C),
        "mistakes": PrivateFrontier.of(C, optimal_mistakes(C, 1, 1).evidence),
        "error": PrivateFrontier.of(C, optimal_error(C, 1, 1).evidence),
    }
    for name in ("star_number", "teaching_dim"):
        found[f"proof-by-cases of {name}"] = proof_by_cases(C, name)
    return found


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values in a JSON document."""
    if at:
        yield at
    if isinstance(value, dict):
        for name, each in value.items():
            yield from places(each, (*at, name))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from places(each, (*at, i))


def at(data: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        data = data[key]
    return data


def outcomes(name: str) -> Iterator[tuple[tuple[Any, ...], Any, str]]:
    """Each place with each value that `check` accepts there, and the sentences of refusals."""
    data = certificates()[name].to_json()
    for place in places(data):
        for value in VALUES:
            try:
                Certificate.from_json(mended(changed(data, place, value))).verify(C)
            except BadCertificate as error:
                yield place, value, str(error)
            else:
                yield place, value, ""


@pytest.mark.parametrize("name", KINDS)
def test_no_value_of_a_wrong_type_is_accepted_or_ends_in_a_traceback(name: str) -> None:
    data = certificates()[name].to_json()
    refused = 0
    for place, value, sentence in outcomes(name):
        old = at(data, place)
        if sentence:
            refused += 1
            assert len(sentence) < 1000 and sentence.endswith("."), (place, sentence[:200])
            assert str(LONG)[:100] not in sentence, place
        elif place != ("digest",) and not UNIONS & set(place):
            assert type(value) is type(old), (place, value)
    assert refused > 100


def test_the_list_of_kinds_is_complete_and_every_kind_declares_a_shape() -> None:
    assert set(KINDS) == set(certificates())
    listed = {certificate.kind for certificate in certificates().values()}
    kinds = [kind for kind in _kinds(Certificate) if kind.__module__.split(".")[0] != "tests"]
    assert {kind.kind for kind in kinds} == listed
    assert all(kind.shape is not None for kind in kinds)


@pytest.mark.parametrize("name", KINDS)
def test_evidence_has_the_shape_of_its_kind(name: str) -> None:
    certificate = certificates()[name]
    data = json.loads(certificate.to_bytes())
    assert certificate.shape is not None
    require_shape({key: data[key] for key in data if key not in HEADER}, certificate.shape)
    assert Certificate.from_json(data) == certificate


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("multipliers", 0, 0), "0"),
        (("multipliers", 0, 0), 0.5),
        (("multipliers", 0, 0), None),
        (("rows",), True),
        (("challenges", 0, "weights", 0), False),
        (("multipliers", 0), [0, "0x1", 2]),
        (("weights", 0), "0x01"),
        (("weights", 0), " 0x1"),
        (("weights", 0), "-0x0_1"),
    ],
)
def test_fields_of_frontiers_have_their_types(place: tuple[Any, ...], value: Any) -> None:
    data = changed(certificates()["error"].to_json(), place, value)
    with pytest.raises(BadCertificate, match="Expected a"):
        Certificate.from_json(mended(data)).verify(C)


def test_the_command_prints_a_sentence_for_a_wrong_type(tmp_path: Any) -> None:
    data = certificates()["error"].to_json()
    path = tmp_path / "frontier.json"
    path.write_text(json.dumps(mended(changed(data, ("multipliers", 0, 0), None))))
    said = run("check", path, "points:n=3", status=1).stderr
    assert "Expected an integer from 0 to 2^63 - 1 as element 0 of element 0" in said


@pytest.mark.parametrize("field", ["epsilon", "delta", "below", "above", "lower", "upper"])
@pytest.mark.parametrize("kind", ["error", "mistakes"])
def test_messages_round_long_numbers(field: str, kind: str) -> None:
    data = certificates()[kind].to_json()
    for value in (f"{LONG + 1}/{LONG}", f"{LONG}", f"1/{LONG}", f"-{LONG}/3"):
        forged = mended(changed(data, (field,), value))
        with pytest.raises(BadCertificate) as refused:
            Certificate.from_json(forged).verify(C)
        assert len(str(refused.value)) < 600


def test_adaptive_adversaries_with_positive_delta_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`frontier` refuses to make such a certificate, because its learner need not be private."""
    two = Table([[0, 1], [1, 0]])
    checked = mistakes._checked

    def unchecked(*given: Any) -> Any:
        return checked(*given[:3], "oblivious", given[4])

    monkeypatch.setattr(mistakes, "_checked", unchecked)
    made = optimal_mistakes(two, 2, 1, "1/100", adversary="adaptive").evidence
    assert made.adaptive and made.delta
    with pytest.raises(BadCertificate, match="must have an oblivious adversary"):
        PrivateFrontier.of(two, made).verify(two)
    with pytest.raises(BadCertificate, match="must have an oblivious adversary"):
        PrivateFrontier.of(two, made).learner(two)


def test_a_value_has_the_first_shape_that_its_type_allows() -> None:
    shape = Either(NATURAL, ListOf(HEX), ObjectShape({"a": NATURAL}))
    for value in (3, [], ["0x1f", "-0x2"], {"a": 0}):
        require_shape(value, shape)
    for value, said in (
        (["1f"], "hexadecimal string"),
        ({"a": None}, "'a' of the evidence"),
        ("a", "or a list or an object with the fields a as the evidence"),
    ):
        with pytest.raises(BadCertificate, match=said):
            require_shape(value, shape)
