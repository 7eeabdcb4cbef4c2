r"""Evidence that bounds the further mistakes of a learner by sparse majorities from a state on.

A `MajorityCertificate` (of `learners.majorities.algorithm`) is checked against the class with only
integers and Littlestone dimensions. The check solves no linear program and does not rely on the
search for the weights. A `HalvingCertificate` (of `learners.majorities.sparse_halving`) is checked
by counting. docs/sparse-majorities.md lists the steps of the checks, and proves that they suffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, lcm

import numpy as np
from numpy.typing import NDArray

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate
from lsclasses.table import Table

HALF = Fraction(1, 2)


def steps_above(total: Fraction, least: Fraction, factor: Fraction) -> int:
    """Return the largest n with factor^n total >= least.

    Examples
    --------
    >>> steps_above(Fraction(9), Fraction(2), Fraction(1, 2))
    2
    """
    steps = 0
    while (total := total * factor) >= least:
        steps += 1
    return steps


@dataclass(frozen=True)
class LeafEvidence:
    """A leaf, which is a version space with a weight, and the evidence that it is good.

    Attributes
    ----------
    members : tuple of int
        Positions of the concepts of the leaf in the table of the class, increasing.
    weight : int
        Weight of the leaf, at least 1.
    dimension : int
        Littlestone dimension of the leaf.
    labels : tuple of 0 or 1
        One label for each point, in the order of the table. The concepts of the leaf with the
        opposite label at the point have a smaller dimension.
    votes : tuple of (int, int)
        Distinct members with integer weights. At every point, the members that contradict the
        label have a small share of the weight.
    """

    members: tuple[int, ...]
    weight: int
    dimension: int
    labels: tuple[int, ...]
    votes: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class MajorityCertificate:
    """A certificate of a mistake bound of a sparse majority, if a member of a leaf is the target.

    The certificate covers only streams that are consistent with a member of a leaf. In a state of
    the learner, the members are all concepts that agree with the true labels at its mistakes, but a
    certificate can have other members.

    Attributes
    ----------
    keep : Fraction
        Share xi. A leaf whose label was wrong keeps this share of its weight.
    share : Fraction
        Share xi', at least xi. At every point, at most this share of a leaf's votes contradicts the
        label of the leaf.
    tolerance : Fraction
        Number tau. The rule equals the majority of the mixture of the leaves wherever this majority
        has more than the share 1/2 + tau.
    leaves : tuple of LeafEvidence
        Leaves with the evidence that they are good.
    voters : tuple of (int, int)
        The rule, which is the majority of these concepts with multiplicities, a tie being 1.
    bound : int
        Largest number of further mistakes.
    """

    keep: Fraction
    share: Fraction
    tolerance: Fraction
    leaves: tuple[LeafEvidence, ...]
    voters: tuple[tuple[int, int], ...]
    bound: int

    @property
    def members(self) -> frozenset[int]:
        """The positions of the concepts of the claim, which are the concepts in the leaves."""
        return frozenset(member for leaf in self.leaves for member in leaf.members)

    @property
    def claim(self) -> str:
        """The claim that the certificate proves, in words."""
        return _claim(self.bound, len(self.members))

    def verify(self, C: ConceptClass) -> None:
        """Check the claim for a class.

        The check computes again the Littlestone dimension of each leaf, and of the concepts of the
        leaf with either label at a point.

        Parameters
        ----------
        C : ConceptClass
            Class that can be enumerated as a table. The numbers of concepts in the certificate are
            positions in this table.

        Raises
        ------
        BadCertificate
            If the evidence does not prove the claim. The message states where it fails.
        """
        table = C.to_table()
        rows = table.labels.astype(object)
        # M1
        for name in ("keep", "share", "tolerance"):
            if type(getattr(self, name)) is not Fraction:
                raise BadCertificate(f"The {name} must be a Fraction. Got {getattr(self, name)!r}.")
        factor = HALF + self.tolerance + self.share
        if not (0 < self.keep <= self.share and self.tolerance >= 0 and factor < 1):
            raise BadCertificate(
                "It must hold that 0 < keep <= share, tolerance >= 0 and share + tolerance < 1/2. "
                f"Got keep {self.keep}, share {self.share}, tolerance {self.tolerance}."
            )
        _natural(self.bound, "bound")
        if type(self.leaves) is not tuple or not self.leaves:
            raise BadCertificate("There must be a tuple of at least one leaf.")
        voting = [
            self._voting(table, rows, number, leaf) for number, leaf in enumerate(self.leaves)
        ]
        # The mixture is counted in integers, with the leaves' numbers of votes as a denominator.
        every = lcm(*(int(weights.sum()) for weights in voting))
        mixture = np.zeros(len(table), object)
        kept = [Fraction(0)] * len(table)
        for leaf, weights in zip(self.leaves, voting, strict=True):
            mixture += weights * (leaf.weight * every // weights.sum())
            part = leaf.weight * self.keep**leaf.dimension
            for member in leaf.members:
                kept[member] += part
        total = sum(leaf.weight for leaf in self.leaves)
        # M5
        _check_rule(rows, self.voters, mixture, total, self.tolerance, unit=every)
        # M6
        least = min(part for part in kept if part)
        possible = steps_above(Fraction(total), least, factor)
        if possible > self.bound:
            raise BadCertificate(
                f"The weights allow for {possible} mistakes, more than the stated bound of "
                f"{self.bound}. The smallest reserve of a member of a leaf is {least}."
            )

    def _voting(
        self, table: Table, rows: NDArray[np.uint8], number: int, leaf: LeafEvidence
    ) -> NDArray[np.object_]:
        """Return the votes in a leaf that passes, of shape (concepts,)."""
        where = f"Leaf {number}: "
        if type(leaf) is not LeafEvidence:
            raise BadCertificate(f"{where}it must be a LeafEvidence. Got {leaf!r}.")
        # M2
        members = _positions(leaf.members, len(table), f"{where}the members")
        if not members:
            raise BadCertificate(f"{where}it has no members.")
        _natural(leaf.weight, f"weight of leaf {number}", least=1)
        _natural(leaf.dimension, f"dimension of leaf {number}")
        labels = leaf.labels
        if (
            type(labels) is not tuple
            or len(labels) != rows.shape[1]
            or any(type(y) is not int or y not in (0, 1) for y in labels)
        ):
            raise BadCertificate(f"{where}there must be one label, 0 or 1, for each point.")
        # M3
        subclass = table._subclass(np.array(members))
        if subclass.ldim() != leaf.dimension:
            raise BadCertificate(
                f"{where}its dimension is {subclass.ldim()}. Got {leaf.dimension}."
            )
        for x, label in zip(table.domain, labels, strict=True):
            against = subclass.restrict(x, 1 - label).ldim()
            if against >= leaf.dimension:
                raise BadCertificate(
                    f"{where}the label {1 - label} of the point {x!r} leaves the dimension "
                    f"{against}, which is not less than {leaf.dimension}."
                )
        # M4
        votes = _counted(leaf.votes, len(table), f"{where}the votes")
        for position in votes:
            if position not in members:
                raise BadCertificate(f"{where}the concept {position} votes and is not a member.")
        weights = np.zeros(len(table), object)
        weights[list(votes)] = list(votes.values())
        total = sum(votes.values())
        most = floor(self.share * total)
        contradicting = weights @ (rows != np.array(labels, object))
        for x, wrong in zip(table.domain, contradicting, strict=True):
            if wrong > most:
                raise BadCertificate(
                    f"{where}at the point {x!r}, {wrong} of {total} votes contradict its label."
                )
        return weights


@dataclass(frozen=True)
class HalvingCertificate:
    """A certificate of a mistake bound of sparse halving, if some member is the target.

    The certificate covers only streams that are consistent with a member.

    Attributes
    ----------
    tolerance : Fraction
        Number tau. The rule equals the majority of the members wherever this majority has more than
        the share 1/2 + tau.
    members : tuple of int
        Positions of the remaining concepts in the table of the class, increasing.
    voters : tuple of (int, int)
        The rule, which is the majority of these concepts with multiplicities, a tie being 1.
    bound : int
        Largest number of further mistakes.
    """

    tolerance: Fraction
    members: tuple[int, ...]
    voters: tuple[tuple[int, int], ...]
    bound: int

    @property
    def claim(self) -> str:
        """The claim that the certificate proves, in words."""
        return _claim(self.bound, len(self.members))

    def verify(self, C: ConceptClass) -> None:
        """Check the claim for a class, by counting in its table.

        Raises
        ------
        BadCertificate
            If the evidence does not prove the claim. The message states where it fails.
        """
        table = C.to_table()
        # H1
        if type(self.tolerance) is not Fraction or not 0 <= self.tolerance < HALF:
            raise BadCertificate(
                f"The tolerance must be a Fraction in [0, 1/2). Got {self.tolerance!r}."
            )
        _natural(self.bound, "bound")
        # H2
        members = _positions(self.members, len(table), "The members")
        if not members:
            raise BadCertificate("There must be at least one member. Got none.")
        mixture = np.zeros(len(table), object)
        mixture[list(members)] = 1
        # H3
        rows = table.labels.astype(object)
        _check_rule(rows, self.voters, mixture, len(members), self.tolerance)
        # H4
        possible = steps_above(Fraction(len(members)), Fraction(1), HALF + self.tolerance)
        if possible > self.bound:
            raise BadCertificate(
                f"{len(members)} members allow for {possible} mistakes, more than {self.bound}."
            )


def _claim(bound: int, members: int) -> str:
    who = "its only concept" if members == 1 else f"one of its {members} concepts"
    return (
        f"at most {bound} more mistake{'' if bound == 1 else 's'} if {who} agrees with all examples"
    )


def _check_rule(
    rows: NDArray[np.uint8],
    given: object,
    mixture: NDArray[np.object_],
    weight: int,
    tolerance: Fraction,
    *,
    unit: int = 1,
) -> None:
    """Check that at every point at least 1/2 - tau of the mixture agrees with the majority.

    Parameters
    ----------
    rows : array of shape (concepts, points)
    given : tuple of (int, int)
        The voters.
    mixture : array of shape (concepts,)
        Weights in parts of 1/`unit`, which add up to `weight`.
    """
    voters = _counted(given, len(rows), "The voters")
    total = sum(voters.values())
    ones = np.array(list(voters.values()), object) @ rows[list(voters)]
    least = ceil((HALF - tolerance) * weight * unit)
    for x, (votes, share) in enumerate(zip(ones, mixture @ rows, strict=True)):
        label = int(2 * votes >= total)
        with_rule = share if label else weight * unit - share
        if with_rule < least:
            raise BadCertificate(
                f"At the point in position {x} the rule gives {label}, as only "
                f"{Fraction(with_rule, unit)} of "
                f"{weight} of the mixture do."
            )


def _natural(value: object, what: str, least: int = 0) -> None:
    # bool is a subclass of int.
    if type(value) is not int or value < least:
        raise BadCertificate(f"The {what} must be an integer, at least {least}. Got {value!r}.")


def _positions(given: object, concepts: int, what: str) -> tuple[int, ...]:
    """Increasing positions of concepts."""
    if type(given) is not tuple or any(type(i) is not int for i in given):
        raise BadCertificate(f"{what} must be a tuple of integers. Got {given!r}.")
    if any(not 0 <= i < concepts for i in given) or any(i >= j for i, j in pairwise(given)):
        raise BadCertificate(
            f"{what} must be increasing positions below {concepts}. Got {given!r}."
        )
    return given


def _counted(given: object, concepts: int, what: str) -> dict[int, int]:
    """Positions of concepts with their numbers of votes."""
    if type(given) is not tuple or any(type(i) is not tuple or len(i) != 2 for i in given):
        raise BadCertificate(f"{what} must be a tuple of pairs. Got {given!r}.")
    _positions(tuple(position for position, _ in given), concepts, what)
    for _, number in given:
        _natural(number, f"numbers of {what.removeprefix('The ')}", least=1)
    if not given:
        raise BadCertificate(f"{what} must be at least one concept. Got none.")
    return dict(given)
