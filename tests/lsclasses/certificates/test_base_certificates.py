"""What all certificates share: which class they are about, how files are read, how they are
printed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

import catalog
from lsclasses import BadCertificate, InvalidInput, Table
from lsclasses.certificates import Certificate, ShatteredTree, Subject, base, load_certificate
from lsclasses.certificates.base import (
    FORMAT,
    _digest,
    fields,
    items,
    label,
    malformed,
    names_from_json,
    natural,
    require_tuple,
)
from lsclasses.errors import NoCertificate, TooLarge

CHAIN = Table([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]], domain="abc")
TREE = ShatteredTree.of(CHAIN)


# ---- values


def test_integers_are_integers_within_their_bounds():
    for value, bounds in (
        (0, {}),
        (7, {}),
        (3, {"most": 3}),
        (-1, {"least": -1}),
        (0, {"most": 0}),
    ):
        assert natural(value, **bounds) == value
    for value, bounds, why in (
        (-1, {}, ">= 0. Got -1"),
        (4, {"most": 3}, "from 0 to 3. Got 4"),
        (-2, {"least": -1}, ">= -1. Got -2"),
        (0, {"most": -1}, "from 0 to -1. Got 0"),
        (True, {}, "Got True"),
        (1.0, {}, r"Got 1\.0"),
        ("1", {}, "Got '1'"),
        (None, {}, "Got None"),
    ):
        with pytest.raises(BadCertificate, match=f"Expected an integer .*{why}"):
            natural(value, **bounds)  # type: ignore[arg-type]


def test_labels_lists_names_objects_and_tuples():
    assert [label(0), label(1)] == [0, 1]
    for value in (-1, 2, True, False, 1.0, None):
        with pytest.raises(BadCertificate, match="from 0 to 1"):
            label(value)
    assert items([1]) == [1]
    assert names_from_json(["a", 1, [0, "b"]]) == ("a", 1, (0, "b"))
    for value in ((1,), "1", {0: 1}, None):
        with pytest.raises(BadCertificate, match="Expected a list"):
            items(value)
    assert require_tuple((), "It") == ()
    with pytest.raises(BadCertificate, match=r"It must be a tuple. Got \[\]"):
        require_tuple([], "It")
    shapes: list[set[str]] = [{"a"}, {"a", "b"}]
    for data in ({"a": 1}, {"a": 1, "b": 2}):
        assert fields(data, *shapes) == data
    for data in ({}, {"b": 1}, {"a": 1, "c": 2}, {"a": 1, "b": 2, "c": 3}, ["a"], None):
        with pytest.raises(BadCertificate, match=r"the fields a, or a, b\. Got"):
            fields(data, *shapes)


def test_whatever_malformed_data_raises_is_a_bad_certificate():
    def fail(error: BaseException) -> Any:
        raise error

    assert malformed(lambda: 5) == 5
    bad = BadCertificate("As it is.")
    with pytest.raises(BadCertificate) as caught:
        malformed(lambda: fail(bad))
    assert caught.value is bad
    for error in (
        InvalidInput("no"), KeyError("no"), IndexError("no"), TypeError("no"), ValueError("no"),
        AttributeError("no"), OverflowError("no"),
    ):  # fmt: skip
        with pytest.raises(BadCertificate, match=f"malformed: {type(error).__name__}: "):
            malformed(lambda error=error: fail(error))
    with pytest.raises(BadCertificate, match="nested too deeply"):
        malformed(lambda: fail(RecursionError()))
    for error in (ZeroDivisionError(), KeyboardInterrupt(), MemoryError()):
        with pytest.raises(type(error)):
            malformed(lambda error=error: fail(error))


# ---- which class


def test_a_class_is_told_by_its_labels_names_and_order():
    rows = CHAIN.labels.tolist()
    subject = Subject.of(CHAIN)
    assert (subject.concepts, subject.points, len(subject.sha256)) == (4, 3, 64)
    subject.require(Table(rows, domain="abc"))
    for other, why in (
        (Table(rows[:3], domain="abc"), "4 concepts on 3 points. This one has 3 concepts on 3"),
        (Table([r[:2] for r in [[1, 1], [0, 1], [1, 0], [0, 0]]], domain="ab"), "4 concepts on 2"),
        (Table(rows[::-1], domain="abc"), "another class of 4 concepts on 3 points"),
        (Table(rows, domain="acb"), "labels, names or their order differ"),
        (Table(rows, domain="abc", concepts="wxyz"), "labels, names or their order differ"),
        (Table([[1, 1, 0], *rows[1:]], domain="abc"), "labels, names or their order differ"),
    ):
        with pytest.raises(BadCertificate, match=why):
            subject.require(other)
    with pytest.raises(FrozenInstanceError):
        subject.points = 4  # type: ignore[misc]


def test_a_class_too_large_to_write_out_is_told_by_its_description(monkeypatch):
    """At the limit it is written out still; a table always is."""
    chain = catalog.build("thresholds:n=7")
    table = chain.to_table()
    for limit, same in ((8 * 7, True), (8 * 7 - 1, False)):
        monkeypatch.setattr(base, "ENUMERATION_LIMIT", limit)
        assert (Subject.of(chain) == Subject.of(table)) == same
        Subject.of(chain).require(catalog.build("thresholds:n=7"))
        assert (Subject.of(chain).concepts, Subject.of(chain).points) == (8, 7)
    infinite = catalog.build("points:n=inf")
    for C, size in ((infinite, None), (infinite.restrict(0, 1), 1)):
        subject = Subject.of(C)
        assert (subject.concepts, subject.points) == (size, None)
        assert Subject.from_json(subject.to_json()) == subject


@pytest.mark.parametrize(
    "changes", [{"concepts": -1}, {"points": True}, {"points": "3"}, {"sha256": 5}, {"more": 1}]
)
def test_what_tells_no_class_is_refused(changes):
    data = Subject.of(CHAIN).to_json()
    assert Subject.from_json(data) == Subject.of(CHAIN)
    with pytest.raises(BadCertificate):
        Subject.from_json(data | changes)


# ---- files


def mended(changes: dict[str, Any]) -> dict[str, Any]:
    data = TREE.to_json() | changes
    del data["digest"]
    return {**data, "digest": _digest(data)}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"version": 0}, "reads certificates of version 1 and 2. Got version 0"),
        ({"version": 3}, "Got version 3"),
        ({"version": True}, "Got version True"),
        ({"version": 1.0}, r"Got version 1\.0"),
        ({"version": "1"}, "Got version '1'"),
        ({"version": 2}, "The evidence is of version 1 .* says version 2"),
        ({"kind": "tree"}, "must be one of failure-dag, folded-tree, ldim, .*Got 'tree'"),
        ({"kind": None}, "Got None"),
        ({"kind": []}, r"Got \[\]"),
        ({"claim": "Ldim >= 3"}, "claims 'Ldim >= 3', but its evidence is for 'Ldim >= 2'"),
        ({"claim": None}, "claims None"),
        ({"extra": 1}, "Expected an object with the fields"),
    ],
)
def test_a_file_is_what_it_says(changes, why):
    with pytest.raises(BadCertificate, match=why):
        Certificate.from_json(mended(changes))


def test_damage_and_other_objects_are_told_apart():
    data = TREE.to_json()
    assert Certificate.from_json(data) == TREE
    assert Certificate.from_json(mended({})) == TREE
    for digest in ("0" * 64, None, data["digest"].upper()):
        with pytest.raises(BadCertificate, match="changed or damaged") as caught:
            Certificate.from_json({**data, "digest": digest})
        assert not isinstance(caught.value, NoCertificate)
    for other in ([], None, {}, {**data, "format": "other"}, {k: data[k] for k in ("kind",)}):
        with pytest.raises(NoCertificate, match=f'"format": "{FORMAT}"'):
            Certificate.from_json(other)


def test_the_digest_is_that_of_the_rest_whatever_its_order():
    data = TREE.to_json()
    assert data["version"] == 1
    assert Certificate.from_json(dict(reversed(data.items()))) == TREE
    rest = {key: data[key] for key in sorted(data) if key != "digest"}
    text = json.dumps(rest, sort_keys=True).replace(": ", ":").replace(", ", ",")
    # No text of this certificate has a comma or a colon.
    assert data["digest"] == hashlib.sha256(text.encode("ascii")).hexdigest()


def test_names_that_end_in_gz_are_compressed(tmp_path):
    for name, compressed in (("a.json", False), ("b.json.gz", True), ("c.GZ", True)):
        path = tmp_path / name
        TREE.save(path)
        assert (path.read_bytes()[:2] == b"\x1f\x8b") == compressed
        assert load_certificate(path) == TREE
    assert json.loads((tmp_path / "a.json").read_bytes()) == TREE.to_json()
    assert (tmp_path / "a.json").read_bytes().endswith(b"}\n")


# ---- in print


def test_of_a_long_drawing_the_beginning_is_printed(monkeypatch):
    lines = TREE.to_text().split("\n")
    assert len(lines) > 3
    monkeypatch.setattr(base, "LINES", len(lines))
    assert str(TREE).split("\n") == [TREE.claim, *lines]
    for hidden in (1, 2):
        monkeypatch.setattr(base, "LINES", len(lines) - hidden)
        told = f"... and {hidden} more lines; to_text() has all"
        assert str(TREE).split("\n") == [TREE.claim, *lines[:-hidden], told]


def test_drawings_too_large_for_a_notebook_are_left_out(monkeypatch):
    assert TREE._repr_svg_() == TREE.to_svg()

    def too_large(self: Certificate) -> str:
        raise TooLarge("No.")

    monkeypatch.setattr(Certificate, "to_svg", too_large)
    assert replace(TREE)._repr_svg_() is None
