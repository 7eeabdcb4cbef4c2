r"""Labellings of some points by a class, and the least errors of the concepts of each labelling.

[LWY25, Alg 4] compares the labellings h of the drawn points. The score of h is small if some
concept with few errors nearly agrees with h on these points:

    s(h) = min over all f of n apart(h, f) + m best(f),

where apart counts drawn rows on which two labellings differ, and best(f) is the least number of
errors on all n rows among concepts with the labelling f.

**Labellings without a table.** A version space is restricted by one point after the other, until no
point or only one concept remains. *Claim:* if the class has Littlestone dimension d, at most sum
over i = 1, ..., d of C(k + 1, i) version spaces with several concepts occur on k points. *Proof.*
Let N_d(k) be their largest number. One of the two restrictions of a class has a smaller dimension,
and a class of dimension 0 has one concept, so N_0(k) = 0 and N_d(k) <= 1 + N_d(k - 1) +
N_(d-1)(k - 1). The sums satisfy this with equality, as C(k, i) + C(k, i - 1) = C(k + 1, i). So
whether a class is too large depends only on d and the number of rows, and not on their content.

**Scores without all pairs.** Labellings f are processed in increasing order of best(f). *If a path
over another g is shorter, that is n apart(f, g) + m best(g) < m best(f), then f can be left out:*
apart is a metric, so for each h the path over g is shorter, too. No h with s(h) <= m best(f) + n
can gain from f, because different labellings differ on at least one row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice

import numpy as np
from numpy.typing import NDArray

from learners.pac.samples import Example, Sample, count_errors
from lsclasses.concept_class import ConceptClass
from lsclasses.dimensions.growth import sauer_bound
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis, differences
from lsclasses.point_names import Label, Point
from lsclasses.stacks import HypothesisStack
from lsclasses.table import Table

FEW = 64
"""Largest number of points with a label different from the first rule for which the labels are
looked up one by one."""

COMPARED = 1 << 10
"""Number of labellings in a block that is compared with one labelling."""

UNPACKED = 1 << 24
"""Number of labels that are unpacked together."""


def most_labellings(C: ConceptClass, rows: int, enough: int) -> int:
    """Return a bound on the number of labellings of some rows, by properties of the class only.

    Parameters
    ----------
    C : ConceptClass
        Concept class.
    rows : int
        Number of rows.
    enough : int
        Threshold. If one of the simple bounds is at most this number, the VC dimension is not
        computed.
    """
    points = rows if C.domain.size is None else min(rows, C.domain.size)
    ways = 1 << points
    if ways > enough:
        with suppress(TooLarge):
            ways = min(ways, ways if C.size is None else C.size)
    return ways if ways <= enough else min(ways, sauer_bound(points, C.vcdim()))


def most_restrictions(C: ConceptClass, rows: int) -> int:
    """Return a bound on the number of version spaces with several concepts on some rows."""
    points = rows if C.domain.size is None else min(rows, C.domain.size)
    return sauer_bound(points + 1, C.ldim()) - 1


@dataclass(frozen=True, eq=False)
class Labellings:
    """The labellings of the drawn points by a class.

    Attributes
    ----------
    points : list of point
        Different drawn points.
    counts : array of int, shape (points,)
        Number of drawn rows of each point.
    packed : array of uint8, shape (labellings, bytes)
        Labels, eight to a byte, with the first point in the lowest bit.
    best : array of int, shape (labellings,)
        Fewest errors on all rows of a concept with this labelling of the drawn points.
    """

    points: list[Point]
    counts: NDArray[np.int64]
    packed: NDArray[np.uint8]
    best: NDArray[np.int64]

    @classmethod
    def listed(cls, table: Table, drawn: Sequence[Example], sample: Sample) -> Labellings:
        """Return the labellings by the concepts of a table."""
        points, counts = _points(drawn)
        columns = [table.domain.index(x) for x in points]
        ways, group = np.unique(table.labels[:, columns], axis=0, return_inverse=True)
        best = np.full(len(ways), np.iinfo(np.int64).max)
        errors = np.array(count_errors(table, sample), dtype=np.int64)
        np.minimum.at(best, group.reshape(-1), errors)
        return cls(points, counts, np.packbits(ways, axis=1, bitorder="little"), best)

    @classmethod
    def by_restriction(
        cls, C: ConceptClass, drawn: Sequence[Example], sample: Sample
    ) -> Labellings:
        """Return the labellings by restricting the class, which need not be finite."""
        points, counts = _points(drawn)
        if C._lists_labellings():
            return cls._of_concepts(C, points, counts, sample)
        best: dict[int, int] = {}
        for labels, errors in _Walk(C, points, sample.counts).leaves():
            known = best.get(labels)
            best[labels] = errors if known is None else min(known, errors)
        size = -(-len(points) // 8)
        written = b"".join(labels.to_bytes(size, "little") for labels in best)
        packed = np.frombuffer(written, np.uint8).reshape(len(best), size)
        return cls(points, counts, packed, np.fromiter(best.values(), np.int64, len(best)))

    @classmethod
    def _of_concepts(
        cls, C: ConceptClass, points: list[Point], counts: NDArray[np.int64], sample: Sample
    ) -> Labellings:
        """Return the labellings from one of the best concepts of each."""
        stack, errors = HypothesisStack(C.domain), []
        for concept, wrong in C._best_of_labellings(points, sample.counts):
            stack.append(concept)
            errors.append(wrong)
        packed = np.zeros((len(errors), -(-len(points) // 8)), np.uint8)
        for i, x in enumerate(points):
            packed[:, i // 8] |= stack.labels(x).astype(np.uint8) << i % 8
        return cls(points, counts, packed, np.array(errors, dtype=np.int64))

    def labels(self, labelling: int) -> dict[Point, Label]:
        """Return the label of each drawn point."""
        row = np.unpackbits(self.packed[labelling], count=len(self.points), bitorder="little")
        return dict(zip(self.points, row.tolist(), strict=True))

    def scores(self, size: int, drawn: int) -> NDArray[np.int64]:
        """Return, for each labelling h, the least n apart(h, f) + m best(f) over labellings f.

        The number apart(h, f) counts the drawn rows on which h and f differ. The number best(f) is
        the fewest errors on all rows of a concept with the labelling f.

        Parameters
        ----------
        size, drawn : int
            Number n of all rows, and number m of drawn rows.
        """
        own = drawn * self.best
        # [LWY25, Alg 4 line 4], times n m
        scores, planes = own.copy(), self._planes()
        for f in np.argsort(own, kind="stable"):
            if scores[f] < own[f]:
                continue
            (far,) = np.nonzero(scores > own[f] + size)
            if not far.size:
                break
            for start in range(0, len(far), COMPARED):
                some = far[start : start + COMPARED]
                apart = np.zeros(len(some), dtype=np.int64)
                for power, plane in enumerate(planes):
                    differ = np.bitwise_count(plane[some] ^ plane[f])
                    apart += differ.sum(axis=1, dtype=np.int64) << power
                scores[some] = np.minimum(scores[some], own[f] + size * apart)
        return scores

    def _planes(self) -> list[NDArray[np.uint64]]:
        """Return, for i = 0, 1, ..., labels of the points whose count has the bit i, in words."""
        planes = []
        step = max(1, UNPACKED // max(1, len(self.points)))
        for power in range(int(self.counts.max(initial=0)).bit_length()):
            (columns,) = np.nonzero(self.counts >> power & 1)
            words = np.zeros((len(self.packed), -(-len(columns) // 64)), dtype=np.uint64)
            held = words.view(np.uint8)
            for start in range(0, len(self.packed), step):
                part = np.unpackbits(self.packed[start : start + step], axis=1, bitorder="little")
                bits = np.packbits(part[:, columns], axis=1)
                held[start : start + step, : bits.shape[1]] = bits
            planes.append(words)
        return planes


def _points(drawn: Sequence[Example]) -> tuple[list[Point], NDArray[np.int64]]:
    counts = Counter(x for x, _ in drawn)
    return list(counts), np.fromiter(counts.values(), np.int64, len(counts))


class _Walk:
    """The version spaces of a class during its restriction, with drawn points first."""

    def __init__(
        self, C: ConceptClass, drawn: Sequence[Point], counts: Mapping[Example, int]
    ) -> None:
        self.root, self.drawn = C, len(drawn)
        self.order = list(dict.fromkeys((*drawn, *(x for x, _ in counts))))
        self.place = {x: i for i, x in enumerate(self.order)}
        self.wrong = [(counts.get((x, 1), 0), counts.get((x, 0), 0)) for x in self.order]
        """Numbers of rows on which a label is wrong."""
        self.rule = C.soa()
        self.says = [self.rule._label(x) for x in self.order]
        steps = (
            wrong[y] for wrong, y in zip(reversed(self.wrong), reversed(self.says), strict=True)
        )
        self.later = list(accumulate(steps, initial=0))[::-1]
        """Errors of the first rule from each position on."""
        self.bits = sum(1 << i for i, y in enumerate(self.says[: self.drawn]) if y)

    def leaves(self) -> Iterator[tuple[int, int]]:
        """Yield the labels of the drawn points, as bits, and the errors of each labelling.

        The errors are on all rows.

        Version spaces with one concept are not restricted further.
        """
        stack = [] if self.root.is_empty else [(self.root, 0, 0, 0)]
        while stack:
            version_space, at, errors, labels = stack.pop()
            if version_space.ldim() == 0:
                more, later = self._of(version_space.soa(), at)
                yield labels | more, errors + later
            elif at == len(self.order):
                yield labels, errors
            else:
                for y in (0, 1):
                    left = version_space._restrict(self.order[at], y)
                    if not left.is_empty:
                        more = y << at if at < self.drawn else 0
                        stack.append((left, at + 1, errors + self.wrong[at][y], labels | more))

    def _of(self, concept: Hypothesis, at: int) -> tuple[int, int]:
        """Return the labels of the drawn points, and the errors, of a concept from one place on."""
        places = self._changed(concept, at)
        if places is None:
            says = [concept._label(x) for x in self.order[at:]]
            labels = sum(1 << i for i, y in enumerate(says, at) if y and i < self.drawn)
            return labels, sum(wrong[y] for wrong, y in zip(self.wrong[at:], says, strict=True))
        labels, errors = self.bits >> at << at, self.later[at]
        for i in places:
            rule = self.says[i]
            errors += self.wrong[i][1 - rule] - self.wrong[i][rule]
            labels ^= 1 << i if i < self.drawn else 0
        return labels, errors

    def _changed(self, concept: Hypothesis, at: int) -> list[int] | None:
        """Return the positions where a concept differs from the first rule. None if many."""
        size = self.root.domain.size
        if size is not None and size <= len(self.order):
            return None
        try:
            points = list(islice(differences(self.rule, concept), FEW + 1))
        except TooLarge:
            return None
        found = [self.place[x] for x in points if x in self.place]
        return [i for i in found if i >= at] if len(points) <= FEW else None
