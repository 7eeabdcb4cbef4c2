"""Least sizes of sample compression schemes: labelled or not, proper, stable, and by an order.

A SAT solver finds the schemes of `lsclasses.dimensions.compression`, and their definition checks
them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from catalog.parameters.base import (
    ClassParameter,
    Named,
    Numbers,
    Parts,
    Pattern,
    evidence,
    not_a_label,
    numbers_of,
    pattern_on,
    patterns_on,
    projections,
    register,
    searched,
)
from catalog.parameters.teaching import recursive_teaching
from lsclasses.dimensions.compression import (
    MOST_POINTS,
    CompressionScheme,
    compression_scheme,
    labelled_compression_size,
    unlabelled_compression_size,
)
from lsclasses.dimensions.definitions import Labels, Problem, listed
from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import BadCertificate
from lsclasses.limits import Limit, Meter
from lsclasses.point_names import name_text
from lsclasses.table import Table

ORDERED = 4
"""Largest number of points for which the search over sets of labellings is fast enough."""
REFERENCES = {
    "labelled": "Floyd and Warmuth 1995",
    "unlabelled": "Kuzmin and Warmuth 2007",
    "stable": "Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
}


def _add(labelled: bool, proper: bool, stable: bool) -> None:
    """Register the least size of one type of scheme."""
    kind = "labelled" if labelled else "unlabelled"
    words = [*(["proper"] if proper else []), *(["stable"] if stable else []), kind]
    least = labelled_compression_size if labelled else unlabelled_compression_size

    def search(table: Table, limit: Limit | None) -> Quantity:
        return least(table, proper=proper, stable=stable, limit=limit)

    symbol = f"{'p' if proper else ''}{'s' if stable else ''}{'L' if labelled else 'U'}SC"
    made = "concept" if proper else "labelling"
    rebuilt = "concept" if proper else "labelling of all points"
    others = "other examples" if labelled else "examples at other points"
    register(
        ClassParameter(
            "_".join([*words, "compression"]),
            f"{' '.join(words)} sample compression",
            symbol,
            f"The least k for which a {' '.join([*words[:-1], 'sample'])} compression scheme keeps "
            f"at most k {'examples' if labelled else 'points'} of every sample that some concept "
            f"agrees with, and rebuilds from them a {rebuilt} that agrees with the sample."
            + (f" The {made} does not change if the sample loses {others}." if stable else ""),
            search,
            REFERENCES["stable" if stable else kind],
            most_points=MOST_POINTS,
            needs="pysat",
        )
    )


for _compression_labelled, _compression_proper, _compression_stable in itertools.product(
    (True, False), (False, True), (False, True)
):
    _add(_compression_labelled, _compression_proper, _compression_stable)


# ---- schemes that an order makes


@searched(
    "order sample compression",
    "OSC",
    ORDERED,
    reference="Darnstädt, Kiss, Simon and Zilles 2016",
)
def order_compression(table: Table, limit: Limit | None) -> int:
    """The least k such that, for some order of all labellings, the following holds. Every sample
    that some concept agrees with contains at most k examples such that the first labelling that
    agrees with these examples agrees with the whole sample.
    """
    return orders(table, limit).least()


@searched(
    "proper order sample compression",
    "pOSC",
    ORDERED,
    reference="Darnstädt, Kiss, Simon and Zilles 2016",
)
def proper_order_compression(table: Table, limit: Limit | None) -> int:
    """The least k such that, for some order of the concepts, the following holds. Every sample that
    some concept agrees with contains at most k examples such that the first concept that agrees
    with these examples agrees with the whole sample.
    """
    return orders(table, limit, proper=True).least()


def orders(table: Table, limit: Limit | None, *, proper: bool = False) -> Orders:
    """Return a search for an order of all labellings of a class.

    If `proper` is true, the search is for an order of the concepts.
    """
    numbers, points = numbers_of(table), len(table.points)
    return Orders(numbers, sorted(numbers) if proper else range(2**points), points, limit)


class Orders:
    """The search for an order of hypotheses that makes a compression scheme.

    The scheme rebuilds the first hypothesis that agrees with the compression set of a sample. Let h
    be the first hypothesis that agrees with the whole sample. Then the compression set must
    contradict all hypotheses before h. So h may follow other hypotheses under this condition: every
    inclusion-minimal set of examples of h that contradicts all hypotheses before h, and that some
    concept of the class agrees with, has at most k elements. The condition depends only on the set
    of hypotheses before h, and not on their order. So the search visits each set once.
    """

    def __init__(
        self, numbers: Numbers, hypotheses: Iterable[int], points: int, limit: Limit | None
    ) -> None:
        self._concepts = sum(1 << c for c in numbers)
        self._hypotheses = tuple(hypotheses)
        self._meter = Meter(limit)
        self._lower = max(recursive_teaching(*each) for each in projections(numbers, points))
        # For each set of points on which a hypothesis agrees with some concept, the hypotheses that
        # the labels on this set contradict.
        sets = sorted(range(2**points), key=int.bit_count)
        self._denied = {
            h: [
                (s, sum(1 << g for g in self._hypotheses if (h ^ g) & s))
                for s in sets
                if any((c ^ h) & s == 0 for c in numbers)
            ]
            for h in self._hypotheses
        }
        self._costs: dict[tuple[int, int], int] = {}

    def least(self) -> int:
        """Return the least k for which some order makes a scheme of size k.

        In any order, k examples teach the last concept of the class against all other concepts. So
        k is at least the recursive teaching dimension of the class on any set of its points.
        """
        return next(k for k in itertools.count(self._lower) if self.order(k) is not None)

    def order(self, k: int) -> tuple[int, ...] | None:
        """Return an order that makes a scheme of size k, or None if no such order exists.

        The order ends with the last concept.
        """
        return self._rest(0, k, set())

    def _rest(self, before: int, k: int, failed: set[int]) -> tuple[int, ...] | None:
        """Return further hypotheses, until the order contains every concept, or None."""
        if not self._concepts & ~before:
            return ()
        if before in failed:
            return None
        self._meter.tick()
        costs = {h: self._cost(h, before) for h in self._hypotheses if not before >> h & 1}
        # Hypotheses with cost -1 are left out: no sample gives them, because every sample that
        # contradicts all hypotheses before such a hypothesis also contradicts the hypothesis.
        for h in sorted((h for h in costs if 0 <= costs[h] <= k), key=costs.__getitem__):
            rest = self._rest(before | 1 << h, k, failed)
            if rest is not None:
                return (h, *rest)
        failed.add(before)
        return None

    def _cost(self, h: int, before: int) -> int:
        """Return the size of the largest minimal set of examples that `Orders` requires for h.

        The result is -1 if the scheme does not rebuild h from any sample.
        """
        known = self._costs.get((h, before))
        if known is not None:
            return known
        smallest: list[int] = []
        for s, denied in self._denied[h]:
            if not before & ~denied and not any(t & ~s == 0 for t in smallest):
                smallest.append(s)
        cost = max((s.bit_count() for s in smallest), default=-1)
        self._costs[h, before] = cost
        return cost


# ---- searches for witnesses


def find_scheme(labelled: bool, proper: bool, stable: bool) -> Callable[..., Parts]:
    """Return the function that searches for the evidence: a scheme of a given type."""

    def find(C: Named, value: int) -> Parts:
        found = compression_scheme(
            C.table, labelled=labelled, proper=proper, stable=stable, limit=C.limit
        )
        place = {x: j for j, x in enumerate(C.table.points)}

        def sort(kept: Any) -> tuple[Any, ...]:
            if labelled:
                return tuple(sorted(kept, key=lambda each: place[each[0]]))
            return tuple(sorted(kept, key=place.__getitem__))

        def sample(each: Any) -> tuple[Any, ...]:
            return tuple(sorted(each, key=lambda example: place[example[0]]))

        pairs = sorted(
            ((sample(s), sort(kept)) for s, kept in found.compressed.items()),
            key=lambda pair: (len(pair[0]), [(place[x], y) for x, y in pair[0]]),
        )
        return {
            "compressed": tuple(pairs),
            "rebuilt": tuple((sort(kept), labels) for kept, labels in found.rebuilt.items()),
        }

    return find


def find_order(C: Named, value: int) -> Parts:
    """Return an order of labellings that makes a compression scheme, as evidence."""
    found = _order_for(C, value, proper=False)
    return {"labellings": tuple(tuple(h >> j & 1 for j in range(C.n)) for h in found)}


def find_order_of_concepts(C: Named, value: int) -> Parts:
    """Return an order of the concepts that makes a compression scheme, as evidence."""
    return {"concepts": C.concepts(list(_order_for(C, value, proper=True)))}


def _order_for(C: Named, value: int, *, proper: bool) -> tuple[int, ...]:
    found = orders(C.table, C.limit, proper=proper).order(value)
    assert found is not None
    return found


# ---- checks of witnesses


def check_scheme(labelled: bool, proper: bool, stable: bool) -> Callable[..., Problem]:
    """Return the function that checks the evidence: a scheme of a given type."""
    return partial(_scheme, labelled=labelled, proper=proper, stable=stable)


def _table(labels: Labels) -> Table:
    rows = [pattern_on(labels, c, labels.points) for c in labels.concepts]
    return Table(rows, domain=labels.points)


def _scheme(
    labels: Labels, parts: Parts, value: int, *, labelled: bool, proper: bool, stable: bool
) -> Problem:
    found = CompressionScheme(
        labelled,
        {frozenset(sample): frozenset(kept) for sample, kept in parts["compressed"]},
        {frozenset(kept): tuple(rebuilt) for kept, rebuilt in parts["rebuilt"]},
    )
    try:
        found.check(_table(labels), proper=proper, stable=stable)
    except BadCertificate as error:
        return str(error).rstrip(".")
    return f"{found.size} are kept of a sample" if found.size > value else ""


def check_order(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in an order of labellings that makes a compression scheme, or ""."""
    return _rebuilt_in_order(labels, [tuple(each) for each in parts["labellings"]], value)


