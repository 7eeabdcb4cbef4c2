"""The data file of the conjectures: read, written, and refused where a line says too little."""

from __future__ import annotations

from pathlib import Path

from catalog.refuting.conjecture_file import FILE, Conjecture, read, refuting_classes, write
from lsclasses.bibliography import citations, cited


def test_the_file_is_as_it_is_written() -> None:
    assert write(read()) == FILE.read_text(encoding="utf-8")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    lines = (
        Conjecture(
            "vcdim <= ldim", "known", 3, source="Littlestone 1988", proof='By "induction" \\ é.'
        ),
        Conjecture("ldim <= vcdim", "false", labels=("00", "10", "11"), name="lines"),
        Conjecture("star_number <= 7", "open", held=5, undecided=1, tables=8, undecided_tables=2),
    )
    file = tmp_path / "lines.toml"
    file.write_text(write(lines), encoding="utf-8")
    assert read(file) == lines


def test_sources_are_in_the_bibliography() -> None:
    for line in read():
        if line.source:
            assert citations(line.source) and len(cited(line.source)) == len(
                citations(line.source)
            ), line


def test_every_statement_stands_once_and_in_order() -> None:
    lines = read()
    assert len({line.statement for line in lines}) == len(lines)
    order = ("open", "known", "false")
    keys = [(order.index(line.status), -line.equal) for line in lines]
    assert keys == sorted(keys)


def test_classes_that_refute_have_names() -> None:
    named = dict(refuting_classes())
    false = [line for line in read() if line.labels]
    assert len(named) == len(false) > 20
    line = next(line for line in false if line.refutes)
    assert named[f"a class that refutes {line.refutes}"] == line.table
