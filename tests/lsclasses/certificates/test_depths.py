"""No proof of a randomized Littlestone dimension shows something false.

Small ones are enumerated, larger ones forged.
"""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from lsclasses import BadCertificate, TooLarge
from lsclasses.certificates import Certificate, RandomizedLdimCertificate, Subject, depth_rules
from lsclasses.certificates import depths as proof_module
from lsclasses.certificates.depths import DepthBound, DepthNode, Numbers, _Bounds, _Tree
from lsclasses.certificates.rows import Rows
from lsclasses.dimensions import depth_proofs
from lsclasses.dimensions.depth_proofs import randomized_ldim_certificate
from lsclasses.searching import engines
from tests import oracles
from tests.lsclasses.certificates.forging import (
    DEEP,
    NASTY,
    SUBJECT,
    believed,
    changed,
    mended,
    mutations,
    other_classes,
    passes,
    places,
    table_of,
)
from tests.lsclasses.small_classes import labels_of, side_of
from tests.strategies import plain

UP_TO_TWO = [(n, V) for n in (1, 2) for V in range(1, 1 << (1 << n))]


@cache
def depth(n: int, V: int) -> Fraction:
    """The expected depth, by its recursion."""
    best = Fraction(0)
    for x in range(n):
        sides = [V & side_of(n, x, y) for y in (0, 1)]
        if all(sides):
            best = max(best, 1 + sum(depth(n, side) for side in sides) / 2)
    return best


def rows_of(n: int, V: int) -> Rows:
    return Rows.of_labels(labels_of(n, V))


def codes(n: int, length: int) -> Iterator[Numbers]:
    yield from itertools.product(range(2 * n), repeat=length)


def test_proofs_have_the_value_of_the_definition_and_the_same_bytes() -> None:
    for n, V in [*UP_TO_TWO, *((3, V) for V in range(1, 256, 9)), (4, 0b1000110101100110)]:
        proof = randomized_ldim_certificate(table_of(n, V))
        assert Fraction(proof.value, 1 << proof.places) == depth(n, V)
        assert proof.claim.endswith(f" {oracles.randomized_ldim(plain(table_of(n, V)))}")
        proof.verify(table_of(n, V))
        again = Certificate.from_json(proof.to_json())
        assert again == proof and again.to_bytes() == proof.to_bytes()


