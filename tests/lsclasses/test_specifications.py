"""Parameters that are read from the signature of a function."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal

import pytest

from lsclasses.errors import InvalidInput
from lsclasses.options import Option
from lsclasses.specifications import Entry, Parameter, parameters_of

Rate = Annotated[Fraction, Option("how often", default=Fraction(1, 2), maximum=1)]


def build(
    source: str,
    *,
    rate: Rate,
    rows: Annotated[int | None, Option("of the table", minimum=1)] = None,
    size: Annotated[int, Option("of all", infinite=True)],
    rule: Annotated[Literal["tight", "printed"], Option("of the proof")] = "tight",
    base: Annotated[str, Option("what is learned by", choices=("soa", "halving"))] = "soa",
    exact: Annotated[bool, Option("count each row")] = False,
) -> tuple[Any, ...]:
    return source, rate, rows, size, rule, base, exact


ENTRY = Entry("built", "what it is given", build)


def test_types_defaults_and_meanings_are_those_of_the_signature() -> None:
    assert parameters_of(build) == (
        Parameter("rate", "how often", Fraction(1, 2), maximum=1, rational=True),
        Parameter("rows", "of the table", minimum=1, optional=True),
        Parameter("size", "of all", infinite=True),
        Parameter("rule", "of the proof", "tight", choices=("tight", "printed")),
        Parameter("base", "what is learned by", "soa", choices=("soa", "halving")),
        Parameter.flag("exact", "count each row"),
    )


def test_a_default_of_the_signature_comes_before_that_of_the_annotation() -> None:
    def own(*, rate: Rate = Fraction(1, 3), exact: Annotated[bool, Option("all")] = True) -> None:
        pass

    assert [each.default for each in parameters_of(own)] == [Fraction(1, 3), 1]


def test_only_what_is_given_by_name_can_be_chosen() -> None:
    assert parameters_of(lambda source, rounds, start=0: None) == ()
    assert parameters_of(partial(build, "points:n=3")) == parameters_of(build)


def test_a_parameter_without_a_meaning_is_refused() -> None:
    for function in (lambda *, rows: rows, lambda *, rows=3: rows):
        with pytest.raises(InvalidInput, match="'rows' must be in its annotation"):
            Entry("wrong", "", function)


def test_values_are_given_as_the_function_takes_them() -> None:
    built = ENTRY.built("points:n=3", size="2^5", exact="true")
    assert built == ("points:n=3", Fraction(1, 2), None, 32, "tight", "soa", True)
    assert built[-1] is True
    with pytest.raises(InvalidInput, match="'built' needs the parameter 'size'"):
        ENTRY.built("points:n=3")
    with pytest.raises(InvalidInput, match="must be one of tight, printed"):
        ENTRY.built("points:n=3", size=1, rule="loose")
