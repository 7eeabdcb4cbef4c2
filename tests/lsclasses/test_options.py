"""Options: the check of one value, of the fields of a dataclass, and of arguments."""

from __future__ import annotations

import math
import subprocess
import sys
import types
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
import pytest

from lsclasses import InvalidInput
from lsclasses.options import Option, check_arguments, check_fields, declaration, declared_fields

if TYPE_CHECKING:
    from no_such_package import Unknown

    from lsclasses.domain import Domain
    from tests.lsclasses.test_options import Rounds as Hidden

Rounds = Annotated[int, Option("number of rounds, such as 1000", minimum=1)]
Share = Annotated[Fraction, Option("share", above=0, below=1)]


# ---- one value


@pytest.mark.parametrize(
    "bounds, allowed, refused, sentence",
    [
        ({"minimum": 1}, 1, 0, "must be at least 1"),
        ({"maximum": 3}, 3, 4, "must be at most 3"),
        ({"minimum": 1, "maximum": 3}, 3, 4, "must lie from 1 to 3"),
        ({"above": 0}, 1, 0, "must be positive"),
        ({"above": 2}, 3, 2, "must be greater than 2"),
        ({"below": 2}, 1, 2, "must be less than 2"),
        ({"minimum": 0, "below": 2}, 0, 2, "must be at least 0 and less than 2"),
        ({"above": 0, "maximum": 2}, 2, 0, "must be greater than 0 and at most 2"),
        ({"above": 0, "below": 2}, 1, 2, "must lie strictly between 0 and 2"),
    ],
)
def test_each_bound(bounds, allowed, refused, sentence):
    option = Option("count. The default is 1", **bounds)
    for kind in (int, Fraction):
        found = option.check(allowed, kind)
        assert found == allowed and type(found) is kind
        with pytest.raises(InvalidInput) as error:
            option.check(refused, kind)
        assert str(error.value) == f"The count {sentence}. Got {refused}."


def test_messages_call_the_value_by_the_given_name():
    assert Option("depth, at most 3").name == "depth"
    assert Option("number of rows. By default all", noun="sample size").name == "sample size"
    with pytest.raises(InvalidInput, match=r"^The loss must be at least 0\. Got -1\.$"):
        Option("number", minimum=0).integer(-1, "loss")


def test_exact_values():
    option = Option("count", minimum=0)
    for value in (2, np.int64(2), np.uint8(2)):
        assert type(option.check(value)) is int
        assert type(option.check(value, Fraction)) is Fraction
    assert option.check("1e-2", Fraction) == Fraction(1, 100)
    for value in (2.0, np.float64(2), np.float32(2), math.inf, math.nan):
        for kind in (int, Fraction):
            with pytest.raises(InvalidInput):
                option.check(value, kind)
    with pytest.raises(InvalidInput, match=r"Write Fraction\(1, 10\)"):
        option.check(0.1, Fraction)
    for value in (None, "2", Fraction(1, 2)):
        with pytest.raises(InvalidInput, match="must be an integer"):
            option.check(value)
    assert Option("epsilon", minimum=1, infinite=True).check(math.inf) == math.inf


def test_words_and_flags():
    option = Option("rule", choices=("sharp", "wide"))
    assert option.check("wide", str) == "wide"
    with pytest.raises(InvalidInput, match=r"^The rule must be one of sharp, wide. Got 'flat'.$"):
        option.check("flat", str)
    assert Option("name").check("any", str) == "any"
    with pytest.raises(InvalidInput, match=r"^The name must be a string. Got 3.$"):
        Option("name").check(3, str)
    assert Option("exact").check(True, bool) is True
    with pytest.raises(InvalidInput, match=r"^The exact must be True or False. Got 1.$"):
        Option("exact").check(1, bool)


# ---- annotations


