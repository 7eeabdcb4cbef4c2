"""What all certificates share: which class they are about, how files are read, how they are
printed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

import catalog
from lsclasses import BadCertificate, InvalidInput, Table
from lsclasses.certificates import Certificate, ShatteredTree, Subject, base, reading
from lsclasses.errors import TooLarge

CHAIN = Table([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]], domain="abc")
TREE = ShatteredTree.of(CHAIN)


# ---- values


def test_whatever_malformed_data_raises_is_a_bad_certificate():
    def fail(error: BaseException) -> Any:
        raise error

    assert reading.malformed(lambda: 5) == 5
    bad = BadCertificate("As it is.")
    with pytest.raises(BadCertificate) as caught:
        reading.malformed(lambda: fail(bad))
    assert caught.value is bad
    for error in (
        InvalidInput("no"), KeyError("no"), IndexError("no"), TypeError("no"), ValueError("no"),
        AttributeError("no"), OverflowError("no"),
    ):  # fmt: skip
        with pytest.raises(BadCertificate, match=f"malformed: {type(error).__name__}: "):
            reading.malformed(lambda error=error: fail(error))
    with pytest.raises(BadCertificate, match="nested too deeply"):
        reading.malformed(lambda: fail(RecursionError()))
    for error in (ZeroDivisionError(), KeyboardInterrupt(), MemoryError()):
        with pytest.raises(type(error)):
            reading.malformed(lambda error=error: fail(error))


# ---- which class


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


# ---- files


def test_the_digest_is_that_of_the_rest_whatever_its_order():
    data = TREE.to_json()
    assert Certificate.from_json(dict(reversed(data.items()))) == TREE
    rest = {key: data[key] for key in sorted(data) if key != "digest"}
    text = json.dumps(rest, sort_keys=True).replace(": ", ":").replace(", ", ",")
    # No text of this certificate has a comma or a colon.
    assert data["digest"] == hashlib.sha256(text.encode("ascii")).hexdigest()


# ---- in print


def test_of_a_long_drawing_the_beginning_is_printed(monkeypatch):
    lines = TREE.to_text().split("\n")
    assert len(lines) > 3
    for room in (0, 1):
        monkeypatch.setattr(base, "LINES", len(lines) + room)
        assert str(TREE).split("\n") == [TREE.claim, *lines]
    for hidden in (1, 2):
        monkeypatch.setattr(base, "LINES", len(lines) - hidden)
        told = f"... and {hidden} more lines. to_text() prints all"
        assert str(TREE).split("\n") == [TREE.claim, *lines[:-hidden], told]


def test_drawings_too_large_for_a_notebook_are_left_out(monkeypatch):
    assert TREE._repr_svg_() == TREE.to_svg()

    def too_large(self: Certificate) -> str:
        raise TooLarge("No.")

    monkeypatch.setattr(type(TREE), "to_svg", too_large)
    assert replace(TREE)._repr_svg_() is None


def test_a_proof_of_the_table_is_one_of_the_class_that_it_was_written_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A class of many labels is told by its description, and its table by the labels."""
    monkeypatch.setattr(base, "ENUMERATION_LIMIT", 10)
    C, other = catalog.build("points:n=4"), catalog.build("thresholds:n=3")
    assert Subject.of(C) != Subject.of(C.to_table())
    C.to_table().ldim_certificate().verify(C)
    C.shattered_tree().verify(C)
    renamed = C.to_table().rename("abcd").ldim_certificate()
    for proof, of in ((renamed, C), (renamed, other), (C.shattered_tree(), C.to_table())):
        with pytest.raises(BadCertificate, match="The certificate is for a"):
            proof.verify(of)
