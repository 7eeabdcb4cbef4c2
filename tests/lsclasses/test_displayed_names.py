"""Classes, witnesses, trees, certificates, games and exercises are displayed with all names.

Only files refuse names that they cannot store.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from catalog.parameters import PARAMETERS
from learners.coins import SeededCoins
from learners.playing.play import play
from lsclasses import SOA, ConservativeSOA, Table
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.base import SINGLE, Witness
from lsclasses.dimensions.no_clash import no_clash_lessons
from lsclasses.dimensions.teaching import teaching_plan, teaching_sets
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.exercises import exercises
from lsclasses.pages.exercise_sheet import sheet_document, sheet_text
from lsclasses.pages.play_page import game_page, replay_page
from lsclasses.point_names import name_text


class Plain:
    """An object whose only form is its ``repr``."""

    def __repr__(self) -> str:
        return "<plain & 'quoted'>"


POINTS = [Fraction(1, 2), ("a", Fraction(1, 3)), frozenset({1}), Plain(), 'q"\n<b>']
CONCEPTS = [
    *(np.float32(1.5), np.datetime64("2020-01-01"), None, Plain(), (frozenset(),), "3"),
    *(float("inf"), b"x", Fraction(2, 3), "it's"),
]
ROWS = ["00000", "10000", "01000", "11001", "00110", "10101", "01110", "11111", "00010", "10011"]
METHODS = ("__str__", "__repr__", "_repr_html_", "_repr_svg_", "to_text", "to_svg", "to_dot")


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(ROWS, domain=POINTS, concepts=CONCEPTS)


def display(shown: Any) -> None:
    for name in (*METHODS, "to_tex", "to_latex"):
        if hasattr(shown, name):
            getattr(shown, name)()


def test_names_without_a_form_in_files_are_shown_by_repr() -> None:
    assert name_text(Fraction(1, 2)) == "Fraction(1, 2)"
    assert name_text(("a", frozenset({1}))) == "('a', frozenset({1}))"
    witness = Table([[0], [1]], domain=[Fraction(1, 2)]).witness("vcdim")
    assert str(witness) == "vcdim >= 1: points Fraction(1, 2)"


def test_classes_and_hypotheses(table: Table) -> None:
    for shown in (table, table[3], table.soa(), table.summary(names=["ldim"]), table.to_pandas()):
        display(shown)
    for state in (SOA, ConservativeSOA):
        after = state(table).observe(POINTS[0], 1).observe(POINTS[1], 0)
        display(after)
        display(after.hypothesis)


@pytest.mark.parametrize("name", [name for name, each in DIMENSIONS.items() if each.evidence])
def test_witnesses(table: Table, name: str) -> None:
    witness = table.witness(name)
    witness.verify(table)
    display(witness)
    reversed_parts = {
        part: tuple(names)[::-1] if part not in SINGLE else names
        for part, names in witness.evidence.items()
    }
    with pytest.raises(BadCertificate):
        Witness(name, witness.value + 1, reversed_parts).verify(table)


QUICK = [name for name, each in PARAMETERS.items() if each.evidence and "compression" not in name]


@pytest.mark.parametrize("name", [name for name in QUICK if PARAMETERS[name].available])
def test_witnesses_of_parameters(name: str) -> None:
    points = min(len(POINTS), PARAMETERS[name].most_points)
    rows = [row[-points:] for row in ROWS]
    kept = [i for i, row in enumerate(rows) if row not in rows[:i]]
    small = Table(
        [rows[i] for i in kept], domain=POINTS[-points:], concepts=[CONCEPTS[i] for i in kept]
    )
    display(PARAMETERS[name].witness(small))


def test_certificates_and_teaching_sets(table: Table) -> None:
    for certificate in (
        *(table.shattered_tree(), table.failure_dag()),
        *(table.ldim_certificate(), table.vcdim_certificate()),
    ):
        display(certificate)
    display((teaching_sets(table, 5), teaching_plan(table), no_clash_lessons(table)))


def test_games_and_exercises(table: Table) -> None:
    stream = list(table.sample_stream(6, rng=1))
    display(play(SOA(table), stream, 6, SeededCoins(1)))
    game_page(table)
    replay_page(table, [(POINTS[0], 0, 1, table.restrict(POINTS[0], 1))])
    found = exercises(table, rng=1)
    assert sheet_text(found)
    for form in (".html", ".tex"):
        sheet_document(table, found, name="a class", solutions=True, form=form)


def test_only_files_refuse_names(table: Table, tmp_path: Any) -> None:
    for name in ("table.csv", "table.json", "table.npz"):
        with pytest.raises(InvalidInput, match="can be written to a file"):
            table.save(tmp_path / name)
    with pytest.raises(InvalidInput, match="can be written to a file"):
        table.ldim_certificate().save(tmp_path / "proof.json")


def test_control_characters_of_names_are_escaped() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "<b>x</b>\n\x1b[31m"

    C = Table([[0, 1], [1, 1]], domain=[Odd(), "b"], concepts=["f", Odd()])
    texts = [str(C), *(str(C.witness(name)) for name in ("ldim", "vcdim", "star_number"))]
    for text in texts:
        assert "\x1b" not in text and "</b>\n" not in text
