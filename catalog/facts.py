"""Facts of families, read from the TOML file beside the module of a family.

A file has a list of tables for each family, with the fields of `Fact`. What is known case by case
has the expression under each condition in a table ``cases``. Where the same condition or formula
stands in several facts, ``[names]`` gives it a name, which stands for it in braces::

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

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from catalog.family import Fact
from lsclasses.data_files import filled, parse
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import reading
from lsclasses.points import nearest


def known(module: str, *lists: str) -> tuple[Fact, ...]:
    """The facts of some lists of a file.

    Parameters
    ----------
    module : str
        The ``__file__`` of the module beside which it stands, under the same name.
    *lists : str
        Mostly one, the name of a family.

    Raises
    ------
    InvalidInput
        If an entry is no fact.

    Examples
    --------
    >>> from catalog import random_tables
    >>> [fact.quantity for fact in known(random_tables.__file__, "random")]
    ['size', 'size', 'points', 'ldim', 'vcdim']
    """
    path = Path(module).with_suffix(".toml")
    with reading(path):
        tables = _tables(path)
        return tuple(fact for name in lists for each in tables[name] for fact in _facts(each, name))


def _facts(entry: Mapping[str, Any], where: str) -> Iterator[Fact]:
    """The fact of an entry, or those of its cases."""
    if "cases" not in entry:
        yield filled(Fact, entry, repr(where))
        return
    shared = {key: value for key, value in entry.items() if key != "cases"}
    for case, expression in entry["cases"].items():
        when = f"{shared['when']} & {case}" if "when" in shared else case
        yield filled(Fact, {**shared, "when": when, "expression": expression}, repr(where))


@cache
def _tables(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The tables of a file, with the names in formulas and conditions replaced."""
    tables = parse(path.read_text(encoding="utf-8"))
    names: dict[str, str] = {}
    try:
        for name, text in tables.pop("names", {}).items():
            names[name] = text.format_map(names)
        for entry in (entry for entries in tables.values() for entry in entries):
            for key in {"expression", "when", "searched"} & entry.keys():
                entry[key] = entry[key].format_map(names)
    except KeyError as error:
        word = str(error.args[0])
        raise InvalidInput(f"{word!r} is none of its names. {nearest(word, names)}") from None
    return tables