def check_order_of_concepts(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in an order of the concepts that makes a compression scheme, or ""."""
    concepts = parts["concepts"]
    if problem := labels.missing(concepts):
        return problem
    return _rebuilt_in_order(
        labels, [pattern_on(labels, c, labels.points) for c in concepts], value
    )


def _rebuilt_in_order(labels: Labels, hypotheses: Sequence[Pattern], value: int) -> Problem:
    """Check that each sample has a few examples whose first hypothesis agrees with the sample."""
    n = len(labels.points)
    if any(len(h) != n for h in hypotheses):
        return f"a labelling has {n} labels"
    if problem := not_a_label(itertools.chain(*hypotheses)):
        return problem
    for size in range(n + 1):
        for places in itertools.combinations(range(n), size):
            for pattern in patterns_on(labels, [labels.points[i] for i in places]):
                sample = list(zip(places, pattern, strict=True))
                kept = itertools.combinations(sample, min(size, value))
                if not any(_first(hypotheses, part, sample) for part in kept):
                    described = [f"({name_text(labels.points[i])}, {y})" for i, y in sample]
                    return f"the sample {listed(described)} is not rebuilt"
    return ""


def _first(
    hypotheses: Sequence[Pattern], kept: Sequence[tuple[int, int]], sample: list[tuple[int, int]]
) -> bool:
    """Check that the first hypothesis that agrees with the kept examples agrees with the sample."""
    for h in hypotheses:
        if all(h[i] == y for i, y in kept):
            return all(h[i] == y for i, y in sample)
    return False


# ---- the parts of witnesses


evidence(
    "order_compression",
    "labellings in an order: each sample contains at most n examples such that the first "
    "labelling that agrees with them agrees with the whole sample (n is the value)",
    find_order,
    check_order,
    at_most=True,
)
evidence(
    "proper_order_compression",
    "the concepts in an order: each sample contains at most n examples such that the first "
    "concept that agrees with them agrees with the whole sample (n is the value)",
    find_order_of_concepts,
    check_order_of_concepts,
    at_most=True,
)
for _kind in itertools.product((True, False), repeat=3):
    __reg_compression_labelled, __reg_compression_proper, __reg_compression_stable = _kind
    _words = [
        *(["proper"] if __reg_compression_proper else []),
        *(["stable"] if __reg_compression_stable else []),
    ]
    evidence(
        "_".join(
            [*_words, "labelled" if __reg_compression_labelled else "unlabelled", "compression"]
        ),
        "a scheme: the compression set of each sample, and the labels that the scheme rebuilds "
        "from each compression set",
        find_scheme(*_kind),
        check_scheme(*_kind),
        at_most=True,
    )
