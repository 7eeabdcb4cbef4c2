"""A folder of certificates: built, continued, checked, and refused for other claims."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from catalog.atlas.private_values import private_values
from learners.private_atlas.certificate_folder import (
    build,
    certificate_path,
    check_folder,
    differences,
    text_of,
)
from learners.private_atlas.computation import Task, tasks
from lsclasses.brackets import Bracket
from lsclasses.workers import Processes

FEW = [("V", 1, 1, 2), ("M", 2, 1, 2)]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("atlas") / "proofs"
    build(folder, chosen=tasks(FEW))
    return folder


def test_a_built_folder_proves_the_installed_values(built: Path) -> None:
    found = check_folder(built, tasks(FEW))
    assert not found.problems and not found.missing
    assert sum(map(len, found.values.values())) == 2 * 3 * 5
    stored = {
        place: {column: private_values(*place)[column] for column in values}
        for place, values in found.values.items()
    }
    for place, values in found.values.items():
        for column, value in values.items():
            assert abs(value.middle - stored[place][column].middle) < Fraction(1, 10**6)
    moved = {
        place: {column: Bracket(v.lower + 1, v.upper + 1) for column, v in values.items()}
        for place, values in stored.items()
    }
    assert len(list(differences(found.values, moved))) == 30


def test_a_build_continues(built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(built, folder)
    task = Task(2, 7, "V", 1)
    removed, damaged = (certificate_path(folder, task, column) for column in task.columns[:2])
    kept = certificate_path(folder, task, task.columns[2])
    before = removed.read_bytes(), kept.stat().st_mtime_ns
    removed.unlink()
    damaged.write_bytes(b"damaged")
    found = build(folder, chosen=tasks(FEW))
    assert len(found.problems) == 1 and "epsilon 1/2" in found.problems[0]
    assert removed.read_bytes() == before[0]
    assert text_of(found.values) == text_of(build(built, chosen=tasks(FEW)).values)


@pytest.mark.slow
def test_processes_change_no_byte(built: Path, tmp_path: Path) -> None:
    with Processes(2) as executor:
        build(tmp_path / "shared", chosen=tasks(FEW), executor=executor)
    for path in built.glob("*/*.json.gz"):
        assert (tmp_path / "shared" / path.relative_to(built)).read_bytes() == path.read_bytes()


def test_certificates_of_other_classes_and_games_are_refused(built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "wrong"
    shutil.copytree(built, folder)
    one, other = Task(2, 6, "V", 1), Task(2, 7, "V", 1)
    column = one.columns[0]
    shutil.copy(certificate_path(folder, other, column), certificate_path(folder, one, column))
    shutil.copy(
        certificate_path(folder, other, other.columns[1]), certificate_path(folder, other, column)
    )
    shutil.copy(
        certificate_path(folder, Task(2, 15, "M", 2), Task(2, 15, "M", 2).columns[0]),
        certificate_path(folder, Task(2, 15, "V", 1), column),
    )
    found = check_folder(folder, tasks(FEW))
    assert len(found.problems) == 3
    another_class, another_epsilon, another_quantity = found.problems
    assert "is for a class of 3 concepts" in another_class
    assert "is a certificate of another game" in another_epsilon
    assert "is a certificate of another game" in another_quantity
