"""Names in CSV files: the proved checker and Python read each of them by one rule."""

from __future__ import annotations

import csv
import itertools
import subprocess
from pathlib import Path

import numpy as np
import pytest

from lsclasses import Table
from lsclasses.certificates import proof_assistant
from lsclasses.point_names import from_text
from tests.lsclasses.certificates.test_coq_checker import asked, built

ODD = [
    '01', '02', '00', '0', '-0', '+0', '7', '-7', '+7', '--7', '- 7', '1_000', '0x10', '0b1',
    '0o7', '1.', '.5', '1.0', '1.5', '-1.5', '-0.0', '0.10', '1e3', '1E3', '1e16', '1e+16',
    '1e22', '1e+22', '1e+100', '1e-05', '1e-5', '0.0001', '0.00001', '1e400', '-1e400', '0.1',
    '123456.75', '5e-324', '100000000000000000000', '1000000000000000.0', '10000000000000000.0',
    '1.7976931348623157e+308', '9223372036854775807', '4611686018427387904',
    '-4611686018427387905', '99999999999999999999.0', 'nan', 'inf', 'Infinity', 'True', 'None',
    '1j', '1or', '1 2', '1,5', '...', '.', '-', '+', 'e1', '()', '(1)', '(1,)', '(1,2)',
    '( 1 , 2)', '(1,2,)', '(01,)', '(1.,)', '(1e3,)', '(-1,-2.5)', '(-0,)', '(-0.0,)', '(- 7,)',
    '(+7,)', "(1, (2, 'b'))", "('a b', 1)", '("it\'s",)', "('a',)#x", '(1', '1)', '(True, 1)',
    '([1],)', '(None,)', '({1},)', "(b'a',)", '(1 2)', '(,)', '(1,,2)', '(1,\t2)', '(x,)', "'3'",
    "'a'", "''", "' a '", "'a", "a'", "'a''b'", "'a' 'b'", "('a')", "('a' 'b')", "'a' # c",
    "'\\x41'", "'\\u00e9'", "'\\101'", "'\\q'", "'\\n'", "'a\\", "'''a'''", '"b"', "u'a'",
    "'a' 1", "'a', 'b'", "('a\\n',)", '("a",)', 'é', "'é'", "('é',)", '٣', '１', '\xa07\xa0',
    '\u30037', '007', '7 ', ' 7', '\t7', '7\u2003', 'a b', '#7', '[1]', '{}', '=1', '-a', '1-2',
    '2024-01-31',
]  # fmt: skip
LETTERS = [
    "0",
    "1",
    "7",
    ".",
    "e",
    "E",
    "+",
    "-",
    "_",
    " ",
    "(",
    ")",
    "'",
    '"',
    ",",
    "x",
    "a",
    "\\",
]


def tables_with(names: list[str]) -> list[tuple[Table, list[str]]]:
    """Cubes whose concepts have the names, each at most once after it is read."""
    found, left = [], list(dict.fromkeys(names))
    while left:
        chosen: dict[object, str] = {}
        rest = []
        for name in left:
            point = from_text(name)
            if name.strip() and len(chosen) < 16 and point not in chosen:
                chosen[point] = name
            elif name.strip():
                rest.append(name)
        filled = [*chosen.values(), *(f"filler {i}" for i in range(16 - len(chosen)))]
        labels = [[i >> j & 1 for j in range(4)] for i in range(16)]
        found.append((Table(labels, concepts=list(map(from_text, filled))), filled))
        left = rest
    return found


def check_names(names: list[str], folder: Path) -> None:
    """Both readers take one certificate, which names every concept, for one table."""
    for number, (table, texts) in enumerate(tables_with(names)):
        path, certificate = folder / f"{number}.csv", folder / f"{number}.json"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["concept", *range(4)])
            writer.writerows([text, *row] for text, row in zip(texts, table.labels, strict=True))
        read = Table.load(path)
        assert read.concept_names == table.concept_names
        table.ldim_certificate().save(certificate)
        assert asked(certificate, path) == (0, "Ldim = 4"), texts


@built
def test_odd_names_of_concepts_are_read_alike(tmp_path: Path) -> None:
    assert len(ODD) > 120
    check_names(ODD, tmp_path)


@built
def test_random_names_are_read_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    names = ["".join(rng.choice(LETTERS, size=rng.integers(1, 7))) for _ in range(800)]
    check_names(names, tmp_path)


@built
def test_random_floats_are_read_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    floats = rng.standard_normal(150) * 10.0 ** rng.integers(-30, 30, 150)
    names = [text for x in floats.tolist() for text in (repr(x), f"{x:.3e}", f"{x:.2f}")]
    check_names(names, tmp_path)


@built
@pytest.mark.parametrize("header", [["01", "02", "03"], ["1e3", "1.", "00"], ["1", "2.5", "-0"]])
def test_odd_names_of_points_are_read_alike(tmp_path: Path, header: list[str]) -> None:
    path, certificate = tmp_path / "C.csv", tmp_path / "C.json"
    lines = [",".join(header), *(",".join(row) for row in itertools.product("01", repeat=3))]
    path.write_text("\n".join(lines) + "\n")
    Table.load(path).ldim_certificate().save(certificate)
    assert asked(certificate, path) == (0, "Ldim = 3")


@built
def test_an_escape_that_needs_names_of_unicode_is_refused(tmp_path: Path) -> None:
    path, certificate = tmp_path / "C.csv", tmp_path / "C.json"
    path.write_text("'\\N{BULLET}',b\n0,0\n0,1\n1,0\n1,1\n")
    table = Table.load(path)
    assert table.points == ("•", "b")
    table.ldim_certificate().save(certificate)
    done = subprocess.run(
        [proof_assistant.proved_checker(), certificate, path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "the escape \\N of Python" in done.stderr
