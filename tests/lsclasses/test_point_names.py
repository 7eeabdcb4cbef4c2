"""Names: every allowed one survives JSON and text, every other is refused."""

from __future__ import annotations

import json
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lsclasses.errors import nearest
from lsclasses.point_names import (
    canonical,
    check_label,
    from_json,
    from_text,
    plain,
    to_json,
    to_text,
)
from tests import strategies

names = st.recursive(
    st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=6,
)
# Texts that look like something else: numbers, tuples, quotations, halves of them.
tricky = st.text(alphabet="0123456789.,()'\"+-_ e\\n\n\ufeff\x00", max_size=8)


@given(names | tricky)
def test_every_name_survives_text_and_json(name: object) -> None:
    for back in (from_text(to_text(name)), from_json(json.loads(json.dumps(to_json(name))))):
        assert back == name
        assert repr(back) == repr(name)


@given(st.text(max_size=12) | tricky)
def test_reading_any_text_gives_a_name_that_can_be_written(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        name = from_text(text)
    assert from_text(to_text(name)) == name
    assert isinstance(name, str) or text.strip() != name


def test_written_names_are_readable_words() -> None:
    plain_words = ["x1", "a b", "x > 3", "été", "007", "1_000", "1e5", "-inf", "nan", "(0 1)"]
    assert [to_text(word) for word in plain_words] == plain_words
    assert to_text(12) == "12"
    assert to_text(0.5) == "0.5"
    assert to_text((1, "a", ())) == "(1, 'a', ())"


def test_texts_that_read_as_something_else_are_quoted() -> None:
    for text in ("3", "0.5", "(0, 1)", "'a'", "", " a", "a\n", "\ufeffa", "a\x00b"):
        assert to_text(text) == repr(text)
        assert from_text(to_text(text)) == text


def test_tuples_are_read_with_or_without_blanks() -> None:
    assert from_text("(0,1)") == from_text(" ( 0, 1 ) ") == (0, 1)
    assert from_text("((0, 1), 'a')") == ((0, 1), "a")


def test_literals_that_are_no_names_stay_texts() -> None:
    for text in ("(None,)", "({1},)", "(1, 1j)", "2j", "b'a'", "1" * 5000, "(" * 5000):
        assert from_text(text) == text


def test_plain_names_hold_no_numpy_and_no_bool() -> None:
    name = plain([np.int64(1), np.array([0, 1]), np.str_("a"), np.float64(0.5), True])
    assert name == (1, (0, 1), "a", 0.5, 1)
    assert repr(name) == "(1, (0, 1), 'a', 0.5, 1)"
    assert repr(plain(np.bool_(True))) == "1"


@given(strategies.lookalikes)
def test_equal_names_have_one_canonical_form(pair: tuple[object, object]) -> None:
    name, other = pair
    form = canonical(name)
    assert form == name == other and hash(form) == hash(name)
    assert repr(canonical(other)) == repr(canonical(form)) == repr(form)


def test_canonical_forms_are_of_the_plainest_type() -> None:
    for given_, form in (
        (np.float32(0.1), float(np.float32(0.1))),
        (np.longdouble(0.5), 0.5),
        (np.array(1), 1),
        (np.array([1.0, 0.5]), (1, 0.5)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("1e400"), 10**400),
        (1e300, int(1e300)),
        ((None, (True,)), (None, (1,))),
    ):
        assert repr(canonical(given_)) == repr(form)


def test_labels_are_the_integers_0_and_1() -> None:
    for y in (0, True, np.uint8(1), np.bool_(False)):
        assert type(check_label(y)) is int


def test_the_nearest_known_word_is_suggested() -> None:
    known = ["points", "thresholds", "parities"]
    assert nearest("tresholds", known) == "Did you mean 'thresholds'?"
    assert nearest("zzz", known) == "Known: parities, points, thresholds."


def test_an_array_in_an_array_without_axes_is_read() -> None:
    inner = np.empty((), object)
    inner[()] = np.array([1, 2])
    assert plain(inner) == canonical(inner) == (1, 2)
