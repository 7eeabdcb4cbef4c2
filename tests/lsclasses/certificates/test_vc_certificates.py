"""Upper bounds on the VC dimension: by too few concepts, and by labellings that are missing."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from lsclasses import BadCertificate, Table
from lsclasses.certificates import Certificate, ShatteredSet, Subject, VCCertificate
from tests.lsclasses.certificates.forging import passes

SQUARE = Table([[0, 0], [0, 1], [1, 0], [1, 1]], domain="ab")
"""It shatters both points: four concepts are enough."""
CHAIN = Table([[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], domain="abcd")
"""It shatters one point, and no two, by five concepts."""


def claimed(table: Table, points: str, reason: str, missing: object = ()) -> VCCertificate:
    subject = Subject.of(table)
    return VCCertificate(subject, ShatteredSet(subject, tuple(points)), reason, missing)  # type: ignore[arg-type]


def test_as_many_concepts_as_labellings_are_not_too_few():
    """Four concepts may shatter two points, as these do; three may not."""
    claimed(SQUARE, "ab", "size").verify(SQUARE)
    for points in ("a", "b", ""):
        with pytest.raises(BadCertificate, match="4 concepts are enough"):
            claimed(SQUARE, points, "size").verify(SQUARE)
    three = Table([[0, 0], [0, 1], [1, 0]], domain="ab")
    claimed(three, "a", "size").verify(three)
    with pytest.raises(BadCertificate, match="3 concepts are enough to shatter 1 points"):
        claimed(three, "", "size").verify(three)
    one = Table([[0, 1]], domain="ab")
    claimed(one, "", "size").verify(one)


def test_nothing_is_missing_where_the_number_is_the_reason():
    three = Table([[0, 0], [0, 1], [1, 0]], domain="ab")
    missing = ((("a", 1), ("b", 1)),)
    for reason in ("size", "missing"):
        proof = claimed(three, "a", reason, missing)
        assert passes(proof.verify, three) == (reason == "missing")


def test_every_pair_needs_its_missing_labelling():
    """Without any one of the six, the two points that it was about are named."""
    proof = VCCertificate.of(CHAIN)
    assert (proof.reason, len(proof.missing)) == ("missing", 6)
    proof.verify(CHAIN)
    assert Certificate.from_json(proof.to_json()) == proof
    pairs = list(combinations("abcd", 2))
    assert [tuple(x for x, _ in labelling) for labelling in proof.missing] == pairs
    for i, pair in enumerate(pairs):
        fewer = (*proof.missing[:i], *proof.missing[i + 1 :])
        with pytest.raises(BadCertificate, match=f"points {pair!r}".replace("(", r"\(")[:-1]):
            replace(proof, missing=fewer).verify(CHAIN)
        # In another order the points begin no pair.
        turned = (*fewer, proof.missing[i][::-1])
        with pytest.raises(BadCertificate, match="No missing labelling is given"):
            replace(proof, missing=turned).verify(CHAIN)
        for labels in ((0, 0), (0, 1), (1, 1)):
            there = (*fewer, tuple(zip(pair, labels, strict=True)))
            with pytest.raises(BadCertificate, match="the labelling is not missing"):
                replace(proof, missing=there).verify(CHAIN)


def test_a_labelling_of_fewer_points_covers_all_that_begin_with_them():
    """The first point is constant, so no label 1 there."""
    table = Table([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]], domain="abc")
    for points, missing, covered in (
        ("bc", ((("a", 1),),), True),
        ("b", ((("a", 1),), (("b", 0), ("c", 1))), False),
        ("bc", (), False),
        ("bc", ((("a", 1), ("b", 0)),), True),
        ("bc", ((("a", 1), ("c", 0)),), False),
    ):
        assert passes(claimed(table, points, "missing", missing).verify, table) == covered


def test_the_set_must_be_shattered_whatever_is_missing():
    proof = VCCertificate.of(CHAIN)
    everything = tuple(((x, 0), (y, 1), (z, 0)) for x, y, z in combinations("abcd", 3))
    for points, missing in (("aa", proof.missing), ("z", proof.missing), ("ab", everything)):
        assert not passes(claimed(CHAIN, points, "missing", missing).verify, CHAIN)


def test_the_number_of_concepts_is_the_reason_where_it_can_be():
    singles = Table([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]], domain="abc")
    three = Table([[0, 0], [0, 1], [1, 0]], domain="ab")
    reasons = [VCCertificate.of(table).reason for table in (three, SQUARE, CHAIN, singles)]
    assert reasons == ["size", "size", "missing", "missing"]
