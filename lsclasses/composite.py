"""Products and disjoint unions of concept classes, whose parts may be of any kind and size.

The points of both are pairs ``(i, x)``: the point x of the i-th part. A concept of a product is a
choice of one concept in every part; a concept of a disjoint union is a concept of one part, and 0
on all others.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import (
    ComputedHypothesis,
    Concept,
    Constant,
    Hypothesis,
    PatchedHypothesis,
    differences,
    distance,
)
from lsclasses.points import Label, Point
from lsclasses.sampling import uniform_below
from lsclasses.stacks import HypothesisStack, Stack

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = ["DisjointUnion", "JoinedHypothesis", "ProductClass", "TaggedUnion"]

ADDED = frozenset({"ldim", "vcdim", "randomized_ldim", "star_number", "teaching_dim"})
"""Dimensions that add up over the parts of a product."""
BLIND_TO_ZEROS = ADDED | {"threshold_dim", "recursive_teaching_dim"}
"""Dimensions that do not change when points are added that all concepts label 0."""
WALK_LIMIT = 1 << 12
"""The largest part whose points are all tried where no formula says what is needed."""


class TaggedUnion(Domain):
    """The disjoint union of domains: points ``(i, x)``, where x is a point of the i-th part.

    Finite parts come first in the order of points, infinite ones take turns after them.

    Parameters
    ----------
    *parts : Domain
        At least one.

    Raises
    ------
    InvalidInput
        If there is no part.

    Examples
    --------
    >>> from lsclasses import FiniteDomain, IntegerRange
    >>> X = TaggedUnion(IntegerRange(0, 2), FiniteDomain("a"))
    >>> list(X), (1, "a") in X, (0, "a") in X
    ([(0, 0), (0, 1), (1, 'a')], True, False)
    """

    __slots__ = ("parts",)

    def __init__(self, *parts: Domain) -> None:
        if not parts:
            raise InvalidInput("A union of domains needs at least one part. Got none.")
        self.parts = parts

    @property
    def size(self) -> int | None:
        """The number of points; None when there are infinitely many."""
        sizes = [part.size for part in self.parts]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def __contains__(self, x: object) -> bool:
        if not (isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], (int, np.integer))):
            return False
        i = int(x[0])
        return 0 <= i < len(self.parts) and x[1] in self.parts[i]

    def __iter__(self) -> Iterator[Point]:
        tagged = [zip(itertools.repeat(i), part) for i, part in enumerate(self.parts)]
        infinite = self._turns()
        for i, points in enumerate(tagged):
            if i not in infinite:
                yield from points
        while infinite:
            for i in infinite:
                yield next(tagged[i])

    def require(self, x: Any) -> Point:
        """The point that equals `x`; see `Domain.require`."""
        if type(x) is tuple and len(x) == 2 and type(x[0]) is int and 0 <= x[0] < len(self.parts):
            return x[0], self.parts[x[0]].require(x[1])
        i, point = _split(self._member(x))
        return int(i), self.parts[int(i)].require(point)

    def _starts(self) -> list[int]:
        """Where the finite parts begin; for infinite ones, where their turns begin."""
        finite = [part.size or 0 for part in self.parts]
        return list(itertools.accumulate(finite, initial=0))

    def _turns(self) -> list[int]:
        """The infinite parts, which take turns."""
        return [i for i, part in enumerate(self.parts) if part.size is None]

    def _position(self, x: Point) -> int:
        i, point = _split(x)
        starts, turns = self._starts(), self._turns()
        if i not in turns:
            return starts[i] + self.parts[i]._position(point)
        return starts[-1] + len(turns) * self.parts[i]._position(point) + turns.index(i)

    def _at(self, i: int) -> Point:
        starts, turns = self._starts(), self._turns()
        if i >= starts[-1]:
            later, turn = divmod(i - starts[-1], len(turns))
            return turns[turn], self.parts[turns[turn]]._at(later)
        part = bisect_right(starts, i) - 1
        return part, self.parts[part]._at(i - starts[part])

    def _key(self) -> Hashable:
        return self.parts

    def _sample(self, rng: np.random.Generator) -> Point:
        i = _chosen(rng, [part.size or 0 for part in self.parts])
        return i, self.parts[i].sample(rng)

    def __repr__(self) -> str:
        return f"TaggedUnion({', '.join(map(repr, self.parts))})"


class JoinedHypothesis(Hypothesis):
    """One hypothesis on every part of a union of domains.

    Parameters
    ----------
    domain : TaggedUnion
    parts : sequence of Hypothesis
        On the parts of the domain, in their order.

    Examples
    --------
    >>> from lsclasses import FiniteDomain
    >>> X = TaggedUnion(FiniteDomain("ab"), FiniteDomain("c"))
    >>> h = JoinedHypothesis(X, [Constant(X.parts[0], 1), Constant(X.parts[1], 0)])
    >>> h((0, "b")), h((1, "c"))
    (1, 0)
    """

    __slots__ = ("_domain", "parts")

    def __init__(self, domain: TaggedUnion, parts: Sequence[Hypothesis]) -> None:
        self._domain = domain
        self.parts = tuple(parts)

    @property
    def domain(self) -> TaggedUnion:
        """The points (i, x)."""
        return self._domain

    def _label(self, x: Point) -> Label:
        i, point = _split(x)
        return self.parts[i]._label(point)

    def _extension(self) -> Hashable:
        return "joined", tuple(map(_normal, self.parts))

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        changes: list[dict[Point, Label]] = [{} for _ in self.parts]
        for x, y in patches.items():
            i, point = _split(x)
            changes[i][point] = y
        changed = map(PatchedHypothesis, self.parts, changes)
        return JoinedHypothesis(self._domain, tuple(changed))._extension()

    def _canonical(self, patches: Mapping[Point, Label]) -> JoinedHypothesis:
        changes: list[dict[Point, Label]] = [{} for _ in self.parts]
        for x, y in patches.items():
            i, point = _split(x)
            changes[i][point] = y
        return JoinedHypothesis(self._domain, tuple(map(_canonical, self.parts, changes)))

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        if isinstance(other, Constant):
            constants = [Constant(part, other.label) for part in self._domain.parts]
            other = JoinedHypothesis(self._domain, constants)
        if not isinstance(other, JoinedHypothesis):
            return super()._disagreements(other)
        pairs = enumerate(zip(self.parts, other.parts, strict=True))
        return ((i, x) for i, (mine, theirs) in pairs for x in differences(mine, theirs))

    def _distance(self, other: Hypothesis) -> int:
        if not isinstance(other, JoinedHypothesis):
            return super()._distance(other)
        return sum(map(distance, self.parts, other.parts))

    def _stack(self) -> JoinedStack:
        return JoinedStack(self._domain)

    def __repr__(self) -> str:
        return f"JoinedHypothesis({', '.join(map(repr, self.parts))})"


class JoinedStack(Stack[JoinedHypothesis]):
    """Hypotheses on a union of domains, stacked on every part of it.

    Parameters
    ----------
    domain : TaggedUnion
    """

    def __init__(self, domain: TaggedUnion) -> None:
        self._parts = [HypothesisStack(part) for part in domain.parts]

    def accepts(self, h: Hypothesis) -> bool:
        """Whether it is given by its parts."""
        return isinstance(h, JoinedHypothesis)

    def append(self, h: JoinedHypothesis) -> None:
        """Put a hypothesis on the stack."""
        for part, ours in zip(self._parts, h.parts, strict=True):
            part.append(ours)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """What they say at a point."""
        i, point = _split(x)
        return self._parts[i].labels(point)


class _Composite(ConceptClass):
    """What products and disjoint unions share: their parts, and the points of these."""

    def __init__(self, *parts: ConceptClass) -> None:
        if not parts:
            raise InvalidInput(f"A {type(self).__name__} needs at least one class. Got none.")
        for part in parts:
            if not isinstance(part, ConceptClass):
                raise InvalidInput(
                    f"A {type(self).__name__} is made of concept classes. Got {part!r}."
                )
        self._domain = TaggedUnion(*(part.domain for part in parts))
        self._set_parts(parts)

    def _set_parts(self, parts: Sequence[ConceptClass | None]) -> None:
        self._parts = tuple(None if part is None or part.is_empty else part for part in parts)

    def _with(self, parts: Sequence[ConceptClass | None]) -> Self:
        """The class of the same kind on the same points with other parts."""
        left = type(self).__new__(type(self))
        left._domain = self._domain
        left._set_parts(parts)
        return left

    @property
    def domain(self) -> TaggedUnion:
        """The points (i, x)."""
        return self._domain

    @property
    def parts(self) -> tuple[ConceptClass | None, ...]:
        """The parts; None where no concept of a part is left."""
        return self._parts

    def _is_empty(self) -> bool:
        return all(part is None for part in self._parts)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, _Composite)
        return self._parts == other._parts and self._domain == other._domain

    def __hash__(self) -> int:
        return hash((type(self), self._parts))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(_description, self._parts))})"

    def _zero(self, i: int | None = None, h: Hypothesis | None = None) -> JoinedHypothesis:
        """The constant 0, but for a hypothesis on one part."""
        parts: list[Hypothesis] = [Constant(X, 0) for X in self._domain.parts]
        if i is not None and h is not None:
            parts[i] = h
        return JoinedHypothesis(self._domain, parts)

    def _restricted(self, i: int, x: Point, y: Label) -> ConceptClass | None:
        """What is left of a part."""
        part = self._parts[i]
        if part is None:
            return None
        left = part._restrict(x, y)
        return None if left.is_empty else left

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """A point of a part chosen uniformly, by the law of that part."""
        i = int(rng.integers(len(self._parts)))
        part = self._parts[i]
        if part is None or not isinstance(target, JoinedHypothesis):
            return i, self._domain.parts[i].sample(rng)
        return i, part._sample_point(rng, target.parts[i])


class ProductClass(_Composite):
    r"""All choices of one concept in every part: the labelling of ``(i, x)`` is the i-th's of x.

    Parameters
    ----------
    *parts : ConceptClass
        At least one.

    Raises
    ------
    InvalidInput
        If there is no part or one of them is no concept class.

    Notes
    -----
    If a part is empty, so is the product. Otherwise an example is one of a single part, and a
    restriction of the product is the product with that part restricted.

    *Littlestone dimension:* the sum. The SOAs of the parts, each on its own examples, err at most
    that often in total. Conversely, hang a tree of the second part below every leaf of a tree of
    the first. *The SOA* is made of the SOAs of the parts. The other dimensions that are known add
    up for like reasons: the VC dimension (shattered sets of the parts together, and the part of a
    shattered set in each), the randomized Littlestone dimension (play the parts side by side; and
    trees as before), the star number and the teaching dimension (centre and concept of all parts).
    A minimal sample that no concept fits belongs to one part, so the hollow star number is the
    largest.

    Examples
    --------
    >>> import catalog
    >>> C = ProductClass(catalog.build("thresholds:n=7"), catalog.build("points:n=5"))
    >>> C.ldim(), C.size, C.restrict((1, 3), 1).ldim()
    (4, 40, 3)
    >>> C.soa()((0, 6)), C.soa()((1, 3))
    (1, 0)
    """

    def _set_parts(self, parts: Sequence[ConceptClass | None]) -> None:
        super()._set_parts(parts)
        if None in self._parts:
            self._parts = (None,) * len(self._parts)

    @property
    def _factors(self) -> list[ConceptClass]:
        """The parts of a product that is not empty."""
        return [part for part in self._parts if part is not None]

    def _restrict(self, x: Point, y: Label) -> ProductClass:
        i, point = _split(x)
        left = self._restricted(i, point, y)
        if left == self._parts[i]:
            return self
        return self._with([*self._parts[:i], left, *self._parts[i + 1 :]])

    def _size(self) -> int | None:
        sizes = [part.size for part in self._factors] or [0]
        return None if None in sizes else math.prod(size for size in sizes if size is not None)

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        if self.is_empty:
            return -1 if dimension in ("ldim", "vcdim") else None
        if dimension not in ADDED and dimension != "hollow_star_number":
            return None
        values = [part._dimension(dimension, None) for part in self._factors]
        total: int | Fraction = sum(values) if dimension in ADDED else max(values)
        return total

    def _soa_label(self, x: Point) -> Label:
        i, point = _split(x)
        part = self._parts[i]
        return 0 if part is None else part._soa_label(point)

    def _soa(self) -> Hypothesis:
        if self.is_empty:
            return self._zero()
        return JoinedHypothesis(self._domain, [part.soa() for part in self._factors])

    def _has_proper_soa(self) -> bool:
        # The rule is made of the parts' rules, and a part is told its own examples.
        return all(part._has_proper_soa() for part in self._factors)

    def _to_table(self) -> Table:
        from lsclasses.packing import require_memory
        from lsclasses.table import Table

        tables = [part.to_table() for part in self._factors]
        size, points = self._size(), self._domain.size
        assert size is not None
        assert points is not None
        require_memory(max(size, 1), points, repr(self))
        if not tables:
            return Table([], domain=self._domain)
        chosen = np.indices([len(table) for table in tables]).reshape(len(tables), -1)
        labels = [table.labels[rows] for table, rows in zip(tables, chosen, strict=True)]
        names = (
            tuple(table.concept_name(i) for table, i in zip(tables, row, strict=True))
            for row in chosen.T.tolist()
        )
        return Table(np.hstack(labels), domain=self._domain, concepts=names)

    def _shattered_tree(self) -> tuple[Point, ...]:
        if self._is_small():
            return super()._shattered_tree()
        points: list[Point] = []
        for i, part in enumerate(self._factors):
            tree = part._shattered_tree()
            above = (len(points) + 1).bit_length() - 1
            for level in range((len(tree) + 1).bit_length() - 1):
                nodes = tree[2**level - 1 : 2 ** (level + 1) - 1]
                points += [(i, x) for x in nodes] * 2**above
        return tuple(points)

    def _splitting_point(self) -> Point:
        return next(
            (i, part._splitting_point()) for i, part in enumerate(self._factors) if part.ldim()
        )

    def _sample(self, rng: np.random.Generator) -> JoinedHypothesis:
        """A concept of every part, each by the law of its part."""
        return JoinedHypothesis(self._domain, [part._sample(rng) for part in self._factors])


class DisjointUnion(_Composite):
    r"""The concepts of all parts together, each of them 0 on the points of the other parts.

    Parameters
    ----------
    *parts : ConceptClass
        At least one. The constant 0 may belong to several of them; it is one concept.

    Raises
    ------
    InvalidInput
        If there is no part or one of them is no concept class.

    Notes
    -----
    The label 1 at (i, x) leaves concepts of the i-th part only, the label 0 restricts that part and
    leaves the others as they are.

    *Littlestone dimension.* Let d be the largest dimension of a part. The union has dimension d or
    d + 1: predict 0 until the first error, which leaves dimension d at most. Let d' be the largest
    dimension of what a label 1 leaves; it is d or d - 1. If d' = d - 1, the union has dimension d,
    by the same argument. If d' = d for some part and another part has dimension d as well, the
    union has dimension d + 1: ask the point in question. If just one part is left, the dimension is
    that of this part. In the other cases it takes a search in the table of the class.

    *The SOA.* If two parts have dimension d, it predicts 0 everywhere, since a label 0 leaves
    dimension d. If only one has, it predicts 0 on the points of the others. If just one part is
    left, it is that part's SOA.

    Examples
    --------
    >>> import catalog
    >>> C = DisjointUnion(catalog.build("thresholds:n=5"), catalog.build("thresholds:n=5"))
    >>> C.ldim(), C.restrict((0, 2), 1).ldim(), C.size
    (3, 1, 11)
    """

    def _restrict(self, x: Point, y: Label) -> DisjointUnion:
        i, point = _split(x)
        left = self._restricted(i, point, y)
        if y:
            parts: list[ConceptClass | None] = [None] * len(self._parts)
        else:
            parts = list(self._parts)
        parts[i] = left
        restricted = self._with(parts)
        return self if restricted._parts == self._parts else restricted

    @property
    def _left(self) -> list[tuple[int, ConceptClass]]:
        """The parts that are left, with their numbers."""
        return [(i, part) for i, part in enumerate(self._parts) if part is not None]

    def _size(self) -> int | None:
        sizes = [part.size for _, part in self._left]
        if None in sizes:
            return None
        total = sum(size for size in sizes if size is not None)
        if len(sizes) < 2:
            return total
        return total - max(0, sum(_has_zero_concept(part) for _, part in self._left) - 1)

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        if self.is_empty:
            return -1 if dimension in ("ldim", "vcdim") else None
        if len(self._left) == 1 and dimension in BLIND_TO_ZEROS:
            value: int | Fraction = self._left[0][1]._dimension(dimension, None)
            return value
        return self._joint_ldim() if dimension == "ldim" else None

    def _joint_ldim(self) -> int | None:
        """The Littlestone dimension of several parts, if one of the arguments above applies."""
        parts = [part for _, part in self._left]
        dims = [part.ldim() for part in parts]
        d = max(dims)
        largest = [part for part, dim in zip(parts, dims, strict=True) if dim == d]
        after_one = [_ldim_after_one(part) for part in largest]
        if d in after_one:
            return d + 1 if len(largest) > 1 else self._searched(d)
        return self._searched(d) if None in after_one else d

    def _searched(self, d: int) -> int | None:
        """Leave it to a search, or say what is known if the class is too large for one."""
        if self._is_small():
            return None
        raise TooLarge(
            f"The Littlestone dimension of this disjoint union is {d} or {d + 1}. Which of them "
            f"takes a search in its table, and that is too large.",
            lower=d,
            upper=d + 1,
        )

    def _soa_label(self, x: Point) -> Label:
        i, point = _split(x)
        one = self._restricted(i, point, 1)
        if one is None:
            return 0
        rest = self._restrict(x, 0)
        if rest.is_empty:
            return 1
        after_one = one.ldim()
        # The rest has the largest dimension of its parts, or one more.
        largest = max(part.ldim() for _, part in rest._left)
        if after_one <= largest:
            return 0
        return 1 if after_one > largest + 1 else int(after_one > rest.ldim())

    def _soa(self) -> JoinedHypothesis:
        left = self._left
        if not left:
            return self._zero()
        if len(left) == 1:
            return self._zero(left[0][0], left[0][1].soa())
        dims = [part.ldim() for _, part in left]
        d = max(dims)
        if dims.count(d) > 1:
            return self._zero()
        i = left[dims.index(d)][0]
        return self._zero(i, _PartOfSOA(self, i))

    def _to_table(self) -> Table:
        from lsclasses.packing import require_memory
        from lsclasses.table import Table

        sizes = [part.size for _, part in self._left]
        points = self._domain.size
        if None in sizes or points is None:
            raise TooLarge(f"{self!r} is infinite and cannot be written out as a table.")
        concepts = sum(size for size in sizes if size is not None)
        require_memory(max(concepts, 1), points, repr(self))
        tables = [(i, part.to_table()) for i, part in self._left]
        if not tables:
            return Table([], domain=self._domain)
        blocks = [
            np.hstack(
                [
                    table.labels if j == i else np.zeros((len(table), X.size or 0), dtype=np.uint8)
                    for j, X in enumerate(self._domain.parts)
                ]
            )
            for i, table in tables
        ]
        names = [(i, table.concept_name(row)) for i, table in tables for row in range(len(table))]
        merged = Table(np.vstack(blocks), domain=self._domain, concepts=names)
        merged.merged = 0
        return merged

    def _sample(self, rng: np.random.Generator) -> JoinedHypothesis:
        """A concept of one part, uniform if the parts' laws are; the constant 0 counts once."""
        left = self._left
        sizes = [part.size for _, part in left]
        if None in sizes:
            raise TooLarge(
                "There is no uniform law on infinitely many concepts; sample from one of the "
                "parts instead."
            )
        while True:
            position = _chosen(rng, [size or 0 for size in sizes])
            i, part = left[position]
            concept = part._sample(rng)
            # The constant 0 counts in the first part that has it.
            if (
                position == 0
                or not _is_zero(concept)
                or not any(_has_zero_concept(earlier) for _, earlier in left[:position])
            ):
                return self._zero(i, concept)


