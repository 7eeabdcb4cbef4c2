"""The conjectures with their status, in `conjectures.toml`, which this module reads and writes.

A conjecture is *open*, *known* or *false*. A known conjecture has a source or a proof. A false
conjecture has a class that refutes it. The file is the only source of these data.
`catalog.refuting.conjectures` writes the page of the documentation from the file, and a test
recomputes every class.
"""

from __future__ import annotations

import itertools
import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.table import Table

FILE = Path(__file__).with_name("conjectures.toml")
Status = Literal["open", "known", "false"]
RECORDED = "a class that refutes"
"""First words of the name of a class that refutes a conjecture."""
WIDTH = 96
"""Width of the rows of labels in the file."""
HEAD = """\
# The conjectures and their status. catalog/refuting/conjecture_file.py describes the fields.
# `make conjectures` measures the counts and adds new conjectures. All other fields are written by
# hand. A false conjecture stays in the file as a warning.
"""


@dataclass(frozen=True)
class Conjecture:
    """An inequality that holds on all classes of the atlas, with its status.

    Attributes
    ----------
    statement : str
        Statement in the format of `catalog.refuting.Statement`.
    status : "open", "known" or "false"
        Whether the inequality is neither proved nor refuted, proved, or refuted.
    equal : int
        Number of classes of the atlas on which both sides are equal.
    source : str
        Source of the proof or the refutation, or "" if this project proves or refutes it.
    proof : str
        Proof of the inequality, or of facts that the labels of the refuting class do not show.
    name : str
        Construction of the class that refutes the conjecture, if it has a name.
    labels : tuple of str
        Labels of this class, with a word for each concept.
    refutes : str
        Statement that this class refutes, if it is not the conjecture. In this case, `proof`
        derives from it that the conjecture is false.
    held, undecided : int
        Numbers of classes beyond the atlas on which an open conjecture holds, and on which a side
        could not be computed in time.
    tables, undecided_tables : int
        Numbers of generated tables, in the search of `refute`, with these two outcomes.
    search_seconds : int
        Processor time of the local search for a counterexample to an open conjecture.
    searched, search_undecided : int
        Numbers of classes in the local search on which the conjecture holds, and on which it was
        not decided.
    """

    statement: str
    status: Status
    equal: int = 0
    source: str = ""
    proof: str = ""
    name: str = ""
    labels: tuple[str, ...] = ()
    refutes: str = ""
    held: int = 0
    undecided: int = 0
    tables: int = 0
    undecided_tables: int = 0
    search_seconds: int = 0
    searched: int = 0
    search_undecided: int = 0

    def __post_init__(self) -> None:
        if self.status not in ("open", "known", "false"):
            raise InvalidInput(
                f"A line is 'open', 'known' or 'false'. Got {self.status!r} for {self.statement!r}."
            )
        if self.status == "known" and not (self.source or self.proof):
            raise InvalidInput(f"A known line needs a source or a proof: {self.statement!r}.")
        if self.status == "false" and not (self.labels or self.proof):
            raise InvalidInput(
                f"A false line needs a class for which it is false: {self.statement!r}."
            )
        if len({len(word) for word in self.labels}) > 1 or set("".join(self.labels)) - {"0", "1"}:
            raise InvalidInput(f"Concepts are words of 0 and 1 of one length: {self.statement!r}.")

    @cached_property
    def table(self) -> Table | None:
        """The class that refutes the conjecture, or None if the file has no labels of a class."""
        if not self.labels:
            return None
        return Table(np.array([list(map(int, word)) for word in self.labels], dtype=np.uint8))


def read(file: Path = FILE) -> tuple[Conjecture, ...]:
    """Return all conjectures in ``conjectures.toml``, in the order of the file.

    Examples
    --------
    >>> line = next(each for each in read() if each.name == "doubled(warmuth)")
    >>> line.statement, line.status, len(line.table)
    ('self_directed_mistakes <= vcdim + min_degree', 'false', 10)
    """
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        Conjecture(**{**each, "labels": tuple(each.get("labels", ()))}) for each in data["line"]
    )


def write(lines: Iterable[Conjecture]) -> str:
    """Return the content of ``conjectures.toml`` for some conjectures, as a string.

    Examples
    --------
    >>> print(write([Conjecture("vcdim <= ldim", "known", source="Littlestone 1988")]))
    # The conjectures and their status. ...
    [[line]]
    statement = "vcdim <= ldim"
    status = "known"
    source = "Littlestone 1988"
    <BLANKLINE>
    """
    parts = [HEAD]
    for line in lines:
        rows = ["[[line]]"]
        for field in fields(line):
            value = getattr(line, field.name)
            if value and value != field.default:
                rows.append(f"{field.name} = {_toml(value)}")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def _toml(value: str | int | tuple[str, ...]) -> str:
    # The JSON form of strings and integers is also TOML.
    if not isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False)
    words = (json.dumps(word) for word in value)
    per_row = max(1, WIDTH // (len(value[0]) + 4))
    rows = iter(lambda: ", ".join(itertools.islice(words, per_row)), "")
    return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"


def refuting_classes(lines: Iterable[Conjecture] | None = None) -> Iterator[tuple[str, Table]]:
    """Yield the classes that refute conjectures, with their names.

    A class may refute several conjectures.
    """
    for line in read() if lines is None else lines:
        if line.table is not None:
            yield f"{RECORDED} {line.refutes or line.statement}", line.table