def test_declarations():
    found = declaration(Annotated[Rounds | None, "By default, all"])
    assert found.option.doc == "number of rounds, such as 1000. By default, all"
    assert (found.option.name, found.kind, found.optional) == ("number of rounds", int, True)
    assert found.check(None) is None and found.check(3) == 3
    with pytest.raises(InvalidInput):
        declaration(Rounds).check(None)
    words = declaration(Annotated[Literal["a", "b"], Option("letter")])
    assert words.option.choices == ("a", "b") and words.kind is str
    assert declaration(int) is None and declaration(Annotated[int, "a note"]) is None
    for wrong in (Rounds | str, Annotated[float, Option("rate")]):
        with pytest.raises(InvalidInput, match="An option must"):
            declaration(wrong)


# ---- fields


@dataclass(frozen=True)
class Base:
    rounds: Rounds
    share: Share | None = None

    kind: ClassVar[str] = "game"

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Derived(Base):
    word: Annotated[Literal["a", "b"], Option("word")] = "a"
    other: object = 0.5


@dataclass(frozen=True)
class Typed:
    domain: Domain
    domains: tuple[Domain, ...]
    unknown: Unknown | None
    rounds: Hidden

    def __post_init__(self) -> None:
        check_fields(self)


def test_fields():
    assert Base(np.int64(3), "0.5") == Base(3, Fraction(1, 2))
    assert type(Base(np.int64(3)).rounds) is int and Base(3).share is None
    for given in ((0,), (2.0,), (None,), (1, 1), (1, 0.5)):
        with pytest.raises(InvalidInput):
            Base(*given)
    assert list(declared_fields(Derived)) == ["rounds", "share", "word"]
    assert Derived(1, word="b").other == 0.5
    for given in ({"rounds": 0}, {"rounds": 1, "word": "c"}, {"rounds": 1, "share": 1}):
        with pytest.raises(InvalidInput):
            Derived(**given)


def test_options_that_only_type_checkers_import_are_checked():
    assert Typed("any", (), None, 1).rounds == 1
    with pytest.raises(InvalidInput, match=r"^The number of rounds must be at least 1. Got 0.$"):
        Typed("any", (), None, 0)


def test_annotations_that_cannot_be_evaluated_are_errors():
    Local = Annotated[int, Option("number of rounds", minimum=1)]

    @dataclass(frozen=True)
    class Game:
        rounds: Local

        def __post_init__(self) -> None:
            check_fields(self)

    with pytest.raises(TypeError, match="Cannot evaluate the annotation 'Local'"):
        Game(1)


def test_annotations_without_the_future_import():
    module = types.ModuleType("evaluated")
    sys.modules["evaluated"] = module
    try:
        code = (
            "from dataclasses import dataclass\n"
            "from tests.lsclasses.test_options import Rounds, check_fields\n"
            "@dataclass(frozen=True)\n"
            "class Game:\n"
            "    rounds: Rounds\n"
            "    def __post_init__(self):\n"
            "        check_fields(self)\n"
        )
        exec(code, vars(module))
        with pytest.raises(InvalidInput):
            module.Game(0)
    finally:
        del sys.modules["evaluated"]


# ---- arguments


@check_arguments
def _stretch(rounds: Rounds, plain, share: Share | None = None, *, more: Rounds = -1):
    return rounds, plain, share, more


class Door:
    @classmethod
    @check_arguments
    def within(cls, rounds: Rounds) -> int:
        return rounds


def test_arguments():
    assert _stretch(np.int64(2), 0.5) == (2, 0.5, None, -1)
    assert _stretch(plain=0.5, rounds=2, share="1/2", more=3) == (2, 0.5, Fraction(1, 2), 3)
    for call in (
        lambda: _stretch(0, 0),
        lambda: _stretch(plain=0, rounds=0),
        lambda: _stretch(1, 0, 2),
        lambda: _stretch(1, 0, more=0),
        lambda: Door.within(0),
        lambda: Door().within(rounds=0),
    ):
        with pytest.raises(InvalidInput):
            call()
    assert Door.within(np.int8(3)) == 3
    with pytest.raises(TypeError):
        _stretch(1)


def test_options_load_without_numpy():
    code = "import sys, lsclasses.options, lsclasses.specifications; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