class _PartOfSOA(ComputedHypothesis):
    """The SOA's rule for a disjoint union on the points of one part, evaluated on demand."""

    __slots__ = ("_i", "_union")

    kind = "SOA hypotheses"

    def __init__(self, union: DisjointUnion, i: int) -> None:
        super().__init__()
        self._union = union
        self._i = i

    @property
    def domain(self) -> Domain:
        """The points of the part."""
        return self._union.domain.parts[self._i]

    def _compute(self, x: Point) -> Label:
        return self._union._soa_label((self._i, x))

    def __repr__(self) -> str:
        return f"<SOA of part {self._i} of {self._union!r}>"


def _description(part: ConceptClass | None) -> str:
    """A text that tells a part from any other, as the one of a table does not."""
    from lsclasses.certificates.base import Subject
    from lsclasses.table import Table

    if isinstance(part, Table):
        return f"{repr(part)[:-1]}, sha256 {Subject.of(part).sha256}>"
    return "nothing" if part is None else repr(part)


def _chosen(rng: np.random.Generator, sizes: Sequence[int]) -> int:
    """A random position, with probability proportional to the sizes."""
    ends = list(itertools.accumulate(sizes))
    return bisect_right(ends, uniform_below(rng, ends[-1]))


def _split(x: Point) -> tuple[int, Point]:
    """A point of a union: the number of its part, and the point there."""
    assert isinstance(x, tuple)
    return x[0], x[1]


