"""What forged certificates are made of: tables, mended files, values that mislead, true proofs."""

from __future__ import annotations

import copy
import json
import operator
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from lsclasses import BadCertificate, Table
from lsclasses.certificates import (
    Certificate,
    Factor,
    FailureEntry,
    FailureStep,
    Node,
    Subject,
    Subtree,
)
from lsclasses.certificates.base import _digest
from lsclasses.concept_class import ConceptClass
from tests.lsclasses.small_classes import labels_of, ldim, side_of, vcdim

SUBJECT = Subject(None, None, "")
"""Of certificates whose `_check` is asked directly, without the look at which class is meant."""


@cache
def table_of(n: int, V: int) -> Table:
    return Table(labels_of(n, V), domain=range(n))


T = TypeVar("T")


def unless_refused(function: Callable[..., T], *given: Any) -> T | None:
    """What a function gives, or None if it refuses what it is given as evidence."""
    try:
        return function(*given)
    except BadCertificate:
        return None


def passes(check: Callable[..., None], *given: Any) -> bool:
    """Whether a check accepts this; whatever else is raised is a failure of the test."""
    return unless_refused(lambda: (check(*given), True)) is not None


def proves(certificate: Certificate, C: ConceptClass) -> bool:
    """Whether the evidence is accepted."""
    return passes(certificate._check, C)


def named(n: int, V: int) -> Table:
    """The class with its concepts named by their numbers, so that classes share their names."""
    concepts = [c for c in range(1 << n) if V >> c & 1]
    return Table(labels_of(n, V), domain=range(n), concepts=concepts)


@st.composite
def other_classes(draw: st.DrawFn, n: int, V: int) -> int:
    """The class, or one that is near it or part of it, or any other."""
    full = (1 << (1 << n)) - 1
    how = draw(st.sampled_from(["same", "fewer", "near", "side", "any"]), label="source")
    if how == "side":
        return V & side_of(n, draw(st.integers(0, n - 1)), draw(st.integers(0, 1)))
    mask = draw(st.integers(0, full), label="mask")
    if how == "near":
        return V ^ (1 << mask % (1 << n))
    return {"same": V, "fewer": V & mask, "any": mask}[how]


def believed(data: Any, C: ConceptClass) -> Certificate | None:
    """The certificate in a file, if it is accepted as a proof about the class."""
    certificate = unless_refused(Certificate.from_json, data)
    return certificate if certificate is not None and passes(certificate.verify, C) else None


def holds(claim: str, truth: Callable[[str], int]) -> bool:
    """Whether a claim such as Ldim >= 2 is true, if the quantity has this value."""
    quantity, relation, claimed = claim.split()
    compared = {">=": operator.ge, "<=": operator.le, "=": operator.eq}[relation]
    return bool(compared(truth(quantity), int(claimed)))


def is_true(certificate: Certificate, n: int, V: int) -> bool:
    """Whether what is claimed holds for the class of that number."""
    return holds(certificate.claim, lambda name: {"Ldim": ldim, "VCdim": vcdim}[name](n, V))


NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 10**30, 10**4000, -(10**30), 0.0, 1.0, 0.5, -0.0, 1e308,
    float("nan"), float("inf"), "", "0", "1", "a", [], {}, [0], [1.0], [[0, 0]], [0, 1, 0, None],
    [[]], [None], {"0": 0}, [0, True], [True, 0], {"depth": 0, "steps": []},
]  # fmt: skip
"""Values that some reader of a file might take for a number, a label, a list or a name."""


DEEP = json.loads("[" * 500 + "]" * 500)


