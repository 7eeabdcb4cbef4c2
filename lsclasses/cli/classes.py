"""The class that an argument names: a specification or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsclasses.cli.output import note
from lsclasses.errors import InvalidInput
from lsclasses.files import SUFFIXES, load_table
from lsclasses.points import nearest

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

__all__ = ["load"]


def load(argument: str) -> ConceptClass:
    """The class that a command-line argument names."""
    import catalog

    path = Path(argument)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):
        is_file = False
    if is_file or path.suffix.lower() in SUFFIXES:
        C = load_table(path)
        if C.merged:
            rows = "row was" if C.merged == 1 else "rows were"
            note(f"{argument}: {C.merged} duplicate {rows} merged.")
        return C
    name = argument.partition(":")[0].strip()
    if name not in catalog.families():
        raise InvalidInput(
            f"There is no file {argument!r} and no family {name!r}. "
            f"{nearest(name, catalog.families())}"
        )
    return catalog.build(argument)