def _normal(h: Hypothesis) -> Hashable:
    """What hypotheses on a part share exactly if they agree, in whatever way they are written.

    The rule of a part may stand beside a constant or a rule that is evaluated point by point.
    """
    size = h.domain.size
    if size is not None and size <= WALK_LIMIT:
        return h.to_concept()._extension()
    return 0 if _is_zero(h) else (1, h._extension())


def _canonical(h: Hypothesis, patches: Mapping[Point, Label]) -> Hypothesis:
    """The canonical form on a part, whose rule may be written in one of several ways."""
    size = h.domain.size
    changed = PatchedHypothesis(h, patches)
    if size is not None and size <= WALK_LIMIT:
        concept = changed.to_concept()
        return Concept(concept.domain, concept.packed)
    return Constant(h.domain, 0) if _is_zero(changed) else h._canonical(patches)


def _is_zero(h: Hypothesis) -> bool:
    return next(differences(h, Constant(h.domain, 0)), None) is None


def _ldim_after_one(C: ConceptClass) -> int | None:
    """The largest Littlestone dimension that a label 1 leaves; None if that is not known."""
    value, size = C._ldim_after_one(), C.domain.size
    if value is None and size is not None and size <= WALK_LIMIT:
        return max(C._restrict(x, 1).ldim() for x in C.domain)
    return value


def _has_zero_concept(C: ConceptClass) -> bool:
    """Whether the constant 0 belongs to a class."""
    size = C.domain.size
    if size is None or size > WALK_LIMIT:
        raise TooLarge(
            "Whether the constant 0 belongs to a part of a disjoint union is found out by asking "
            f"every point, and {C!r} has more than {WALK_LIMIT}.",
            limit=WALK_LIMIT,
        )
    for x in C.domain:
        C = C._restrict(x, 0)
        if C.is_empty:
            return False
    return True
