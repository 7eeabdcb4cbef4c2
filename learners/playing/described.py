"""What a learner is made of, as texts by name, to tell whether two learners are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from learners.playing.doubling import Doubling
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.lazy.finite import FiniteClass
from lsclasses.table import Table

SHOWN = 3
"""How many differences are named."""
WIDTH = 60
"""The longest text that stands for itself; of others there is a digest."""


def description(learner: object) -> dict[str, str]:
    """The parameters of a learner as texts, those of parameters under their names.

    A table is told by a digest of its labels and names, another class by how it describes itself;
    two functions are not told apart.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> description(SOA(catalog.build("thresholds:n=7")))["learner"]
    'SOA'
    """
    return dict(_parts(learner, "learner"))


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Where two descriptions differ, in words; the empty text if they do not.

    Examples
    --------
    >>> differences({"learner.rate": "1/2"}, {"learner.rate": "1"})
    'learner.rate was 1/2 and is 1'
    """
    found = [
        f"{name} was {one.get(name, 'missing')} and is {other.get(name, 'missing')}"
        for name in {**one, **other}
        if one.get(name) != other.get(name)
    ]
    return ", ".join(found[:SHOWN]) + ", ..." * (len(found) > SHOWN)


def _parts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Table):
        digest = _digest(repr(value.points).encode() + repr(value.concept_names).encode())
        yield name, f"a table, {_digest(value.packed.tobytes())} with names {digest}"
    elif isinstance(value, FiniteClass):
        # Functions may have equal names; the labels of their points tell them apart.
        yield name, repr(value)
        yield from _parts(value._to_table(), f"{name}'s labels")
    elif isinstance(value, ConceptClass):
        yield name, f"{value!r} on {value.domain.describe()}"
    elif isinstance(value, Domain):
        yield name, value.describe()
    elif isinstance(value, np.ndarray):
        yield name, _digest(value.tobytes())
    elif is_dataclass(value):
        yield name, type(value).__name__
        for each in fields(value):
            if not each.name.startswith("_") and each.init:
                yield from _parts(getattr(value, each.name), f"{name}.{each.name}")
        if isinstance(value, Doubling):
            for bucket in (0, value.buckets - 1):
                yield from _parts(value.learner(bucket), f"{name} for 2^{bucket} rounds")
    elif callable(value):
        yield name, "a function"
    else:
        text = str(value)
        yield name, text if len(text) <= WIDTH else _digest(text.encode())


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()[:32]}"