@pytest.mark.parametrize(
    ("spec", "claim", "digest"),
    [
        ("subsets:n=6,k=3", "randomized_ldim = 33/16", "090c9d1606c9e36d"),
        ("decision-lists:n=3", "randomized_ldim = 205/64", "ee183a288a0e3d86"),
    ],
)
def test_both_engines_give_the_bytes_that_every_machine_gives(
    spec: str, claim: str, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for engine in ("numpy", "native"):
        if engine == "native" and importlib.util.find_spec("lsclasses.searching._kernel") is None:
            continue
        monkeypatch.setenv(engines.VARIABLE, engine)
        proof = randomized_ldim_certificate(catalog.build(spec).to_table())
        assert (proof.claim, proof.to_json()["digest"][:16]) == (claim, digest)
        assert any(len(step) > 2 for entry in proof.bounds for step in entry.steps)
        assert any(len(side) > 1 for node in proof.nodes for side in node.below)
        proof.verify(catalog.build(spec).to_table())


# ---- the rules


def test_matchings_compare_depths_and_nothing_else() -> None:
    """All classes V and W on at most two points, with all matchings for the columns of W."""
    accepted = 0
    for (n, V), (k, W) in itertools.product(UP_TO_TWO, repeat=2):
        side, entry = rows_of(n, V), rows_of(k, W)
        columns = depth_rules.kinds(entry)
        for matching in codes(n, len(columns)) if columns else ():
            if depth_rules.no_deeper(side, entry, columns, matching):
                assert depth(n, V) <= depth(k, W)
                accepted += 1
            if depth_rules.as_deep(side, entry, columns, matching):
                assert depth(n, V) >= depth(k, W)
                accepted += 1
    assert accepted > 300


def test_matchings_compare_depths_on_three_points() -> None:
    """Random classes, and parts of one another under a random matching."""
    rng = np.random.default_rng(8)
    accepted = 0
    for _ in range(500):
        V = W = int(rng.integers(1, 256))
        if rng.random() < 0.7:
            W = V & int(rng.integers(1, 256)) or V
        if rng.random() < 0.5:
            V, W = W, V
        order, flips = rng.permutation(3), rng.integers(0, 2, 3)
        moved = labels_of(3, W)[:, order] ^ flips
        side, entry = rows_of(3, V), Rows.of_labels(moved)
        columns = depth_rules.kinds(entry)
        matching = [2 * int(order[z]) + int(flips[z]) for z in columns]
        if rng.random() < 0.2:
            matching = rng.integers(0, 6, len(columns)).tolist()
        if matching and depth_rules.no_deeper(side, entry, columns, matching):
            assert depth(3, V) <= depth(3, W)
            accepted += 1
        if matching and depth_rules.as_deep(side, entry, columns, matching):
            assert depth(3, V) >= depth(3, W)
            accepted += 1
    assert accepted > 200


def test_counting_bounds_what_is_shattered_and_no_tree_is_deeper_than_a_balanced_one() -> None:
    for V in range(1, 256, 3):
        rows = rows_of(3, V)
        columns = depth_rules.kinds(rows)
        assert columns == [
            x for x in range(3)
            if len({*labels_of(3, V)[:, x].tolist()}) == 2
            and not any(
                len({*(labels_of(3, V)[:, x] ^ labels_of(3, V)[:, z]).tolist()}) == 1
                for z in range(x)
            )
        ]  # fmt: skip
        assert depth(3, V) * depth_rules.ONE <= depth_rules.balanced(np.array([len(rows)]))[0]
        if not columns:
            continue
        both = rows.common_ones(np.array(columns))[:, columns]
        counted = depth_rules.counted_sides(len(rows), np.diagonal(both), both)
        for x, sides in zip(columns, counted.tolist(), strict=True):
            for y in (0, 1):
                true = depth(3, V & side_of(3, x, y))
                assert true * depth_rules.ONE <= sides[y]
                if rows.restricted(x, y).words.shape[1] <= depth_rules.BALANCED_UP_TO:
                    assert true * depth_rules.ONE == sides[y]
    assert (depth_rules.balanced(np.arange(1, 6)) / depth_rules.ONE).tolist() == [
        0,
        1,
        1.5,
        2,
        2.25,
    ]


# ---- whole proofs


def accepted_bounds(n: int, V: int, value: int, entries: tuple[DepthBound, ...]) -> bool:
    proof = RandomizedLdimCertificate(SUBJECT, 1, value, entries, ())
    return passes(lambda: _Bounds(rows_of(n, V), proof).check())


def accepted_tree(n: int, V: int, value: int, nodes: tuple[DepthNode, ...]) -> bool:
    proof = RandomizedLdimCertificate(SUBJECT, 1, value, (), nodes)
    return passes(lambda: _Tree(rows_of(n, V), proof).check())


FULLY = [pytest.param(1, marks=pytest.mark.slow), 97]
"""All cases, or every 97th of them."""


def pairs_of_entries() -> Iterator[tuple[int, int, int, tuple[DepthBound, ...]]]:
    """All of two entries in units of 1/2, with at most one step."""
    for n, V in UP_TO_TWO:
        matchings = [(), *codes(n, 1), *codes(n, 2)]
        steps = [(), *(((s, 1, *m),) for s in range(2 * n) for m in matchings)]
        for value, code, bound, step in itertools.product(range(5), range(2 * n), range(4), steps):
            yield n, V, value, (DepthBound((), value, step), DepthBound((0, code), bound, ()))


def pairs_of_nodes() -> Iterator[tuple[int, int, tuple[DepthNode, ...]]]:
    for n, V in UP_TO_TWO:
        below = [(), *((1, *m) for m in [(), *codes(n, 1), *codes(n, 2)])]
        points = range(n)
        for root, code, last, zero, one in itertools.product(
            points, range(2 * n), points, below, below
        ):
            yield n, V, (DepthNode((), root, (zero, one)), DepthNode((0, code), last, ((), ())))


@pytest.mark.parametrize("every", FULLY)
def test_no_two_entries_bound_a_depth_that_is_larger(every: int) -> None:
    """Of all classes on at most two points."""
    for n, V in UP_TO_TWO:
        for value in range(5):
            alone = accepted_bounds(n, V, value, (DepthBound((), value, ()),))
            assert not alone or value >= 2 * depth(n, V)
    for n, V, value, entries in itertools.islice(pairs_of_entries(), 0, None, every):
        if value < 2 * depth(n, V):
            assert not accepted_bounds(n, V, value, entries), (n, V, entries)


@pytest.mark.parametrize("every", FULLY)
def test_no_two_nodes_are_a_tree_that_is_not_shattered(every: int) -> None:
    for n, V in UP_TO_TWO:
        for value in range(5):
            assert not accepted_tree(n, V, value, ()) or value == 2 * depth(n, V)
    for n, V, nodes in itertools.islice(pairs_of_nodes(), 0, None, every):
        for value in range(int(2 * depth(n, V)) + 1, 5):
            assert not accepted_tree(n, V, value, nodes), (n, V, nodes)


@cache
def true_proof(n: int, V: int) -> RandomizedLdimCertificate:
    return randomized_ldim_certificate(table_of(n, V))


def claiming(forged: dict[str, Any]) -> dict[str, Any]:
    """The file with the claim that its value makes, if that is a number, and its digest."""
    try:
        half = Fraction(forged["value"], 2 << forged["places"])
    except (TypeError, ValueError, OverflowError, MemoryError):
        half = None
    return mended({**forged, "claim": f"randomized_ldim = {half}"})


@given(st.data())
def test_no_part_of_a_true_proof_proves_something_false(data: st.DataObject) -> None:
    """Of the same class or another one, with another value, with changes anywhere."""
    V = data.draw(st.integers(1, (1 << 16) - 1))
    W = data.draw(other_classes(4, V)) or V
    proof = true_proof(4, V)
    value = max(0, proof.value + data.draw(st.sampled_from([0, -1, 1])))
    bounds = (replace(proof.bounds[0], bound=value), *proof.bounds[1:])
    proof = replace(proof, subject=Subject.of(table_of(4, W)), value=value, bounds=bounds)
    whole = proof.to_json()
    evidence = {part: whole[part] for part in proof._evidence()}
    for _ in range(data.draw(st.integers(0, 2))):
        evidence = data.draw(mutations(evidence))
    found = believed(claiming({**whole, **evidence}), table_of(4, W))
    if found is not None:
        assert Fraction(found.value, 1 << found.places) == depth(4, W)


def test_no_nasty_value_anywhere_in_a_file_proves_anything_false() -> None:
    table = table_of(2, 15)
    bounds = DepthBound((), 4, ((0, 1), (1, 1, 2))), DepthBound((0, 0), 2, ())
    nodes = DepthNode((), 0, ((1,), (1, 2))), DepthNode((0, 0), 1, ((), ()))
    proof = RandomizedLdimCertificate(Subject.of(table), 1, 4, bounds, nodes)
    proof.verify(table)
    data = proof.to_json()
    for path in places(data):
        if path[0] in proof._evidence():
            for nasty in [*NASTY, DEEP]:
                found = believed(claiming(changed(data, path, nasty)), table)
                assert found is None or found.claim == proof.claim, (path, nasty)


def test_a_proof_stops_where_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    table = catalog.build("decision-lists:n=3").to_table()
    monkeypatch.setattr(depth_proofs, "MOST_NUMBERS", 100)
    with pytest.raises(TooLarge, match="more than 50 numbers"):
        randomized_ldim_certificate(table)
    monkeypatch.undo()
    monkeypatch.setattr(proof_module, "MOST_NUMBERS", 100)
    with pytest.raises(BadCertificate, match="at most 100 numbers"):
        randomized_ldim_certificate(table)
