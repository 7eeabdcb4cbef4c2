"""Hypotheses in files: every canonical form, and what is no such form."""

from __future__ import annotations

import json
from typing import Any

import pytest

import catalog
from catalog.closed_forms.box_indicators import Box, BoxIndicator
from catalog.concepts import named_concept
from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from lsclasses import Constant, InvalidInput, PatchedHypothesis, Table, TooLarge
from lsclasses.domain import IntegerGrid
from lsclasses.hypothesis import Hypothesis
from tests.lsclasses.certificates.forging import changed, places

SMALL = [
    "thresholds:n=6", "points:n=6", "intervals:n=6", "at-most:n=5,k=2", "conjunctions:n=2",
    "disjunctions:n=3", "affine:q=3,n=2,k=1", "parities:n=3", "decision-lists:n=2", "ltf:n=2",
]  # fmt: skip
LARGE = [
    ("thresholds:n=2^64", [(5, 0), (2**60, 1)], "steps"),
    ("thresholds:n=inf", [(5, 0)], "steps"),
    ("points:n=2^64", [(77, 1)], "all but"),
    ("intervals:n=2^40", [(5, 1), (2**30, 1)], "steps"),
    ("affine:q=2,n=32,k=2", [((0,) * 32, 1), ((1,) * 32, 1)], "flat"),
    ("affine:q=3,n=30,k=2", [((2,) * 30, 1), ((1,) * 30, 1)], "flat"),
    ("conjunctions:n=40", [((1,) * 40, 1), ((0,) + (1,) * 39, 0)], "literals"),
    ("disjunctions:n=40", [((0,) * 40, 0)], "literals"),
]


def read_back(h: Hypothesis) -> Hypothesis:
    data = json.loads(json.dumps(hypothesis_to_json(h)))
    again = hypothesis_from_json(data, h.domain)
    assert hypothesis_to_json(again) == data
    return again


@pytest.mark.parametrize("source", SMALL)
def test_rules_of_small_classes_are_read_back(source: str) -> None:
    C = catalog.build(source)
    states = {C.soa(), *(C.restrict(x, y).soa() for x in C.domain for y in (0, 1))}
    for h in states:
        again = read_back(h)
        assert [again(x) for x in C.domain] == [h(x) for x in C.domain]


@pytest.mark.parametrize(("source", "examples", "kind"), LARGE)
def test_rules_of_large_classes_are_read_back(source: str, examples: Any, kind: str) -> None:
    C = catalog.build(source)
    h = C.given(examples).soa()
    assert hypothesis_to_json(h)["kind"] == kind
    assert read_back(h) == h
    x = examples[0][0]
    patched = PatchedHypothesis(h, {x: 1 - h(x)})
    again = read_back(patched)
    assert again(x) == patched(x) != h(x)
    probes = [y for y, _ in examples[1:]] + [h.domain.point(i) for i in range(40)]
    assert all(again(y) == patched(y) for y in probes)


def test_labellings_that_agree_have_one_text() -> None:
    C = catalog.build("points:n=5")
    one = C.restrict(3, 1).soa()
    others = [C.to_table()[3], PatchedHypothesis(C.soa(), {3: 1}), named_concept("", C, "3:1")]
    assert {
        json.dumps(hypothesis_to_json(h))
        for h in [one.to_concept(), *map(Hypothesis.to_concept, others)]
    } == {'{"kind": "labels", "labels": "00010"}'}


def other_values(value: Any) -> Any:
    if isinstance(value, dict):
        yield value | {"more": 1}
        yield from ({k: v for k, v in value.items() if k != gone} for gone in value)
        yield []
    elif isinstance(value, list):
        yield from ([*value, *value[-1:]], value[1:], value[::-1], {}, None)
    elif isinstance(value, bool):
        yield from (not value, int(value))
    elif isinstance(value, int):
        yield from (value + 1, -value - 1, float(value), str(value), True, None, 10**40)
    else:
        yield from (f"{value}0", value[:-1], "", None, 0, "labels", "changed")


@pytest.mark.parametrize(("source", "examples", "kind"), LARGE)
def test_every_edit_is_refused_or_another_labelling(source: str, examples: Any, kind: str) -> None:
    """What is accepted is written exactly so: no labelling has two texts, no text two meanings."""
    C = catalog.build(source.replace("n=40", "n=8"))
    examples = [(x[:8] if kind == "literals" else x, y) for x, y in examples]
    h = PatchedHypothesis(C.given(examples).soa(), {examples[0][0]: 1})
    for form in (h, C.given(examples).soa()):
        data = hypothesis_to_json(form)
        accepted = 0
        for path in [(), *places(data)]:
            value: Any = data
            for key in path:
                value = value[key]
            for other in other_values(value):
                if json.dumps(other) == json.dumps(value):
                    continue
                edited = changed(data, path, other)
                try:
                    found = hypothesis_from_json(edited, C.domain)
                except (InvalidInput, TooLarge):
                    continue
                accepted += 1
                assert json.dumps(hypothesis_to_json(found)) == json.dumps(edited)
        assert accepted or kind == "flat"


# ---- concepts as people write them


@pytest.mark.parametrize(
    "source",
    [
        "thresholds:n=6", "thresholds:n=6,ones=0", "threshold-concepts:m=5", "points:n=5,empty=1",
        "intervals:n=5", "intervals:n=5,k=2",
    ],
)  # fmt: skip
def test_parameters_of_concepts_name_each_concept_that_they_can(source: str) -> None:
    """Against the names in the table: where a threshold starts, where an interval ends."""
    C = catalog.build(source)
    table = C.to_table()
    family = source.partition(":")[0]
    for concept in table:
        name: Any = concept.name
        if family == "intervals":
            if len(name) != 1:
                continue
            text = f"first={name[0][0]},last={name[0][1]}"
        elif name == "empty":
            continue
        else:
            text = f"{'point' if family == 'points' else 'start'}={name}"
        try:
            h = named_concept(source, C, text)
        except InvalidInput:
            # Of two intervals, the ends of one may leave the other open.
            assert source == "intervals:n=5,k=2"
            continue
        assert [h(x) for x in C.domain] == [concept(x) for x in C.domain]
        assert named_concept(source, C, str(name)).to_concept() == concept


def test_labels_need_not_be_a_concept() -> None:
    C = catalog.build("thresholds:n=4")
    assert named_concept("", C, "0011") in C
    assert named_concept("", C, "0100") not in C


def test_names_of_tables_come_first() -> None:
    C = Table([[0, 1], [1, 1], [1, 0]], domain=["a", "b"], concepts=["10", "random", "a:1"])
    for i, name in enumerate(("10", "random", "a:1")):
        assert named_concept("", C, name) == C[i]
    assert Constant(C.domain, 0).disagreement(named_concept("", C, "00")) is None


def test_boxes_are_stored_by_their_corners() -> None:
    grid = IntegerGrid(2**30, 2**30)
    for box in (None, Box((3, 4), (9, 2**20))):
        h = BoxIndicator(grid, box)
        assert hypothesis_from_json(hypothesis_to_json(h), grid) == h
    for ends in ([[3, 4], [2, 9]], [[3, 4]], [[3, 4], [9, 2**30]], [[3], [9]]):
        with pytest.raises(InvalidInput):
            hypothesis_from_json({"kind": "box", "ends": ends}, grid)
