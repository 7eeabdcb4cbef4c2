"""Facts of families, read from the TOML file next to the module of a family.

A file has a list of tables for each family, with the fields of `Fact`. A fact with several cases
has a table ``cases`` with the expression under each condition. If several facts share a condition
or formula, ``[names]`` gives it a name. The name in braces represents the formula, as one operand
if it is part of a larger formula::

    [names]
    SMALL = "n <= 4"

    [[monotone]]
    quantity = "vcdim"
    expression = "binomial(n, floor(n/2))"
    source = "shattered sets are antichains; Sperner's theorem"
    searched = "{SMALL}"

    [[monotone]]
    quantity = "size"
    source = "Dedekind numbers, OEIS A000372"
    [monotone.cases]
    "Eq(n, 0)" = "2"
    "Eq(n, 1)" = "3"
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from catalog.family import Fact
from lsclasses.data_files import as_table, from_table, parse
from lsclasses.errors import InvalidInput, nearest
from lsclasses.files.sources import reading


def known(module: str, *lists: str) -> tuple[Fact, ...]:
    """Return the facts in some lists of the facts file of a module.

    Parameters
    ----------
    module : str
        The ``__file__`` of the module. The facts file has the same name and is next to it.
    *lists : str
        Names of the lists: in most cases one name, which is the name of a family.

    Raises
    ------
    InvalidInput
        If an entry is not a fact.

    Examples
    --------
    >>> from catalog import random_tables
    >>> [fact.quantity for fact in known(random_tables.__file__, "random")]
    ['size', 'size', 'points', 'ldim', 'vcdim']
    """
    path = Path(module).with_suffix(".toml")
    with reading(path):
        tables = _tables(path)
        for name in lists:
            if name not in tables:
                raise InvalidInput(f"{name!r} is not one of its lists. {nearest(name, tables)}")
        return tuple(
            fact for name in lists for each in tables[name] for fact in _facts(each, repr(name))
        )


def _facts(entry: object, where: str) -> Iterator[Fact]:
    """Yield the fact of an entry, or the facts of its cases."""
    table = as_table(entry, where)
    if "cases" not in table:
        yield from_table(Fact, table, where)
        return
    if "expression" in table:
        raise InvalidInput(
            f"{where} has 'cases' with separate expressions, so it must have no 'expression'. "
            f"Got {table['expression']!r}."
        )
    shared = {key: value for key, value in table.items() if key != "cases"}
    for case, expression in as_table(table["cases"], f"'cases' of {where}").items():
        conditions = [str(shared["when"]), case] if "when" in shared else [case]
        when = " & ".join(map(_operand, conditions)) if conditions[1:] else case
        yield from_table(Fact, {**shared, "when": when, "expression": expression}, where)


def _operand(text: str, before: str = "&", after: str = "&") -> str:
    """Return a formula as an operand, in parentheses where neighbouring signs could split it."""
    if before in ENDS and after in ENDS:
        return text
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return f"({text})"
    whole = isinstance(parsed, (ast.Name, ast.Constant, ast.Call))
    conjunction = isinstance(parsed, ast.BinOp) and isinstance(parsed.op, ast.BitAnd)
    joined = conjunction and {before, after} <= {"&", *ENDS}
    return text if whole or joined or _is_enclosed(text.strip()) else f"({text})"


def _is_enclosed(text: str) -> bool:
    try:
        inner = ast.parse(text[1:-1], mode="eval")
    except SyntaxError:
        return False
    return text[0] == "(" and ast.dump(inner) == ast.dump(ast.parse(text, mode="eval"))


@cache
def _tables(path: Path) -> dict[str, Any]:
    """Return the tables of a file, with the names in formulas and conditions replaced."""
    tables = parse(path.read_text(encoding="utf-8"))
    names: dict[str, str] = {}
    for name, text in as_table(tables.pop("names", {}), "'names'").items():
        names[name] = _named(text, names, f"{name!r} of the names")
    for name, entries in tables.items():
        if not isinstance(entries, list):
            raise InvalidInput(f"{name!r} is a list of tables, [[{name}]]. Got {entries!r:.200}.")
        for entry in entries:
            for key in {"expression", "when", "searched"} & as_table(entry, repr(name)).keys():
                entry[key] = _named(entry[key], names, f"{key!r} of {name!r}")
    return tables


ENDS = ("", "(", ")", ",")
"""Strings that may come before or after a name in braces without requiring parentheses."""
NAME = re.compile(r"\{(\w*)\}")
"""Pattern of a name in braces."""


def _named(text: object, names: Mapping[str, str], where: str) -> str:
    """Return a formula with names in braces replaced."""
    if not isinstance(text, str):
        raise InvalidInput(f"{where} must be a string. Got {text!r}.")

    def meant(match: re.Match[str]) -> str:
        word = match[1]
        if word not in names:
            raise InvalidInput(f"{word!r} is not one of its names. {nearest(word, names)}")
        before, after = text[: match.start()].rstrip()[-1:], text[match.end() :].lstrip()[:1]
        return _operand(names[word], before, after)

    return NAME.sub(meant, text)
