"""The class that an argument names: a specification, a file, or a name in the atlas."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsclasses.commands.output import note
from lsclasses.errors import InvalidInput
from lsclasses.specifications import FAMILIES, split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table


STANDARD_INPUT = "-"
"""The file name that denotes standard input."""


def is_file(argument: str) -> bool:
    """Return whether the class that an argument names is in a file."""
    if argument == STANDARD_INPUT:
        return True
    path = Path(argument)
    try:
        exists = path.is_file()
    except (OSError, ValueError):
        exists = False
    return exists or (path.suffix != "" and _has_suffix(path))


def _has_suffix(path: Path) -> bool:
    """Return whether a name ends like a table file. Most specifications do not."""
    from lsclasses.files.tables import names_a_table

    return names_a_table(path)


def load(argument: str) -> ConceptClass:
    """Return the class that a command-line argument names."""
    if is_file(argument):
        from lsclasses.table import Table

        C = Table.load(argument)
        for sentence in notes_of(C):
            note(f"{argument}: {sentence}")
        return C
    if (found := re.fullmatch(r"([1-6]):([0-9a-f]{1,16})", argument)) is not None:
        return _in_atlas(int(found[1]), int(found[2], 16))
    name, parameters = split(argument)
    if name not in FAMILIES:
        raise InvalidInput(
            f"Neither a file {argument!r} nor a family {name!r} exists. {FAMILIES.nearest(name)}"
        )
    family = FAMILIES[name]
    return family.concept_class(**family.values_in(parameters))


def _in_atlas(points: int, mask: int) -> ConceptClass:
    """Return the class with a name in the atlas, such as 3:1b."""
    from lsclasses.isomorphism import class_of_mask

    if not 0 < mask < 1 << (1 << points):
        raise InvalidInput(
            f"A class on {points} point{'s' * (points > 1)} has a mask from 1 to "
            f"{(1 << (1 << points)) - 1:x}, in hexadecimal digits. Got {mask:x}."
        )
    return class_of_mask(points, mask)


LISTED = 3
"""Largest number of merged concepts that a note names."""


def notes_of(C: Table) -> Iterator[str]:
    """Yield notes about a class from a file: its merged equal concepts and its omitted parts."""
    if C.merged:
        rows = "row was" if C.merged == 1 else "rows were"
        pairs = [f"{one!r:.80} equals {other!r:.80}" for one, other in C.merged_names[:LISTED]]
        if len(C.merged_names) > LISTED:
            pairs.append(f"{len(C.merged_names) - LISTED} more")
        yield f"{C.merged} duplicate {rows} merged{': ' * bool(pairs)}{', '.join(pairs)}."
    yield from C.notes


def stated(argument: str, quantity: str) -> list[tuple[str, Any, str]]:
    """Return the statements of the catalog about a quantity of the class that an argument names.

    The catalog states facts only about families, not about classes in files or of the atlas.

    Returns
    -------
    list of (relation, value, source)
        The relation is "==", "<=" or ">=". If the catalog states the exact value, the list has only
        this value.
    """
    name, parameters = split(argument)
    if is_file(argument) or name not in FAMILIES:
        return []
    family = FAMILIES[name]
    found = [
        (each.fact.relation, each.value, each.fact.source)
        for each in family.stated(**family.values_in(parameters))
        if each.fact.quantity == quantity
    ]
    exact = [each for each in found if each[0] == "=="]
    return exact or found