def mended(data: dict[str, Any]) -> dict[str, Any]:
    """The file with the digest that its contents have."""
    contents = {key: value for key, value in data.items() if key != "digest"}
    return {**contents, "digest": _digest(contents)}


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    children: Any = data.items() if isinstance(data, dict) else ()
    if isinstance(data, list):
        children = enumerate(data)
    for key, value in children:
        yield from places(value, (*path, key))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The value with one place of it replaced."""
    if not path:
        return value
    copied = dict(data) if isinstance(data, dict) else list(data)
    copied[path[0]] = changed(copied[path[0]], path[1:], value)
    return copied


@st.composite
def mutations(draw: st.DrawFn, data: Any) -> Any:
    """Another JSON value that differs from `data` in one place."""
    path = draw(st.sampled_from(list(places(data))), label="place")
    mutant = copy.deepcopy(data)
    holder = mutant
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    how = draw(st.sampled_from(["delete", "twice", "replace", "shift", "swap"]), label="how")
    if how == "delete":
        del holder[path[-1]]
    elif how == "twice" and isinstance(holder, list):
        holder.append(old)
    elif how == "shift" and isinstance(old, int):
        holder[path[-1]] = old + draw(st.sampled_from([-1, 1]), label="by")
    elif how == "swap" and isinstance(holder, list):
        other = draw(st.integers(0, len(holder) - 1), label="with")
        holder[path[-1]], holder[other] = holder[other], old
    else:
        holder[path[-1]] = draw(
            st.sampled_from([None, 0, 1, 2, -1, 10**6, "x", [], {}, [0], 0.5, True]), label="new"
        )
    assume(json.dumps(mutant) != json.dumps(data))
    return mutant


def dag_file(
    *entries: dict[str, Any], dimension: Any = 1, points: Any = (0, 1, 2), version: Any = 1
) -> dict[str, Any]:
    """A file about the cube on three points, whose Littlestone dimension is 3."""
    return mended({
        "format": "lsclasses-certificate",
        "version": version,
        "kind": "failure-dag",
        "claim": f"Ldim <= {dimension}",
        "class": Subject.of(table_of(3, 255)).to_json(),
        "dimension": dimension,
        "points": list(points),
        "entries": list(entries),
    })  # fmt: skip


def cube(*entries: dict[str, Any], **fields: Any) -> Certificate:
    """A proof about the cube as `dag_file` writes it, which holds."""
    certificate = Certificate.from_json(dag_file(*entries, **fields))
    certificate.verify(table_of(3, 255))
    return certificate


SINGLES = Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], domain=range(3))
"""Its Littlestone dimension is 1: of the sides of a point the one with the label 1 is a concept."""


def singles(depth: Any, *nodes: Any, points: Any = (0, 1, 2), version: Any = 2) -> None:
    """A folded tree of the class `SINGLES`, read from a file and verified."""
    data = {
        "format": "lsclasses-certificate",
        "version": version,
        "kind": "folded-tree",
        "claim": f"Ldim >= {depth}",
        "class": Subject.of(SINGLES).to_json(),
        "depth": depth,
        "points": list(points),
        "nodes": list(nodes),
    }  # fmt: skip
    Certificate.from_json(mended(data)).verify(SINGLES)


def steps(*values: Any) -> list[Any]:
    return [list(value) for value in values]


def split(*factors: Any, depth: Any = 2) -> dict[str, Any]:
    """An entry about the whole cube: for each factor an entry and the points of its group."""
    listed = [[entry, [[x, x, 0] for x in group]] for entry, group in factors]
    return {"depth": depth, "factors": listed}


def edge(x: int, depth: Any = 2, parent: Any = 0) -> dict[str, Any]:
    """Two concepts of the cube, that differ at a point: they shatter depth 1."""
    given = [[z, 0] for z in range(3) if z != x]
    return {"depth": depth, "steps": None, "parent": parent, "given": given}


def product_proof(V1: int, V2: int) -> tuple[int, tuple[FailureEntry, ...]]:
    """The product of two classes on two points each, and why it shatters no deeper tree.

    The factors are what is left when the points of the other one have the labels of its first
    concept; counting refutes what is not shattered there.
    """
    concepts = [[c for c in range(4) if V >> c & 1] for V in (V1, V2)]
    depths = [ldim(2, V) + 1 for V in (V1, V2)]
    V = sum(1 << (c | d << 2) for c, d in product(*concepts))
    entries = [FailureEntry(sum(depths) - 1, factors=tuple(
        Factor(1 + i, tuple((x, x, 0) for x in group)) for i, group in enumerate(((0, 1), (2, 3)))
    ))]  # fmt: skip
    for i, others in enumerate(((2, 3), (0, 1))):
        labels = tuple((x, concepts[1 - i][0] >> x % 2 & 1) for x in others)
        entries.append(FailureEntry(depths[i], 0, labels))
    return V, tuple(entries)


# ---- true proofs, without search


def proved(n: int, V: int, depth: int) -> list[FailureEntry]:
    """Why a class shatters no tree of a depth, when it does not: without search or symmetry.

    Only version spaces with fewer than 2^k concepts are left to counting, so that the proof has as
    many entries as those of large classes have.
    """
    queue: list[tuple[int, int, int | None, tuple[tuple[int, int], ...]]] = [(V, depth, None, ())]
    where = {(V, depth): 0}
    entries = []
    for W, k, parent, restriction in queue:
        steps: tuple[FailureStep, ...] | None = None
        if W.bit_count() >= 2**k:
            found = []
            for z in range(n):
                sides = [W & side_of(n, z, label) for label in (0, 1)]
                label = min((0, 1), key=lambda i: ldim(n, sides[i]))
                below = (sides[label], k - 1)
                if below[0].bit_count() < 2 ** (k - 1):
                    found.append(FailureStep(z, label))
                    continue
                if below not in where:
                    where[below] = len(queue)
                    queue.append((*below, len(entries), ((z, label),)))
                found.append(FailureStep(z, label, where[below]))
            steps = tuple(found)
        entries.append(FailureEntry(k, parent, restriction, steps))
    return entries


def shown(n: int, V: int) -> tuple[int, tuple[Node, ...]]:
    """Why a class that is not empty shatters a tree as deep as it does: without any search."""
    identity = tuple((x, x, 0) for x in range(n))
    queue: list[tuple[int, int, int | None, int | None]] = [(V, ldim(n, V), None, None)]
    where: dict[tuple[int, int], int] = {}
    nodes = []
    for W, k, parent, y in queue:
        if not k:
            return 0, ()
        x = next(x for x in range(n) if min(ldim(n, W & side_of(n, x, z)) for z in (0, 1)) >= k - 1)
        below = []
        for z in (0, 1):
            side = W & side_of(n, x, z)
            if k == 1:
                below.append(Subtree())
            elif (side, k) in where:
                below.append(Subtree(where[side, k], identity))
            else:
                where[side, k] = len(queue)
                below.append(Subtree(len(queue)))
                queue.append((side, k - 1, len(nodes), z))
        nodes.append(Node(parent, y, x, (below[0], below[1])))
    return ldim(n, V), tuple(nodes)
