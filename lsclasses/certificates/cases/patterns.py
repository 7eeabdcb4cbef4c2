"""Stars, hollow stars and thresholds, with an object for the lower bound and cases for the upper.

``docs/certificates.md`` states the invariants A1 to A4, B1 to B4 and E1 to E5 of the checkers, and
proves that they suffice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from lsclasses.certificates.cases.replay import DimensionClaim, members
from lsclasses.errors import BadCertificate, TooLarge

MOST_SPLIT = 1 << 12
"""The largest number of concepts or points of a case that can be split."""


class PartOfStar(NamedTuple):
    """A case of a proof: a star of which some points and the labels of its centre are known.

    Attributes
    ----------
    centres : set of concepts
        Concepts that agree with all known labels.
    rays : tuple of sets of concepts
        Concepts that disagree only at one point, for each known point of the star.
    points : set of points
        Points that may be added to the star.
    """

    centres: int
    rays: tuple[int, ...]
    points: int


class StarNumberClaim(DimensionClaim[PartOfStar]):
    """The claim that the star number of a table equals `value`."""

    FIELDS: ClassVar = {"points": 1, "concepts": 1}

    def check_evidence(self) -> None:
        """Check the star, whose concepts are the centre and then one concept for each point."""
        # A1
        points, concepts = self.distinct("points", len(self.columns)), self.positions("concepts")
        if len(points) != self.value or len(concepts) != self.value + 1:
            raise BadCertificate(
                f"A star of {self.value} points must have one concept more than points."
            )
        if any(c >= len(self.rows) for c in concepts):
            raise BadCertificate("The star has a concept that is not in the class.")
        among = sum(1 << x for x in points)
        for x, concept in zip(points, concepts[1:], strict=True):
            if (self.rows[concept] ^ self.rows[concepts[0]]) & among != 1 << x:
                raise BadCertificate(f"Concept {concept} does not differ from the centre at {x}.")

    def start(self) -> list[PartOfStar]:
        """Return a list with the first case: a star of which no point is known."""
        return [self._with_points(self.whole, (), (1 << len(self.columns)) - 1)]

    def cases(self, state: PartOfStar, choice: int) -> list[PartOfStar]:
        """Return the cases into which a point splits a case.

        One case excludes the point from the star. Two cases add the point, one for each label that
        the centre can give the point.
        """
        # A2
        if not state.points >> choice & 1:
            raise BadCertificate(f"Point {choice} may not be added.")
        rest = state.points ^ 1 << choice
        found = [self._with_points(state.centres, state.rays, rest)]
        for side in self._sides(state.centres, state.rays, choice):
            rays = tuple(ray & self._agreeing(side, choice) for ray in state.rays)
            found.append(self._with_points(side, (*rays, state.centres ^ side), rest))
        return found

    def closed(self, state: PartOfStar, reason: tuple[int, ...]) -> bool:
        """Return whether too few points or concepts remain for a star of `value` + 1 points."""
        # A4
        missing = self.value + 1 - len(state.rays)
        few = min(state.points.bit_count(), state.centres.bit_count() - 1)
        return not reason and few < missing

    def _agreeing(self, side: int, x: int) -> int:
        """Return all concepts with the common label of a side at a point."""
        return self.columns[x] if side & self.columns[x] else ~self.columns[x]

    def _sides(self, centres: int, rays: tuple[int, ...], x: int) -> list[int]:
        """Return the remaining centres after a point is added, for each of its possible labels."""
        # A3
        missing = self.value + 1 - len(rays)
        ones = centres & self.columns[x]
        return [
            side
            for side in (centres ^ ones, ones)
            if side.bit_count() >= max(1, missing)
            and side != centres
            and all(ray & self._agreeing(side, x) for ray in rays)
        ]

    def _with_points(self, centres: int, rays: tuple[int, ...], points: int) -> PartOfStar:
        kept = sum(1 << x for x in members(points) if self._sides(centres, rays, x))
        return PartOfStar(centres, rays, kept)


class PartOfSample(NamedTuple):
    """A case of a proof: a minimal non-realizable sample of which some examples are known.

    The example (x, y) has the number 2 x + y.

    Attributes
    ----------
    agreeing : set of concepts
        Concepts that no known example contradicts.
    alone : tuple of sets of concepts
        Concepts that only one known example contradicts, for each known example.
    allowed : set of examples
        Examples that may be added.
    """

    agreeing: int
    alone: tuple[int, ...]
    allowed: int


class HollowStar(DimensionClaim[PartOfSample]):
    """The claim that the hollow star number of a table equals `value`."""

    FIELDS: ClassVar = {"points": 1, "labels": 1}

    def check_evidence(self) -> None:
        """Check that the sample is not realizable, but realizable after a change of any label."""
        # B1
        points, labels = self.distinct("points", len(self.columns)), self.positions("labels")
        if len(points) != self.value or len(labels) != self.value or not set(labels) <= {0, 1}:
            raise BadCertificate(f"The sample must have {self.value} points with labels.")
        against = [self._against(2 * x + y) for x, y in zip(points, labels, strict=True)]
        for i in range(-1 if self.value else 0, self.value):
            fits = self.whole
            for j, contradicted in enumerate(against):
                fits &= contradicted if i == j else ~contradicted
            if bool(fits) != (i >= 0):
                raise BadCertificate(
                    "Some concept agrees with the sample, or no concept agrees "
                    "after one label is changed."
                )

    def start(self) -> list[PartOfSample]:
        """Return a list with the first case: a sample of which no example is known."""
        return [PartOfSample(self.whole, (), (1 << 2 * len(self.columns)) - 1)]

    def cases(self, state: PartOfSample, choice: int) -> list[PartOfSample]:
        """Return the cases into which a concept splits a case.

        Some example of the sample must contradict the concept. Each case adds one such example as
        the example with the largest number.
        """
        # B2
        if not state.agreeing >> choice & 1:
            raise BadCertificate(f"Concept {choice} does not agree with the sample.")
        against = self.contradicting(choice)
        allowed, found = state.allowed & ~against, []
        for example in members(state.allowed & against):
            contradicted = self._against(example)
            # B3
            alone = *(each & ~contradicted for each in state.alone), state.agreeing & contradicted
            if all(alone):
                others = allowed & ~(3 << (example & ~1))
                found.append(PartOfSample(state.agreeing & ~contradicted, alone, others))
            allowed |= 1 << example
        return found

    def closed(self, state: PartOfSample, reason: tuple[int, ...]) -> bool:
        """Return whether too few points or concepts remain for a sample of `value` + 1 points."""
        # B4
        points = sum(state.allowed >> 2 * x & 3 != 0 for x in range(self._points))
        few = min(points, state.agreeing.bit_count())
        return not reason and len(state.alone) + few <= self.value

    def contradicting(self, concept: int) -> int:
        """Return the examples that contradict a concept."""
        row = self.rows[concept]
        return sum(1 << 2 * x + 1 - (row >> x & 1) for x in range(self._points))

    @property
    def _points(self) -> int:
        return len(self.columns)

    def _against(self, example: int) -> int:
        """Return the concepts that an example contradicts."""
        column = self.columns[example >> 1]
        return self.whole ^ column if example & 1 else column


class Rest(NamedTuple):
    """A case of a proof: a line of `length` thresholds among the given points and concepts.

    In a line, the i-th concept has label 1 exactly at the i-th point and at later points.

    Attributes
    ----------
    points, concepts : int
        Sets of points and of concepts, as bits.
    length : int
        Number of thresholds.
    """

    points: int
    concepts: int
    length: int


class ThresholdLine(DimensionClaim[Rest]):
    """The claim that the threshold dimension of a table equals `value`."""

    FIELDS: ClassVar = {"points": 1, "concepts": 1}

    def check_evidence(self) -> None:
        """Check that the evidence is a line of thresholds.

        In a line, the i-th concept has label 1 at the i-th point and at later points. It has
        label 0 at earlier points.
        """
        # E1
        points, concepts = self.positions("points"), self.positions("concepts")
        if not len(points) == len(concepts) == self.value:
            raise BadCertificate(f"The line must have {self.value} points and as many concepts.")
        if any(x >= len(self.columns) for x in points) or any(
            c >= len(self.rows) for c in concepts
        ):
            raise BadCertificate("The line has a point or concept that is not in the class.")
        for i, concept in enumerate(concepts):
            for j, x in enumerate(points):
                if self.rows[concept] >> x & 1 != (i <= j):
                    raise BadCertificate(f"Concept {concept} must have label {int(i <= j)} at {x}.")

    def start(self) -> list[Rest]:
        """Return a list with the first case: a line among all points and all concepts."""
        self._earlier: list[Rest] = []
        everywhere = (1 << len(self.columns)) - 1
        return [self._reduced(everywhere, self.whole, self.value + 1)]

    def visit(self, state: Rest) -> None:
        """Record a case, so that later items can refer to it."""
        self._earlier.append(state)

    def cases(self, state: Rest, choice: int) -> list[Rest]:
        """Return the cases that remain after the first threshold of the line is chosen.

        Each case has the points and the concepts that can follow the first threshold. Only cases
        with maximal sets are returned.
        """
        # E3
        if choice or state.length < 2:
            raise BadCertificate("The number 0 splits a line of at least two thresholds.")
        if max(state.points.bit_count(), state.concepts.bit_count()) > MOST_SPLIT:
            raise TooLarge(
                f"A case of more than {MOST_SPLIT} points or concepts cannot be split.",
                limit=MOST_SPLIT,
            )
        return [
            self._reduced(ones, zeros, state.length - 1)
            for ones in _largest(self.rows[c] & state.points for c in members(state.concepts))
            for zeros in _largest(state.concepts & ~self.columns[x] for x in members(ones))
        ]

    def closed(self, state: Rest, reason: tuple[int, ...]) -> bool:
        """Return whether a case contains no line.

        Without a reason, the check counts the labels 1 of the case, which must be too few for a
        line. A reason is the number of an earlier case that contains this case.
        """
        if reason:
            # E5
            (number, *more) = reason
            if more or number >= len(self._earlier) - 1:
                raise BadCertificate(f"No earlier case {list(reason)} exists.")
            other = self._earlier[number]
            inside = not (state.points & ~other.points or state.concepts & ~other.concepts)
            return inside and other.length <= state.length
        # E4
        rows = [(self.rows[c] & state.points).bit_count() for c in members(state.concepts)]
        columns = [(self.columns[x] & state.concepts).bit_count() for x in members(state.points)]
        return not (_stairs(rows, state.length) and _stairs(columns, state.length))

    def _reduced(self, points: int, concepts: int, length: int) -> Rest:
        """Return one of several equal concepts and points, if it has a label 1."""
        # E2
        while True:
            rows: dict[int, int] = {}
            for c in members(concepts):
                rows.setdefault(self.rows[c] & points, c)
            rows.pop(0, None)
            fewer = sum(1 << c for c in rows.values())
            columns: dict[int, int] = {}
            for x in members(points):
                columns.setdefault(self.columns[x] & fewer, x)
            columns.pop(0, None)
            left = sum(1 << x for x in columns.values())
            if (left, fewer) == (points, concepts):
                return Rest(points, concepts, length)
            points, concepts = left, fewer


def _largest(sets: Iterable[int]) -> list[int]:
    """Return the maximal sets with respect to inclusion, without duplicates."""
    found: list[int] = []
    for each in sorted(set(sets), key=lambda bits: (-bits.bit_count(), bits)):
        if all(each & ~larger for larger in found):
            found.append(each)
    return found


def _stairs(sizes: list[int], length: int) -> bool:
    """Return whether there are sizes of at least `length`, `length` - 1, ..., 1."""
    highest = sorted(sizes, reverse=True)[:length]
    return len(highest) == length and all(s >= length - i for i, s in enumerate(highest))
