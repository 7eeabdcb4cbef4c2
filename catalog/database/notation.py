r"""Values in the LaTeX of the database, as formulas and bounds with conditions.

A value such as ``$n+\lceil \log n \rceil$`` becomes a formula of
`lsclasses.dimensions.expressions`. The database uses a small part of LaTeX, and its logarithms are
binary ("the (binary) log"), which general parsers do not know. A record may also state a bound, or
several values with conditions, such as ``$0$ for $n=1$; $1$ for $n\ge2$``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lsclasses.dimensions.expressions import Expression, Real
from lsclasses.errors import InvalidInput

INFINITE = "infinite"
"""Name in a formula of the value that stands for infinity."""

# ---- formulas


ASYMPTOTIC = re.compile(r"\\(Omega|Theta|omega)|\bO\s*\(|\bo\s*\(|\\sim|\\approx")
LONGEST, DEEPEST = 400, 30
"""Largest number of characters of a value, and largest depth of brackets in it."""
TOKEN = re.compile(r"\\[A-Za-z]+|\d+(?:\.\d+)?|[A-Za-z]|[-+*/^_(){},|]")
IGNORED = re.compile(r"\\(left|right|[bB]ig+[lr]?|quad|,|;|!|:)(?![A-Za-z])|\\ |~|\s+")
SUM = re.compile(r"\\sum_\{k=0\}\^\{(.*)\}\\binom\{(.*?)\}\{k\}")
"""A sum of the first binomial coefficients, which is the bound of Sauer and Shelah."""
ROUNDED = {"\\lfloor": ("\\rfloor", "floor"), "\\lceil": ("\\rceil", "ceil")}
FRACTIONS = ("\\frac", "\\tfrac", "\\dfrac")
PRODUCTS = ("\\cdot", "\\times", "*")


def formula(text: str) -> Expression:
    r"""Return the formula, as a string, of a value that the database writes in LaTeX.

    Raises
    ------
    InvalidInput
        If the value is not a formula. The message states the reason.

    Examples
    --------
    >>> formula(r"$\left\lceil\frac{n}{2}\right\rceil$")({"n": 5})
    3
    >>> formula(r"$n+\lceil\log n\rceil +1$"), formula("$2^{bn}$"), formula(r"$n/\log n$")
    (Expression('n+ceil(log2(n))+1'), Expression('2**(b*n)'), Expression('n/log2(n)'))
    >>> formula(r"$\Omega(\log n)$")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: an order of growth, without constants
    """
    written = text.strip().strip("$").strip().removesuffix(".")
    if not written:
        raise InvalidInput("no value is given")
    if ASYMPTOTIC.search(written):
        raise InvalidInput("an order of growth, without constants")
    unknown = InvalidInput(f"the value {text:.80} is not understood")
    if len(written) > LONGEST:
        raise unknown
    try:
        return Expression(_Parser(written).whole())
    except (InvalidInput, IndexError):
        raise unknown from None


def _without_sums(text: str) -> str:
    r"""Return a value in which the command ``\sauer`` replaces sums of binomial coefficients."""
    return SUM.sub(lambda match: rf"\sauer{{{match[2]}}}{{{match[1]}}}", text)


class _Parser:
    """A parser of a formula, which returns the formula in the syntax of `Expression`."""

    def __init__(self, text: str) -> None:
        text = IGNORED.sub(" ", _without_sums(text)).replace("\\{", "(").replace("\\}", ")")
        self._tokens: list[str] = [*TOKEN.findall(text), ""]
        if "".join(self._tokens) != re.sub(r"\s+", "", text):
            raise InvalidInput("a character is unknown")
        self._at = self._depth = 0

    def whole(self) -> str:
        """Return the formula if it contains all tokens."""
        written = self._sum()
        if self._next:
            raise InvalidInput("a token is left")
        return written

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self, *expected: str) -> str:
        token = self._next
        if not token or (expected and token not in expected):
            raise InvalidInput(f"a token is missing: {expected}")
        self._at += 1
        return token

    def _sum(self) -> str:
        self._depth += 1
        if self._depth > DEEPEST:
            raise InvalidInput("the brackets are too deep")
        written = self._take().strip("+") if self._next in ("-", "+") else ""
        written += self._product()
        while self._next in ("+", "-"):
            written += self._take() + self._product()
        self._depth -= 1
        return written

    def _product(self) -> str:
        written = self._power()
        while True:
            if self._next in PRODUCTS:
                self._take()
                written += "*" + self._power()
            elif self._next == "/":
                written += self._take() + self._power()
            elif self._starts_factor():
                written += "*" + self._power()
            else:
                return written

    def _starts_factor(self) -> bool:
        token = self._next
        if token.startswith("\\"):
            return token not in ("\\rfloor", "\\rceil")
        return bool(token) and (token.isalnum() or token in "({")

    def _power(self) -> str:
        base = self._factor()
        if self._next != "^":
            return base
        self._take()
        return f"{base}**{self._argument()}"

    def _argument(self) -> str:
        """Return the argument of a command: a group, or a single digit, letter or command."""
        if self._next == "{":
            return self._bracketed("}")
        token = self._next
        if token.isdigit() and len(token) > 1:
            self._tokens[self._at] = token[1:]
            return token[0]
        return self._factor()

    def _bracketed(self, closing: str) -> str:
        self._take()
        written = self._sum()
        self._take(closing)
        return written if written.isalnum() else f"({written})"

    def _factor(self) -> str:
        token = self._next
        if token == "(":
            return self._bracketed(")")
        if token == "{":
            return self._bracketed("}")
        if token in ROUNDED:
            closing, name = ROUNDED[token]
            self._take()
            written = self._sum()
            self._take(closing)
            return f"{name}({written})"
        self._take()
        if token[0].isdigit():
            exact = Fraction(token)
            return token if exact.denominator == 1 else f"({exact.numerator}/{exact.denominator})"
        return token if token.isalpha() else self._command(token)

    def _command(self, name: str) -> str:
        if name in FRACTIONS:
            return f"({self._argument()}/{self._argument()})"
        if name in ("\\binom", "\\sauer"):
            called = "binomial" if name == "\\binom" else "sauer"
            return f"{called}({self._argument()}, {self._argument()})"
        if name in ("\\log", "\\lg"):
            if self._next == "_":
                self._take()
                if self._argument() != "2":
                    raise InvalidInput("logarithms are binary")
            return f"log2({self._argument() if self._next == '{' else self._factor()})"
        if name in ("\\min", "\\max"):
            self._take("(")
            listed = [self._sum()]
            while self._next == ",":
                self._take()
                listed.append(self._sum())
            self._take(")")
            return f"{name[1:]}({', '.join(listed)})"
        if name == "\\infty":
            return INFINITE
        raise InvalidInput(f"{name} is unknown")


# ---- values with conditions


SIGNS = {
    "=": "==",
    "<": "<",
    ">": ">",
    "\\le": "<=",
    "\\leq": "<=",
    "\\ge": ">=",
    "\\geq": ">=",
    "\\ne": "!=",
    "\\neq": "!=",
}
SIGN = re.compile(r"(\\(?:leq?|geq?|neq?)(?![A-Za-z])|[=<>])")
CASES = re.compile(r"\\begin\{cases\}(.*)\\end\{cases\}", re.DOTALL)
SCOPED = re.compile(r"(.*?)\\q?quad\s*\((.*)\)", re.DOTALL)
MATHS = re.compile(r"\$([^$]*)\$")
PART = re.compile(r"(otherwise )?<(\d+)>(?: (?:if|for) (.*))?", re.DOTALL)
PRIMES = re.compile(r"every (odd )?prime ([a-z])\b")
EVERY_PRIME = re.compile(r"every prime ([a-z])$")
PARITY = re.compile(r"([a-z])(?: is |\\text\{ ?)(odd|even)\}?")
DIVIDES = re.compile(r"([a-z])\\mid ?([a-z])")
POWER = re.compile(r"([a-z])=2\^([a-z])")


@dataclass(frozen=True)
class ComparedFormulas:
    """A comparison of two formulas, which is a condition on the numbers of a value."""

    left: Expression
    sign: str
    right: Expression

    def holds(self, numbers: Mapping[str, int]) -> bool:
        """Return whether the comparison is true."""
        return compare(self.left(numbers), self.sign, self.right(numbers))


def compare(left: Real, sign: str, right: Real) -> bool:
    """Return whether a comparison is true.

    Examples
    --------
    >>> compare(2, "<=", 3), compare(2, "!=", 2)
    (True, False)
    """
    if sign in ("==", "!="):
        return (left == right) == (sign == "==")
    if sign in ("<", ">"):
        return left != right and (left < right) == (sign == "<")
    return bool(left <= right if sign == "<=" else left >= right)


@dataclass(frozen=True)
class Part:
    """The bounds that a record states under conditions.

    Attributes
    ----------
    bounds : tuple of (str, Expression)
        Pairs of a sign, which is "==", "<=" or ">=", and a formula: the value is at most, at least
        or equal to the formula.
    conditions : tuple of ComparedFormulas
    """

    bounds: tuple[tuple[str, Expression], ...]
    conditions: tuple[ComparedFormulas, ...] = ()


@dataclass(frozen=True)
class RecordedValue:
    """The value that a record states, in one or more parts."""

    parts: tuple[Part, ...]

    @property
    def names(self) -> frozenset[str]:
        """The letters of all formulas."""
        found: set[str] = set()
        for part in self.parts:
            found.update(*(each.names for _, each in part.bounds))
            for each in part.conditions:
                found |= each.left.names | each.right.names
        return frozenset(found)

    def at(self, numbers: Mapping[str, int]) -> tuple[tuple[str, Expression], ...]:
        """Return the bounds of the first part whose conditions hold, or () if there is none."""
        for part in self.parts:
            if all(each.holds(numbers) for each in part.conditions):
                return part.bounds
        return ()


def stated_value(text: str) -> RecordedValue:
    r"""Return the value or the bounds that a record states, perhaps with conditions.

    Raises
    ------
    InvalidInput
        If the value is not understood, or an order of growth. The message states the reason.

    Examples
    --------
    >>> stated = stated_value(r"$0$ for $n=1$ and $n-1$ for $n\ge2$")
    >>> stated.at({"n": 1}), stated.at({"n": 5})
    ((('==', Expression('0')),), (('==', Expression('n-1')),))
    >>> stated_value(r"$n\leq\mathrm{X}\leq2n$").at({})
    (('>=', Expression('n')), ('<=', Expression('2*n')))
    >>> stated_value(r"$\log_2 n\quad(n=2^r,\ r\ge1)$").at({"n": 6})
    ()
    """
    if len(text) > LONGEST or text.strip().strip("$").strip() == "":
        return RecordedValue((Part((("==", formula(text)),)),))
    if ASYMPTOTIC.search(text):
        raise InvalidInput("an order of growth, without constants")
    unknown = InvalidInput(f"the value {text:.80} is not understood")
    try:
        return RecordedValue(tuple(_parts(text.strip())))
    except InvalidInput as error:
        raise (
            unknown if "understood" not in str(error) or "$" not in str(error) else error
        ) from None


def _parts(text: str) -> list[Part]:
    """Return the parts of a value."""
    if found := CASES.fullmatch(text.strip("$").strip()):
        rows = [row.partition("&") for row in re.split(r"\\\\", found[1]) if row.strip()]
        return [Part(_bounds(value), _conditions(when)) for value, _, when in rows]
    maths = MATHS.findall(text) if "$" in text else [text]
    if len(maths) == 1 and text.strip().strip("$").strip() == maths[0].strip():
        if scoped := SCOPED.fullmatch(maths[0].strip()):
            return [Part(_bounds(scoped[1]), _conditions(scoped[2]))]
        return [Part(_bounds(maths[0]))]
    numbered = iter(range(len(maths)))
    words = MATHS.sub(lambda match: f"<{next(numbered)}>", text).strip().removesuffix(".")
    parts = []
    for piece in re.split(r"\s*;\s*|\s+and\s+", words):
        found = PART.fullmatch(piece.strip())
        if found is None:
            raise InvalidInput("words are unknown")
        when = re.sub(r"<(\d+)>", lambda match: maths[int(match[1])], found[3] or "")
        parts.append(Part(_bounds(maths[int(found[2])]), _conditions(when)))
    return parts


def _bounds(text: str) -> tuple[tuple[str, Expression], ...]:
    """Return the bounds in a chain of inequalities around a symbol, or one value."""
    sides = SIGN.split(_without_sums(text.strip().removesuffix(".")))
    signs = [SIGNS[each] for each in sides[1::2]]
    parts = [each.strip() for each in sides[::2]]
    if not signs:
        return (("==", formula(text)),)
    if signs in (["<="], [">="]) and not parts[0]:
        return ((signs[0], formula(parts[1])),)
    if signs == ["<=", "<="]:
        return ((">=", formula(parts[0])), ("<=", formula(parts[2])))
    raise InvalidInput("signs are unknown")


def _conditions(text: str) -> tuple[ComparedFormulas, ...]:
    """Return the comparisons that a condition consists of."""
    found: list[ComparedFormulas] = []
    powers: dict[str, str] = {}
    text = EVERY_PRIME.sub(r"\1>1", text)
    text = PRIMES.sub(lambda match: rf"{match[2]}\ne2" if match[1] else match[2], text)
    for each in (part.strip(" .") for part in re.split(r",(?:\\ )?", text)):
        if not each:
            continue
        if match := PARITY.fullmatch(each):
            half = f"floor({match[1]}/2)*2"
            sign = "==" if match[2] == "even" else "!="
            found.append(ComparedFormulas(Expression(half), sign, Expression(match[1])))
        elif match := DIVIDES.fullmatch(each):
            k, b = match.groups()
            found.append(ComparedFormulas(Expression(f"floor({b}/{k})*{k}"), "==", Expression(b)))
        elif match := POWER.fullmatch(each):
            n, r = match.groups()
            powers[r] = f"floor_log2({n})"
            found.append(ComparedFormulas(Expression(n), "==", Expression(f"2**{powers[r]}")))
        else:
            found += _chain(each, powers)
    return tuple(found)


def _chain(text: str, powers: Mapping[str, str]) -> list[ComparedFormulas]:
    r"""Return the comparisons of neighbours in a chain, such as ``2\le k\le b``."""
    sides = SIGN.split(text)
    if len(sides) < 3:
        raise InvalidInput("a condition is unknown")
    formulas = [Expression(powers.get(each.strip(), formula(each).text)) for each in sides[::2]]
    signs = [SIGNS[each] for each in sides[1::2]]
    pairs = zip(formulas, signs, formulas[1:], strict=False)
    return [ComparedFormulas(left, sign, right) for left, sign, right in pairs]
