"""Teaching dimensions: teaching sets prove the upper bound, and cases prove the lower bound.

``docs/certificates.md`` states the invariants L1 to L3 and H1 to H6 of the checkers, and proves
that they suffice.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from lsclasses.certificates.cases.replay import DimensionClaim, members
from lsclasses.errors import BadCertificate, TooLarge

MOST_AGREEMENTS = 1 << 38
"""Largest number of labels that are compared with the labels of teaching sets."""
MOST_CONCEPTS = 1 << 12
"""The largest number of concepts of a class in which all pairs of concepts are compared."""


class LessonCase(NamedTuple):
    """A case of a proof: teaching sets of which some points are known.

    Attributes
    ----------
    target : int
        Concept of the only teaching set. The value -1 means that every concept has a teaching set.
    chosen : mapping from int to int
        Known points of a teaching set, as bits, by the number of the teaching set.
    excluded : mapping from int to int
        Points that a teaching set does not contain, as bits, by the number of the teaching set.
    """

    target: int
    chosen: Mapping[int, int]
    excluded: Mapping[int, int]


class Lessons(DimensionClaim[LessonCase]):
    """Base class of claims that a teaching dimension equals `value`.

    The evidence lists teaching sets of at most `value` points. Cases prove that teaching sets of at
    most `value` - 1 points do not suffice. Such a teaching set would have to meet certain sets of
    points. For example, it must contain a point at which two given concepts differ.
    """

    def check_evidence(self) -> None:
        """Check that each teaching set distinguishes its concept as the dimension requires."""
        # L1
        lessons: tuple[tuple[int, ...], ...] = self.evidence["lessons"]  # type: ignore[assignment]
        if len(lessons) != len(self.rows):
            raise BadCertificate(
                f"There must be {len(self.rows)} teaching sets. Got {len(lessons)}."
            )
        if len(self.rows) * sum(map(len, lessons)) > MOST_AGREEMENTS:
            raise TooLarge(
                f"The teaching sets of {len(self.rows)} concepts compare more than 2^38 labels.",
                limit=MOST_AGREEMENTS,
            )
        for i, lesson in enumerate(lessons):
            if len(lesson) > self.value or any(x >= len(self.columns) for x in lesson):
                raise BadCertificate(
                    f"The teaching set of concept {i} must be at most {self.value} points of the "
                    "class."
                )
        self._check_lessons(lessons)

    @abstractmethod
    def _check_lessons(self, lessons: Sequence[tuple[int, ...]]) -> None: ...

    def _agreeing(self, i: int, lesson: tuple[int, ...]) -> int:
        """Return the concepts that agree with the lesson of a concept."""
        agreeing = self.whole
        for x in lesson:
            column = self.columns[x]
            agreeing &= column if column >> i & 1 else ~column
        return agreeing

    @abstractmethod
    def _to_meet(self, case: LessonCase, number: int) -> dict[int, int]:
        """Return the set with a number, as points of teaching sets. One of them must be chosen."""

    def possible(self, case: LessonCase, number: int) -> dict[int, int]:
        """Return, for each teaching set of a case, the points that it may still add to meet a set.

        `number` is the number of the set that must be met.

        Raises
        ------
        BadCertificate
            If a chosen point already belongs to the set.
        """
        found = {}
        for lesson, points in self._to_meet(case, number).items():
            # H1
            chosen = case.chosen.get(lesson, 0)
            if chosen & points:
                raise BadCertificate(f"The chosen points already meet the set {number}.")
            full = chosen.bit_count() >= self.value - 1
            found[lesson] = 0 if full else points & ~case.excluded.get(lesson, 0)
        return found

    def cases(self, state: LessonCase, choice: int) -> list[LessonCase]:
        """Split a case by a set, one of whose points must be chosen, and return the new cases.

        For each point of the set, one new case chooses this point and excludes the earlier points.
        """
        # H2
        found, excluded = [], dict(state.excluded)
        for lesson, points in self.possible(state, choice).items():
            for x in members(points):
                chosen = {**state.chosen, lesson: state.chosen.get(lesson, 0) | 1 << x}
                found.append(LessonCase(state.target, chosen, dict(excluded)))
                excluded[lesson] = excluded.get(lesson, 0) | 1 << x
        return found

    def closed(self, state: LessonCase, reason: tuple[int, ...]) -> bool:
        """Return whether the teaching sets of a case cannot meet all sets of a reason.

        A reason is a list of sets that must be met, by their numbers. Each teaching set may have at
        most `value` - 1 points, and the points that it may still add are too few.
        """
        # H3
        meets: Counter[tuple[int, int]] = Counter()
        for number in reason:
            for lesson, points in self.possible(state, number).items():
                meets.update((lesson, x) for x in members(points))
        most: dict[int, int] = {}
        for (lesson, _), times in meets.items():
            most[lesson] = max(times, most.get(lesson, 0))
        return len(reason) > sum(
            times * (self.value - 1 - state.chosen.get(lesson, 0).bit_count())
            for lesson, times in most.items()
        )


class Teaching(Lessons):
    """The claim that the teaching dimension of a table equals `value`.

    Each teaching set distinguishes its concept from all other concepts.
    """

    FIELDS: ClassVar = {"lessons": 2, "hardest": 1}

    def _check_lessons(self, lessons: Sequence[tuple[int, ...]]) -> None:
        # L2
        for i, lesson in enumerate(lessons):
            if self._agreeing(i, lesson) != 1 << i:
                raise BadCertificate(
                    f"The teaching set of concept {i} does not distinguish it from all others."
                )
        if len(self.distinct("hardest", len(self.rows))) != 1:
            raise BadCertificate("Exactly one concept must be the hardest to teach.")

    def start(self) -> list[LessonCase]:
        """Return the first cases: an unknown teaching set for each of the hardest concepts."""
        # H4
        hardest = self.positions("hardest") if self.value else ()
        return [LessonCase(target, {}, {}) for target in hardest]

    @cached_property
    def others(self) -> int:
        """The concepts from which a teaching set must distinguish each hardest concept, as bits."""
        return self.whole

    def _to_meet(self, case: LessonCase, number: int) -> dict[int, int]:
        # H5
        if number == case.target or not self.others >> number & 1:
            raise BadCertificate(f"Concept {case.target} need not be distinguished from {number}.")
        return {0: self.rows[case.target] ^ self.rows[number]}


class RecursiveTeaching(Teaching):
    """The claim that the recursive teaching dimension of a table equals `value`.

    Each teaching set distinguishes its concept from all later concepts of an order.
    """

    FIELDS: ClassVar = {"lessons": 2, "order": 1, "hardest": 1}

    def _check_lessons(self, lessons: Sequence[tuple[int, ...]]) -> None:
        # L2
        left = self.whole
        for i in self.distinct("order", len(self.rows)):
            if self._agreeing(i, lessons[i]) & left != 1 << i:
                raise BadCertificate(
                    f"The teaching set of concept {i} does not distinguish it from later ones."
                )
            left ^= 1 << i
        if left:
            raise BadCertificate("The order must contain every concept.")
        if not self.distinct("hardest", len(self.rows)):
            raise BadCertificate("Some concepts must be hardest to teach. Got none.")

    @cached_property
    def others(self) -> int:
        """The concepts that are hardest to teach, as bits."""
        return sum(1 << i for i in self.positions("hardest"))


class NoClash(Lessons):
    """The claim that the no-clash teaching dimension of a table equals `value`.

    No two concepts have clashing teaching sets.
    """

    FIELDS: ClassVar = {"lessons": 2}

    def _check_lessons(self, lessons: Sequence[tuple[int, ...]]) -> None:
        # L3
        if len(self.rows) > MOST_CONCEPTS:
            raise TooLarge(
                f"Lessons are compared in pairs for at most {MOST_CONCEPTS} concepts.",
                estimate=len(self.rows),
                limit=MOST_CONCEPTS,
            )
        agreeing = [self._agreeing(i, lesson) for i, lesson in enumerate(lessons)]
        for i, lesson in enumerate(lessons):
            if sum(1 << x for x in set(lesson)) & ~self._usable(i):
                raise BadCertificate(f"The teaching set of concept {i} has a point with label 0.")
            for j in members(agreeing[i] >> i + 1 << i + 1):
                if agreeing[j] >> i & 1:
                    raise BadCertificate(f"The teaching sets of concepts {i} and {j} clash.")

    def _usable(self, i: int) -> int:
        """Return the points that the teaching set of a concept may have."""
        return (1 << len(self.columns)) - 1

    def start(self) -> list[LessonCase]:
        """Return the first case, of unknown teaching sets, or no case if the value is 0."""
        # H4
        return [LessonCase(-1, {}, {})] if self.value else []

    def _to_meet(self, case: LessonCase, number: int) -> dict[int, int]:
        # H6
        i, j = divmod(number, len(self.rows))
        if not i < j:
            raise BadCertificate(f"{number} is not the number of a pair of concepts i < j.")
        differing = self.rows[i] ^ self.rows[j]
        return {each: differing & self._usable(each) for each in (i, j)}


class PositiveNoClash(NoClash):
    """The claim that the positive no-clash teaching dimension of a table equals `value`.

    Teaching sets have only points with label 1.
    """

    def _usable(self, i: int) -> int:
        return self.rows[i]
