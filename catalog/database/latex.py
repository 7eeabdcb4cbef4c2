r"""Values as the database writes them, such as ``$n+\lceil \log n \rceil$``, as formulas.

Its LaTeX is little, and its logarithms are binary ("the (binary) log"), which general parsers do
not know. So a text is rewritten into the formulas of `lsclasses.dimensions.expressions`, which
parse it or refuse.
"""

from __future__ import annotations

import re

from lsclasses.dimensions.expressions import Expression
from lsclasses.errors import InvalidInput

ASYMPTOTIC = re.compile(r"\\(Omega|Theta|omega)|\bO\s*\(|\bo\s*\(|\\sim|\\approx")
FRACTION = re.compile(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
REWRITTEN = (
    (r"\\left|\\right|\\,|\\;|\\!", ""),
    (r"\\lceil", " ceil("),
    (r"\\lfloor", " floor("),
    (r"\\rceil|\\rfloor", ")"),
    (r"\\(log|lg)(_2|_\{2\})?\s*\(", " log2("),
    (r"\\(log|lg)(_2|_\{2\})?\s*([a-z]|\d+)", r" log2(\3)"),
    (r"\\cdot|\\times", "*"),
    (r"\^", "**"),
    (r"\{", "("),
    (r"\}", ")"),
    (r"(\d)\s*(?=[a-z(])", r"\1*"),
    (r"(?<![a-z\d])([a-z])\s*(?=\()", r"\1*"),
    (r"\)\s*(?=[a-z(\d])", ")*"),
)
FUNCTION_NAMES = re.compile(r"(log2|ceil|floor)\*\(")


def formula(text: str) -> Expression:
    r"""The formula that a value in LaTeX is.

    Raises
    ------
    InvalidInput
        If it is none; the message says why.

    Examples
    --------
    >>> formula(r"$\left\lceil\frac{n}{2}\right\rceil$")({"n": 5})
    3
    >>> formula(r"$n+\lceil\log n\rceil +1$"), formula("$2^n$"), formula(r"$n/\log n$")
    (Expression('n+ ceil( log2(n)) +1'), Expression('2**n'), Expression('n/ log2(n)'))
    >>> formula(r"$\Omega(\log n)$")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: an order of growth, without constants
    """
    written = text.strip().strip("$").strip()
    if not written:
        raise InvalidInput("no value is given")
    if ASYMPTOTIC.search(written):
        raise InvalidInput("an order of growth, without constants")
    while FRACTION.search(written):
        written = FRACTION.sub(r"((\1)/(\2))", written)
    for pattern, replacement in REWRITTEN:
        written = re.sub(pattern, replacement, written)
    written = FUNCTION_NAMES.sub(r"\1(", written)
    if "\\" in written:
        raise InvalidInput(f"the value {text} is not understood")
    try:
        return Expression(written)
    except InvalidInput:
        raise InvalidInput(f"the value {text} is not understood") from None
