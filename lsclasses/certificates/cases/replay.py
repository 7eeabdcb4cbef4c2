"""Proofs by cases: a bound holds because every case of a counterexample is closed.

``docs/certificates.md`` proves, under the labels R1 to R3, that every claim that `replay` accepts
is true if the checkers of the single dimensions are correct. In this module, sets of concepts and
of points are the bits of integers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from lsclasses.certificates import reading
from lsclasses.errors import BadCertificate
from lsclasses.packed_labels import PackedLabels

Item = int | tuple[int, ...]
"""One step of a proof by cases.

A number splits a case into further cases. A tuple of numbers is a reason that closes the case.
"""
Evidence = Mapping[str, tuple[int, ...] | tuple[tuple[int, ...], ...]]
State = TypeVar("State")

MOST_NUMBERS = 1 << 20
"""The largest length of a proof by cases, counted in numbers and reasons."""


class DimensionClaim(ABC, Generic[State]):
    """The claim that a dimension of a class has a value, with an object that proves one bound.

    Cases prove the other bound. A case is the known part of an object that would refute the other
    bound. For example, a case may be the first points of a star.

    Parameters
    ----------
    table : PackedLabels
        Table of at least one concept.
    value : int
        The claimed value of the dimension.
    evidence : mapping
        Object that proves one bound, as lists of positions of points and concepts.
    """

    FIELDS: ClassVar[Mapping[str, int]]
    """Names of the parts of the evidence, with 1 for a list of numbers or 2 for a list of lists."""

    def __init__(self, table: PackedLabels, value: int, evidence: Evidence) -> None:
        self.table, self.value, self.evidence = table, value, evidence
        self.rows, self.columns = table.row_bits, table.column_bits
        self.whole = (1 << len(table)) - 1

    @abstractmethod
    def check_evidence(self) -> None:
        """Raise `BadCertificate` unless the evidence proves one bound on the dimension."""

    @abstractmethod
    def start(self) -> Sequence[State]:
        """Return the first cases, which cover each object that would refute the other bound."""

    @abstractmethod
    def cases(self, state: State, choice: int) -> Sequence[State]:
        """Return the cases into which a choice splits a case.

        They cover each object of the split case. An invalid choice raises `BadCertificate`.
        """

    def visit(self, state: State) -> None:
        """Record a case before it is split or closed. The base class records no cases."""

    @abstractmethod
    def closed(self, state: State, reason: tuple[int, ...]) -> bool:
        """Return whether a reason proves that a case contains no object."""

    def positions(self, part: str) -> tuple[int, ...]:
        """Return a part of the evidence, which is a list of positions."""
        found: tuple[int, ...] = self.evidence[part]  # type: ignore[assignment]
        return found

    def distinct(self, part: str, below: int) -> tuple[int, ...]:
        """Return a list of positions from the evidence, and check the positions.

        Raises
        ------
        BadCertificate
            If two positions are equal, or a position is not below `below`.
        """
        found = self.positions(part)
        if len(set(found)) != len(found) or any(i >= below for i in found):
            raise BadCertificate(f"The {part} must be distinct numbers below {below}.")
        return found


def replay(claim: DimensionClaim[State], items: Sequence[Item]) -> None:
    """Raise `BadCertificate` unless the items of a proof close every case.

    The i-th item splits or closes the i-th case. The cases are in depth-first order, so a case
    comes before all cases into which it is split.
    """
    # R1
    waiting = [*reversed(claim.start())]
    for number, item in enumerate(items):
        if not waiting:
            raise BadCertificate(f"All cases are already closed before item {number}.")
        state = waiting.pop()
        claim.visit(state)
        if isinstance(item, tuple):
            # R3
            if not claim.closed(state, item):
                raise BadCertificate(f"Item {number} does not close its case.")
        else:
            # R2
            waiting.extend(reversed(claim.cases(state, item)))
    if waiting:
        raise BadCertificate(f"The proof ends with {len(waiting)} open cases.")


def require_items(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the items of a proof by cases if they have the right form, else raise an error."""
    numbers = 0
    for item in reading.require_tuple(items, "The cases"):
        for number in item if isinstance(item, tuple) else (item,):
            reading.natural(number)
        numbers += len(item) + 1 if isinstance(item, tuple) else 1
    if numbers > MOST_NUMBERS:
        raise BadCertificate(
            f"A proof by cases must have at most {MOST_NUMBERS} numbers and reasons. Got {numbers}."
        )
    return items


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set of numbers, stored as the bits of an integer, from the least."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
