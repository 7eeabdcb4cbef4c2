"""Hypotheses in files: the canonical form of a labelling as JSON, and back.

A labelling has one canonical form (`Hypothesis.canonical`), and a canonical form has one string. A
file therefore reveals only labels. A string that is not the string of its labelling is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from catalog.closed_forms.box_indicators import Box, BoxIndicator
from catalog.closed_forms.exceptions import AllBut
from catalog.closed_forms.flat_indicators import FlatIndicator
from catalog.closed_forms.linear_algebra import zero_subspace
from catalog.closed_forms.list_rules import LiteralList
from catalog.closed_forms.literals import LiteralBits, LiteralRule
from catalog.closed_forms.thresholds import Steps
from lsclasses.domain import Domain, FiniteDomain, IntegerGrid, IntegerRange, Vectors
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import same_json
from lsclasses.hypothesis import (
    Concept,
    Constant,
    Hypothesis,
    PatchedHypothesis,
    require_enumerable,
)
from lsclasses.json_text import entries_of
from lsclasses.point_names import check_label, from_json, to_json
from lsclasses.searching.bitsets import members


def hypothesis_to_json(h: Hypothesis) -> dict[str, Any]:
    """Return the canonical form of a labelling as a JSON object.

    Raises
    ------
    InvalidInput
        If files do not support the type of the canonical form.
    TooLarge
        If the canonical form is a list of labels, and the domain is too large.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=2^64")
    >>> hypothesis_to_json(C.restrict(77, 1).soa())
    {'kind': 'all but', 'label': 0, 'points': [77]}
    """
    return _written(h.canonical())


def hypothesis_from_json(data: Any, domain: Domain) -> Hypothesis:
    """Return the labelling of a domain that `hypothesis_to_json` wrote.

    Raises
    ------
    InvalidInput
        If the data are not such an object.
    TooLarge
        If the data are a list of labels, and the domain is too large for a list.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=2^64")
    >>> h = C.restrict(77, 1).soa()
    >>> hypothesis_from_json(hypothesis_to_json(h), C.domain) == h
    True
    """
    with entries_of("it is not a complete hypothesis"):
        h = _read(data, domain)
    if not same_json(hypothesis_to_json(h), data):
        raise InvalidInput("it is not the standard form of the labels of its hypothesis.")
    return h


def _written(h: Hypothesis) -> dict[str, Any]:
    if isinstance(h, Concept):
        return {"kind": "labels", "labels": "".join(map(str, h.labels.tolist()))}
    if isinstance(h, Constant):
        return {"kind": "constant", "label": h.label}
    if isinstance(h, PatchedHypothesis):
        labels = [[to_json(x), y] for x, y in h.patches.items()]
        return {"kind": "changed", "labels": labels, "of": _written(h.base)}
    if isinstance(h, AllBut):
        return {"kind": "all but", "label": h.label, "points": [to_json(x) for x in h.exceptions]}
    if isinstance(h, Steps):
        return {"kind": "steps", "first": h.first, "changes": list(h.changes)}
    if isinstance(h, BoxIndicator):
        ends = None if h.box is None else [list(h.box.first), list(h.box.last)]
        return {"kind": "box", "ends": ends}
    if isinstance(h, FlatIndicator):
        return {"kind": "flat", "basis": [list(h.span.entries(row)) for row in h.span.rows]}
    if isinstance(h, LiteralRule):
        return {
            "kind": "literals",
            "label": h.label,
            "asked": h.literals.asked,
            "both": h.literals.both,
            "decisive": list(members(h.decisive)),
            "others": list(members(h.others)),
        }
    if isinstance(h, LiteralList):
        rules = [[list(conjunction), label] for conjunction, label in h.rules]
        return {"kind": "list", "rules": rules, "default": h.default}
    raise InvalidInput(
        f"Files do not support hypotheses of the type {type(h).__name__}, such as {h!r:.200}."
    )


def _read(data: Any, domain: Domain) -> Hypothesis:
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in READERS:
        raise InvalidInput(f"a hypothesis is one of {', '.join(READERS)}. Got {kind!r:.200}.")
    return READERS[kind](data, domain)


def _labels(data: Any, domain: Domain) -> Hypothesis:
    require_enumerable(domain, "read a hypothesis")
    text, points = data["labels"], FiniteDomain(domain)
    if not isinstance(text, str) or len(text) != len(points) or not {"0", "1"}.issuperset(text):
        raise InvalidInput(f"a hypothesis has {len(points)} labels, 0 or 1 each.")
    return Concept.from_labels(points, map(int, text))


def _changed(data: Any, domain: Domain) -> Hypothesis:
    base = data["of"]
    if not isinstance(base, dict) or base.get("kind") == "changed":
        raise InvalidInput("the base of a changed hypothesis must not be a changed hypothesis.")
    labels = {domain.require(from_json(x)): check_label(y) for x, y in data["labels"]}
    return PatchedHypothesis(_read(base, domain), labels)


def _steps(data: Any, domain: Domain) -> Hypothesis:
    changes = data["changes"]
    if not isinstance(domain, IntegerRange) or any(type(x) is not int for x in changes):
        raise InvalidInput("steps need a domain of integers.")
    return Steps(domain, check_label(data["first"]), changes)


def _box(data: Any, domain: Domain) -> Hypothesis:
    if not isinstance(domain, IntegerGrid):
        raise InvalidInput("a box needs a domain of a grid.")
    if data["ends"] is None:
        return BoxIndicator(domain, None)
    first, last = (domain.require(tuple(end)) for end in data["ends"])
    assert isinstance(first, tuple)
    assert isinstance(last, tuple)
    if any(a > b for a, b in zip(first, last, strict=True)):
        raise InvalidInput(f"a box has its least corner first. Got {data['ends']!r:.200}.")
    return BoxIndicator(domain, Box(first, last))


def _flat(data: Any, domain: Domain) -> Hypothesis:
    basis = data["basis"]
    if not isinstance(domain, Vectors):
        raise InvalidInput("a flat needs a domain of vectors.")
    width = Vectors(domain.q, domain.n + 1)
    for row in basis:
        if tuple(row) not in width:
            raise InvalidInput(
                f"the basis of a flat has vectors of {width.n} entries from 0 to {domain.q - 1}, "
                f"one more than points have. Got {row!r:.200}."
            )
    span = reduce(
        lambda span, row: span.joined(span.vector(tuple(row))),
        basis,
        zero_subspace(domain.q, domain.n + 1),
    )
    if span.rows and not span.entries(span.rows[0])[0]:
        raise InvalidInput("a flat that is not empty has a point.")
    return FlatIndicator(domain, span)


def _literals(data: Any, domain: Domain) -> Hypothesis:
    both = data["both"]
    if not isinstance(domain, Vectors) or domain.q != 2 or not isinstance(both, bool):
        raise InvalidInput("a rule of literals needs a domain of points of {0,1}^n.")
    literals = LiteralBits(domain.n, both, check_label(data["asked"]))
    sets = []
    for name in ("decisive", "others"):
        chosen = data[name]
        if any(type(i) is not int or not 0 <= i < domain.n * (1 + both) for i in chosen):
            raise InvalidInput(f"literals are numbered from 0 to {domain.n * (1 + both) - 1}.")
        sets.append(sum(1 << i for i in set(chosen)))
    return LiteralRule(literals, check_label(data["label"]), *sets)


def _list(data: Any, domain: Domain) -> Hypothesis:
    if not isinstance(domain, Vectors) or domain.q != 2:
        raise InvalidInput("a decision list needs a domain of points of {0,1}^n.")
    for conjunction, _ in data["rules"]:
        if any(type(i) is not int or not 0 <= i < 2 * domain.n for i in conjunction):
            raise InvalidInput(f"literals are numbered from 0 to {2 * domain.n - 1}.")
    return LiteralList(domain, data["rules"], check_label(data["default"]))


READERS: dict[str, Callable[[Any, Domain], Hypothesis]] = {
    "labels": _labels,
    "constant": lambda data, domain: Constant(domain, check_label(data["label"])),
    "changed": _changed,
    "all but": lambda data, domain: AllBut(
        domain, check_label(data["label"]), [domain.require(from_json(x)) for x in data["points"]]
    ),
    "steps": _steps,
    "box": _box,
    "flat": _flat,
    "list": _list,
    "literals": _literals,
}
"""Function that reads a hypothesis from JSON, for each type of hypothesis."""
