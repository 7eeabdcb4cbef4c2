"""No proof by cases shows something false: small ones are enumerated, larger ones forged."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from lsclasses import BadCertificate, TooLarge
from lsclasses.certificates import Certificate, ProofByCases
from lsclasses.certificates.cases.lessons import Lessons
from lsclasses.certificates.cases.patterns import HollowStar, StarNumberClaim
from lsclasses.certificates.cases.proof import CLAIMS
from lsclasses.certificates.cases.replay import DimensionClaim, replay
from lsclasses.commands.certifying import BY_CASES
from lsclasses.dimensions.case_proofs import proof_by_cases
from tests import oracles
from tests.lsclasses.certificates.forging import (
    DEEP,
    NASTY,
    SUBJECT,
    believed,
    changed,
    mended,
    passes,
    places,
    proves,
    table_of,
    unless_refused,
)
from tests.strategies import plain

LARGEST = [name for name, kind in CLAIMS.items() if not issubclass(kind, Lessons)]
"""The dimensions that are large if an object exists; the others are small if lessons do."""
UP_TO_TWO = [(n, V) for n in (1, 2) for V in range(1, 1 << (1 << n))]
ON_THREE = [(3, V) for V in range(1, 256)]


@cache
def value(name: str, n: int, V: int) -> int:
    """The dimension by its definition."""
    found: int = getattr(oracles, name)(plain(table_of(n, V)))
    return found


def claim_of(name: str, n: int, V: int, value: int, **evidence: Any) -> DimensionClaim[Any]:
    return CLAIMS[name](table_of(n, V), value, evidence)


def provable(claim: DimensionClaim[Any], reasons: list[tuple[int, ...]], choices: int) -> bool:
    """Whether any items at all close every case: all choices and these reasons are tried."""
    known: dict[str, bool] = {}

    def closable(state: Any) -> bool:
        key = str(state)
        if key not in known:
            closed = (unless_refused(claim.closed, state, reason) for reason in reasons)
            splits = (unless_refused(claim.cases, state, choice) for choice in range(choices))
            known[key] = any(closed) or any(
                all(map(closable, cases))
                for cases in splits
                if cases is not None and state not in cases
            )
        return known[key]

    return all(map(closable, claim.start()))


def lists(numbers: range, most: int) -> list[tuple[int, ...]]:
    """All lists of at most that length, up to their order."""
    sizes = range(most + 1)
    return [r for k in sizes for r in itertools.combinations_with_replacement(numbers, k)]


def claims(name: str, n: int, V: int, value: int) -> Iterator[tuple[DimensionClaim[Any], Any, int]]:
    """The claims with all evidence that says what is refuted; reasons, and choices, to try."""
    concepts = V.bit_count()
    if name in LARGEST:
        yield claim_of(name, n, V, value), [()], max(concepts, n)
    elif "clash" in name:
        yield claim_of(name, n, V, value), lists(range(concepts**2), 3), concepts**2
    else:
        for k in range(1, concepts + 1 if "recursive" in name else 2):
            for hardest in itertools.combinations(range(concepts), k):
                claim = claim_of(name, n, V, value, hardest=hardest)
                yield claim, lists(range(concepts), n + 1), concepts


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_true_can_be_proved_by_cases_and_nothing_else(name: str) -> None:
    """Every refutation of every class on at most two points, and of some patterns on three."""
    for n, V in UP_TO_TWO + (ON_THREE[::50] if name in LARGEST else []):
        true = value(name, n, V)
        for claimed in range(n + 2):
            found = any(provable(*each) for each in claims(name, n, V, claimed))
            # More than the true value is refuted of what is largest, less of the others.
            assert found == (claimed >= true if name in LARGEST else claimed <= true), (n, V)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CLAIMS if "clash" not in name])
def test_every_refutation_on_three_points_is_of_something_false(name: str) -> None:
    for n, V in ON_THREE:
        true = value(name, n, V)
        for claimed in range(true) if name in LARGEST else range(true + 1, n + 2):
            assert not any(provable(*each) for each in claims(name, n, V, claimed)), (n, V)


def test_no_line_of_thresholds_is_refuted_by_what_came_before() -> None:
    """All lists of at most four items with references, about classes on two points."""
    for n, V in UP_TO_TWO:
        true = value("threshold_dim", n, V)
        for claimed in range(true):
            claim = claim_of("threshold_dim", n, V, claimed)
            for size in range(5):
                options = [0, (), *((i,) for i in range(size))]
                for items in itertools.product(options, repeat=size):
                    with pytest.raises(BadCertificate):
                        replay(claim, items)


def objects(name: str, n: int, V: int, value: int) -> Iterator[dict[str, Any]]:
    """All evidence for a bound, but for lists that could not be read."""
    points, concepts = range(n), range(V.bit_count())
    if name not in LARGEST:
        subsets = [x for k in range(value + 1) for x in itertools.combinations(points, k)]
        orders = itertools.permutations(concepts) if "recursive" in name else [()]
        for order in orders:
            for lessons in itertools.product(subsets, repeat=len(concepts)):
                more = {"order": order} if order else {}
                yield {"lessons": lessons, "hardest": (0,), **more}
        return
    for x in itertools.product(points, repeat=value):
        if CLAIMS[name] is HollowStar:
            for labels in itertools.product((0, 1), repeat=value):
                yield {"points": x, "labels": labels}
        else:
            more = value + (CLAIMS[name] is StarNumberClaim)
            for chosen in itertools.product(concepts, repeat=more):
                yield {"points": x, "concepts": chosen}


def shows(name: str, n: int, V: int, value: int, evidence: dict[str, Any]) -> bool:
    return passes(lambda: claim_of(name, n, V, value, **evidence).check_evidence())


@pytest.mark.parametrize("name", CLAIMS)
def test_an_object_exists_for_what_is_true_and_nothing_else(name: str) -> None:
    """All objects of every class on at most two points, and of one on three."""
    for n, V in [*UP_TO_TWO, (3, 0b00010111 if name in LARGEST else 0b10010)]:
        true = value(name, n, V)
        for claimed in range(n + 1):
            found = any(shows(name, n, V, claimed, e) for e in objects(name, n, V, claimed))
            possible = claimed <= true if name in LARGEST else claimed >= true
            # Part of a hollow star is none, so that there may be none of fewer points.
            if CLAIMS[name] is not HollowStar or claimed >= true:
                assert found == possible, (n, V)


@pytest.mark.parametrize("name", CLAIMS)
def test_proofs_have_the_value_of_the_definition_and_the_same_bytes(name: str) -> None:
    for n, V in UP_TO_TWO + ON_THREE[4::70] + [(4, 0b1000110101100110), (4, 0b1011110)]:
        proof = proof_by_cases(table_of(n, V), name)
        assert proof.claim == f"{name} = {value(name, n, V)}"
        proof.verify(table_of(n, V))
        again = Certificate.from_json(proof.to_json())
        assert again == proof and again.to_bytes() == proof.to_bytes()
        assert proof_by_cases(table_of(n, V), name).to_bytes() == proof.to_bytes()


@pytest.mark.parametrize("name", ["star_number", "recursive_teaching_dim"])
def test_no_nasty_value_anywhere_in_a_proof_proves_anything_false(name: str) -> None:
    table = table_of(2, 0b1011)
    proof = proof_by_cases(table, name)
    data = proof.to_json()
    for path in places(data):
        if path[0] not in proof._evidence():
            continue
        for nasty in [*NASTY, DEEP]:
            forged = changed(data, path, nasty)
            forged["claim"] = f"{name} = {forged.get('value')}"
            found = believed(mended(forged), table)
            assert found is None or found.claim == proof.claim, (path, nasty)


@given(st.data())
def test_no_part_of_a_true_proof_proves_something_of_another_class(data: st.DataObject) -> None:
    """Also with another value, and with items left out, given twice or exchanged."""
    name = data.draw(st.sampled_from(list(CLAIMS)))
    V, W = data.draw(st.integers(1, 255)), data.draw(st.integers(1, 255))
    proof = proof_by_cases(table_of(3, V), name)
    items = data.draw(st.lists(st.sampled_from([*proof.cases, (), 0, 1]), max_size=8))
    claimed = data.draw(st.integers(max(0, proof.value - 1), proof.value + 1))
    for U in (V, W):
        for cases in (proof.cases, proof.cases[1:], tuple(items)):
            forged = ProofByCases(SUBJECT, name, claimed, proof.evidence, cases)
            if proves(forged, table_of(3, U)):
                assert claimed == value(name, 3, U)


def test_what_would_take_too_long_is_refused_by_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(3, 0b10010111)
    proof = proof_by_cases(table, "no_clash_teaching_dim")
    monkeypatch.setattr("lsclasses.certificates.cases.lessons.MOST_CONCEPTS", 4)
    with pytest.raises(TooLarge, match="in pairs for at most 4 concepts"):
        proof.verify(table)
    monkeypatch.setattr("lsclasses.certificates.cases.lessons.MOST_AGREEMENTS", 4)
    with pytest.raises(TooLarge, match="compare more than"):
        proof.verify(table)


def test_it_is_printed_and_not_drawn() -> None:
    proof = proof_by_cases(table_of(2, 15), "teaching_dim")
    assert str(proof) == "teaching_dim = 2\ncases: 0 split, 1 closed"
    assert proof._repr_svg_() is None


def test_the_command_writes_all_that_can_be_proved() -> None:
    assert set(BY_CASES) == set(CLAIMS)


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("threshold_dim", "5adba1a72b730986"),
        ("star_number", "bef82ed3565f2cbe"),
        ("hollow_star_number", "b1e7978054c310f9"),
        ("teaching_dim", "e57dc1f9447b3190"),
        ("recursive_teaching_dim", "697a8bc3d1793730"),
    ],
)
def test_the_bytes_are_the_same_on_every_machine(name: str, digest: str) -> None:
    proof = proof_by_cases(catalog.build("conjunctions:n=3").to_table(), name)
    assert proof.to_json()["digest"].startswith(digest)
