"""Values in LaTeX: formulas, bounds and conditions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from catalog.database.notation import compare, formula, stated_value
from lsclasses.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "numbers", "value"),
    [
        (r"$2^{bn}$", {"b": 2, "n": 3}, 64),
        (r"$b(2^{bn}-1)/(2^b-1)$", {"b": 2, "n": 2}, 10),
        (r"$\tfrac n2-1$", {"n": 8}, 3),
        (r"$\frac12\bigl(n+1\bigr)$", {"n": 4}, Fraction(5, 2)),
        (r"$\binom nk$", {"n": 5, "k": 2}, 10),
        (r"$\sum_{k=0}^{\lfloor n/2\rfloor}\binom{n}{k}$", {"n": 5}, 16),
        (r"$\min\{n,\, 3\}+\max\{1,m\}$", {"n": 9, "m": 0}, 4),
        (r"$12n/5$", {"n": 2}, Fraction(24, 5)),
        (r"$0.25d^2$", {"d": 3}, Fraction(9, 4)),
        (r"$+n-2^{1-n}$", {"n": 3}, Fraction(11, 4)),
        (r"$\log_2 2+\lg(n)$", {"n": 8}, 4),
        (r"$3\cdot n\times 2$", {"n": 2}, 12),
    ],
)
def test_formulas(text: str, numbers: dict[str, int], value: object) -> None:
    assert formula(text)(numbers) == value


@pytest.mark.parametrize(
    "text",
    [
        *(r"$\frac{n}{$", "$n^$", r"$\lfloor n$", r"$\log_3 n$", "$n!$", r"$\sqrt{n}$", "$n_1$"),
        *(r"$\min\{n$", "$n+$", "$" + "(" * 40 + "n" + ")" * 40 + "$", "$" + "n" * 500 + "$"),
        *("$1$ often", r"$n=2=3$", r"$n\ge m$", "$1$ if $n$", r"$1$ if $n\sim2$"),
    ],
)
def test_what_is_not_understood(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        stated_value(text)
    assert len(str(error.value)) < 200


def bounds(text: str, **numbers: int) -> list[tuple[str, object]]:
    return [(sign, each(numbers)) for sign, each in stated_value(text).at(numbers)]


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        (r"$\begin{cases}0&n=1,\\ n+1&n\ge2.\end{cases}$", {"n": 1}, [("==", 0)]),
        (r"$\begin{cases}0&n=1,\\ n+1&n\ge2.\end{cases}$", {"n": 4}, [("==", 5)]),
        (r"$\begin{cases}1&n\text{ odd},\\2&n\text{ even}.\end{cases}$", {"n": 4}, [("==", 2)]),
        (r"$1$ for $2\leq n<4$ and $2$ for $n\ge4$", {"n": 3}, [("==", 1)]),
        (r"$1$ for $2\leq n<4$ and $2$ for $n\ge4$", {"n": 1}, []),
        (r"$5$ if $p=2$; $7$ for every odd prime $p$", {"p": 3}, [("==", 7)]),
        (r"$5$ for every prime $p\ne3$", {"p": 3}, []),
        (r"$5$ for every prime $p$", {"p": 3}, [("==", 5)]),
        (r"$b$ if $k\mid b$; otherwise $1\le X_k\le b$", {"k": 2, "b": 4}, [("==", 4)]),
        (r"$b$ if $k\mid b$; otherwise $1\le X_k\le b$", {"k": 3, "b": 4}, [(">=", 1), ("<=", 4)]),
        (r"$n$ if $b$ is even", {"b": 3, "n": 1}, []),
        (r"$r\quad(n=2^r,\ r\ge2)$", {"n": 2, "r": 1}, []),
        (r"$n-1\quad(n=2^r,\ r\ge2)$", {"n": 8}, [("==", 7)]),
        (r"$n-1\quad(n=2^r,\ r\ge2)$", {"n": 6}, []),
        (r"$\le n^2$", {"n": 3}, [("<=", 9)]),
        (r"$\geq n$.", {"n": 3}, [(">=", 3)]),
        (r"$+\infty$", {"infinite": 9}, [("==", 9)]),
    ],
)
def test_bounds_and_conditions(
    text: str, numbers: dict[str, int], expected: list[tuple[str, int]]
) -> None:
    assert bounds(text, **numbers) == expected


def test_comparisons() -> None:
    signs = ("==", "!=", "<", ">", "<=", ">=")
    assert [sign for sign in signs if compare(1, sign, 2)] == ["!=", "<", "<="]
    assert [sign for sign in signs if compare(2, sign, 2)] == ["==", "<=", ">="]
    assert [sign for sign in signs if compare(3, sign, 2)] == ["!=", ">", ">="]
