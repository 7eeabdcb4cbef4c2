"""Groups of options: the signature of a command, the objects that it receives, and clashes."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, get_args

import pytest
import typer

from lsclasses.commands.application import single
from lsclasses.commands.option_groups import OptionGroup, expand_groups
from lsclasses.errors import InvalidInput
from lsclasses.options import Option
from lsclasses.outputs import Reads, check_files, marks
from lsclasses.specifications import Parameter


@dataclass(frozen=True, kw_only=True)
class Rows(OptionGroup):
    size: Annotated[int, typer.Option(min=1, help="Number of rows.")] = 3
    names: Annotated[Collection[str], Option("names of columns", metavar="NAMES")] = ()
    share: Annotated[Fraction, Option("share of the rows")] = Fraction(1, 5)
    file: Annotated[Path | None, Option("a file", metavar="FILE"), Reads()] = None

    def __post_init__(self) -> None:
        if self.size == 13:
            raise InvalidInput("The size must not be 13.")


RECEIVED: list[Any] = []


def body(first: str, *, rows: Rows, options: dict[str, object], last: bool = False) -> None:
    """Do something."""
    RECEIVED[:] = [first, rows, options, last]


DECLARED = {"options": (Parameter("depth", "largest depth", 2, 1), Parameter.flag("fast", "hurry"))}


def given(*words: str) -> list[Any]:
    command = single(check_files(expand_groups(body, declared=DECLARED)), "body")
    command.main(list(words), standalone_mode=False)
    return RECEIVED


def test_options_stand_in_the_place_of_their_group() -> None:
    names = list(inspect.signature(expand_groups(body, declared=DECLARED)).parameters)
    assert names == ["first", "size", "names", "share", "file", "depth", "fast", "last"]


def test_omitted_options_have_the_default_of_the_group() -> None:
    assert given("word") == ["word", Rows(), {"depth": "2"}, False]


def test_given_options_reach_the_group(tmp_path: Path) -> None:
    words = [
        "--size",
        "5",
        "--names",
        "a",
        "--names",
        "b",
        "--share",
        "1/2",
        "--depth",
        "4",
        "--fast",
        "--last",
    ]
    received = given("word", *words, "--file", str(tmp_path / "table"))
    expected = Rows(size=5, names=["a", "b"], share="1/2", file=str(tmp_path / "table"))  # type: ignore[arg-type]
    assert received == ["word", expected, {"depth": "4", "fast": True}, True]


def test_the_constructor_of_a_group_refuses_values() -> None:
    with pytest.raises(InvalidInput, match="must not be 13"):
        given("word", "--size", "13")


def test_marks_of_files_survive() -> None:
    assert isinstance(marks(expand_groups(body, declared=DECLARED))["file"], Reads)


def test_the_type_of_a_declared_option_is_its_metavar() -> None:
    parameters = inspect.signature(expand_groups(body, declared=DECLARED)).parameters
    metavars = [get_args(parameters[name].annotation)[1].metavar for name in ("names", "share")]
    assert metavars == ["NAMES", "FRACTION"]


def test_two_parameters_of_one_name_are_refused() -> None:
    def clashing(size: int, *, rows: Rows) -> None:
        pass

    with pytest.raises(InvalidInput, match="named 'size'"):
        expand_groups(clashing)


def test_a_command_without_groups_is_not_changed() -> None:
    def plain(size: int) -> None:
        pass

    assert expand_groups(plain) is plain
