"""Formulas of facts in handwritten style: ``2^k + 1``, not ``2**k + 1``."""

from __future__ import annotations

import ast

_LEVELS: dict[type[ast.AST], tuple[int, str]] = {
    ast.BitOr: (1, " or "),
    ast.BitAnd: (2, " and "),
    ast.Add: (6, " + "),
    ast.Sub: (6, " - "),
    ast.Mult: (7, "*"),
    ast.Div: (7, "/"),
    ast.FloorDiv: (7, "//"),
    ast.Pow: (9, "^"),
}
"""Binding strength and symbol of each operator."""

_COMPARISON, _MOD, _SIGN, _TIGHT = 4, 5, 8, 10
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "=",
    ast.NotEq: "!=",
}


def readable(text: str) -> str:
    """Return a formula or condition of a `Fact` as a readable string. The order of terms stays.

    Examples
    --------
    >>> readable("2**n*floor_log2(n) + binomial(n, k)/2"), readable("Eq(k, 0) | (n > 2)")
    ('2^n*floor(log2(n)) + C(n, k)/2', 'k = 0 or n > 2')
    >>> readable("Sum(q**(n - j)*gauss(n, j, q), (j, 0, k)) + empty")
    '(sum of q^(n - j)*C(n, j)_q over j = 0..k) + empty'
    >>> readable("~(Eq(q, 2) & Ne(n, 1))")
    'not (q = 2 and n != 1)'
    """
    return _written(ast.parse(text, mode="eval").body)[1]


def _inside(node: ast.AST, level: int) -> str:
    """Return the string of a part, in parentheses if it binds less tightly than the level."""
    binds, text = _written(node)
    return text if binds >= level else f"({text})"


def _written(node: ast.AST) -> tuple[int, str]:
    """Return the binding strength and the string of a part."""
    if isinstance(node, ast.BinOp):
        level, sign = _LEVELS[type(node.op)]
        # A subtrahend, a divisor or the base of a power needs its parentheses.
        left = _inside(node.left, level + isinstance(node.op, ast.Pow))
        strict = isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow))
        right = _inside(node.right, level + strict)
        return level, left + sign + right
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Invert):
            return 3, f"not {_inside(node.operand, _TIGHT)}"
        return _SIGN, f"-{_inside(node.operand, _SIGN)}"
    if isinstance(node, ast.Compare):
        parts = [_inside(node.left, _COMPARISON + 1)]
        for operator, part in zip(node.ops, node.comparators, strict=True):
            parts += [_SIGNS[type(operator)], _inside(part, _COMPARISON + 1)]
        return _COMPARISON, " ".join(parts)
    if isinstance(node, ast.Call):
        return _called(node)
    return _TIGHT, ast.unparse(node)


def _called(node: ast.Call) -> tuple[int, str]:
    name = ast.unparse(node.func)
    if name in ("Eq", "Ne"):
        left, right = (_inside(part, _COMPARISON + 1) for part in node.args)
        return _COMPARISON, f"{left} {'=' if name == 'Eq' else '!='} {right}"
    if name == "Rational":
        return _LEVELS[ast.Div][0], "/".join(_inside(part, _SIGN) for part in node.args)
    if name == "Mod":
        left, right = (_inside(part, _SIGN) for part in node.args)
        return _MOD, f"{left} mod {right}"
    if name == "Sum":
        term, *ranges = node.args
        return _TIGHT, f"(sum of {_written(term)[1]} over {', '.join(map(_range, ranges))})"
    arguments = [_written(part)[1] for part in node.args]
    if name == "floor_log2":
        return _TIGHT, f"floor(log2({arguments[0]}))"
    if name == "gauss":
        return _TIGHT, f"C({arguments[0]}, {arguments[1]})_{_inside(node.args[2], _TIGHT)}"
    if name == "ordered_partitions":
        return _TIGHT, f"(partitions of {arguments[0]} into at most {arguments[1]} blocks in order)"
    shown = {"Min": "min", "Max": "max", "binomial": "C"}.get(name, name)
    return _TIGHT, f"{shown}({', '.join(arguments)})"


def _range(node: ast.expr) -> str:
    """Return the index of a sum and its range."""
    if not isinstance(node, ast.Tuple):
        return ast.unparse(node)
    index, first, last = (_written(part)[1] for part in node.elts)
    return f"{index} = {first}..{last}"
