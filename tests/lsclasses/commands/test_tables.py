"""Tables and texts at every width."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from lsclasses.commands.tables import LONG, Grid, wrapped

TEXTS = st.text(st.sampled_from("ab-1,:;/ \n"), max_size=60)
CELLS = st.text(st.sampled_from("ab1:/,"), max_size=12) | TEXTS


def drawn(table: Grid, width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width).print(table)
    return file.getvalue().splitlines()


@given(TEXTS, st.integers(1, 30))
def test_lines_fit_keep_every_character_and_short_words_whole(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == re.sub(r"\s", "", text)
    if all(len(word) <= width for word in text.split()):
        assert " ".join(lines).split() == text.split()


@given(
    st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4),
    st.integers(20, 70),
)
def test_no_line_of_a_table_is_longer_than_the_terminal(
    rows: list[tuple[str, str, str]], width: int
) -> None:
    table = Grid("one", "two", "three", right=["three"])
    for row in rows:
        table.add_row(*row)
    lines = drawn(table, width)
    assert all(len(line) <= width for line in lines)
    cells = "".join(cell for row in rows for cell in row)
    shown = "".join(lines)
    for character in "ab1,:;/":
        assert shown.count(character) >= cells.count(character)


@pytest.mark.parametrize("width", range(12, 90, 7))
def test_words_of_cells_are_never_broken(width: int) -> None:
    table = Grid("quantity", "stated", optional=["stated"])
    words = ["the", "smallest", "number", "of", "colours", "of", "a", "long", "specification"]
    table.add_row(" ".join(words), "ab:" + "x=1,y=2;" * 5)
    shown = " ".join(drawn(table, width)).split()
    longest = max(map(len, words))
    assert len("ab:" + "x=1,y=2;" * 5) > LONG
    if width >= longest:
        assert set(words) <= set(shown)


def test_optional_columns_go_first_and_then_the_table() -> None:
    table = Grid("family", "members", "verdict", optional=["members"])
    table.add_row("thresholds", "6 members", "holds")
    assert drawn(table, 40)[0].split() == ["family", "members", "verdict"]
    assert drawn(table, 22)[0].split() == ["family", "verdict"]
    entries = ("family", "thresholds"), ("members", "6 members"), ("verdict", "holds")
    assert drawn(table, 19) == [line for head, cell in entries for line in (head, "  " + cell)]


def test_a_group_names_its_first_entry_once() -> None:
    table = Grid("family", "fact", grouped=True)
    for family, fact in (("cube", "ldim"), ("cube", "size"), ("points", "ldim")):
        table.add_row(family, fact)
    lines = [line.split() for line in drawn(table, 40)[2:]]
    assert lines == [["cube", "ldim"], ["size"], [], ["points", "ldim"]]
    narrow = Grid("a name of a family", "fact", grouped=True)
    narrow.add_row("averylongname" * 2, "ldim")
    narrow.add_row("averylongname" * 2, "size")
    assert sum("averylong" in line for line in drawn(narrow, 24)) == 2


@given(st.lists(st.tuples(CELLS, CELLS), max_size=3), st.sampled_from([12, 24, 250]))
def test_a_plain_table_is_what_rich_prints(rows: list[tuple[str, str]], width: int) -> None:
    grid = Grid("points", "name of it", right=["points"], optional=["points"])
    for row in rows:
        grid.add_row(*row)
    assert grid.plain(width) in (None, drawn(grid, width))


def test_plain_tables_leave_groups_and_wide_letters_to_rich() -> None:
    for grouped, cell in ((False, "a"), (True, "a"), (False, "分"), (False, "a\nb")):
        grid = Grid("name", grouped=grouped)
        grid.add_row(cell)
        assert (grid.plain(80) is None) == (grouped or cell != "a")


def test_columns_are_not_wrapped_to_one_word_a_line() -> None:
    table = Grid("learner", "claim", "value")
    table.add_row("pop", "delta at g epsilon, of g challenges " * 2, "3")
    assert len(drawn(table, 60)) < 6
    lines = drawn(table, 24)
    assert lines[0].strip() == "learner" and len(lines) < 12
