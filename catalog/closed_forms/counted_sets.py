"""Sets whose number of points lies between two bounds, on any domain.

Examples are point functions (one point, or at most one point with the empty set), sets of exactly k
points, sets of at most k points, and all sets. The version space after examples is a class of the
same type on the points not yet seen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from catalog.closed_forms.by_formula import ByFormula, grow_tree
from catalog.closed_forms.counted_set_errors import (
    CountedSetErrors,
    errors_of_all_sets,
    require_few_steps,
)
from catalog.closed_forms.exceptions import AllBut, GrowingSet, listed, random_point
from lsclasses.domain import Domain, OnDomain
from lsclasses.error_histograms import ErrorHistogram, Weights, label_weights
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.hypothesis import ENUMERATION_LIMIT, Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.table import Table

COUNT_DIGITS = 14_000
"""Largest number of binary digits of a number of concepts that is computed."""
COINS_LIMIT = 1 << 12
"""Largest number of terms in the sum for the randomized Littlestone dimension."""

Name = Callable[[tuple[Point, ...]], Point]


class CountedSets(OnDomain[Domain], ByFormula):
    """The class of all sets of at least `least` and at most `most` points of a domain.

    Parameters
    ----------
    domain : Domain
        Finite or infinite domain.
    least : int
        Smallest number of points of a set.
    most : int, optional
        Largest number of points of a set. On a finite domain, the default is the number of points.
    name : callable
        Function that names a set in a table, given the tuple of its points.

    Raises
    ------
    InvalidInput
        If the bounds are not 0 <= least <= most, or `most` is omitted on an infinite domain.

    Notes
    -----
    The version space consists of the sets of a to b further points among the f points not yet seen,
    where a <= b <= f. *Littlestone dimension*: min(b, f - a). Always predicting 0 errs at most b
    times, and always predicting 1 errs at most f - a times. Any min(b, f - a) points are shattered,
    so this number is also the VC dimension. *The SOA* compares the dimension after both labels. The
    label 1 reduces a, b and f by 1. The label 0 reduces f by 1, and b to at most the new f. The SOA
    predicts the same label at all points not yet seen.

    If a < b or 0 < a < f, then for each point not yet seen, both labels occur in some concept. The
    points labelled 1 so far, the points labelled 0 so far, a and b then determine the version space
    and are determined by it. Otherwise, a single concept remains.

    Examples
    --------
    >>> from lsclasses.domain import IntegerRange
    >>> C = CountedSets(IntegerRange(0, 2**64), 1, 1)
    >>> C.ldim(), C.restrict(5, 0).ldim(), C.restrict(5, 1).ldim()
    (1, 1, 0)
    >>> CountedSets(IntegerRange(0), 0, 7).ldim()
    7
    """

    __slots__ = ("_concept", "_domain", "_free", "_least", "_most", "_name", "_ones", "_zeros")

    def __init__(
        self, domain: Domain, least: int, most: int | None = None, *, name: Name = tuple
    ) -> None:
        size = domain.size
        most = size if most is None else most
        if most is None:
            raise InvalidInput("On an infinite domain the number of points needs a bound 'most'.")
        if not 0 <= least <= most or (size is not None and least > size):
            raise InvalidInput(
                "The number of points must lie between bounds 0 <= least <= most, at most the "
                f"size {size} of the domain. Got least={least}, most={most}."
            )
        self._domain = domain
        self._name = name
        self._assign(least, most, size, GrowingSet(), GrowingSet())

    def _assign(
        self,
        least: int,
        most: int,
        free: int | None,
        ones: GrowingSet[Point],
        zeros: GrowingSet[Point],
    ) -> None:
        most = most if free is None else min(most, free)
        self._least, self._most, self._free = least, most, free
        self._ones, self._zeros = ones, zeros
        self._concept: AllBut | None = None
        if most == 0:
            self._concept = AllBut(self._domain, 0, ones)
        elif least == free:
            self._concept = AllBut(self._domain, 1, zeros)

    def _left(
        self, least: int, most: int, ones: GrowingSet[Point], zeros: GrowingSet[Point]
    ) -> CountedSets:
        """Return the version space after one more example."""
        left: CountedSets = CountedSets.__new__(CountedSets)
        left._domain, left._name = self._domain, self._name
        free = None if self._free is None else self._free - 1
        left._assign(max(least, 0), most, free, ones, zeros)
        return left

    def _nothing(self) -> CountedSets:
        nothing: CountedSets = CountedSets.__new__(CountedSets)
        nothing._domain, nothing._name = self._domain, self._name
        nothing._assign(1, 1, None, GrowingSet(), GrowingSet())
        nothing._least = 2
        return nothing

    @property
    def has_single_points(self) -> bool:
        """Whether the class has finitely many concepts, at least two, each of at most one point."""
        return (
            self._concept is None
            and self._free is not None
            and not self._ones
            and (
                self._least,
                self._most,
            )
            in ((0, 1), (1, 1))
        )

    def _is_empty(self) -> bool:
        return self._least > self._most

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        for points, label in ((self._ones, 1), (self._zeros, 0)):
            for x in sorted(points, key=self._domain._position):
                yield x, label

    def _restrict(self, x: Point, y: Label) -> CountedSets:
        if self._is_empty():
            return self
        if self._concept is not None:
            return self if self._concept._label(x) == y else self._nothing()
        if x in self._ones:
            return self if y else self._nothing()
        if x in self._zeros:
            return self._nothing() if y else self
        if y:
            return self._left(self._least - 1, self._most - 1, self._ones.added(x), self._zeros)
        return self._left(self._least, self._most, self._ones, self._zeros.added(x))

    @property
    def _state(self) -> Hashable:
        if self._concept is not None:
            return self._concept
        return self._least, self._most, self._ones, self._zeros

    def __repr__(self) -> str:
        size = self._domain.size
        points = "infinitely many points" if size is None else f"{size} points"
        if self._is_empty():
            return f"<Sets of {points}: none left>"
        if self._concept is not None:
            label, exceptions = self._concept._normal
            shown = listed(exceptions) or "nothing"
            return f"<Sets of {points}: {'all but ' * label}{shown}>"
        # Total numbers of points, including the known points.
        least, most = self._least + len(self._ones), self._most + len(self._ones)
        text = f"<Sets of {least}" + (f" to {most}" if most > least else "") + f" of {points}"
        if self._ones:
            text += f", with {listed(self._ones)}"
        if self._zeros:
            text += f", without {listed(self._zeros)}"
        return text + ">"

    # ---- dimensions

    def _size(self) -> int | None:
        if self._is_empty():
            return 0
        if self._concept is not None:
            return 1
        if self._free is None:
            return None
        return sum(self._counts())

    def _counts(self) -> list[int]:
        """Return the numbers of concepts with the least number of further points, one more, ..."""
        f, a, b = self._free, self._least, self._most
        assert f is not None
        # There are f binary choices, and at most (f + 1)^j ways to choose up to j points.
        digits = min(f, min(b, f - a) * f.bit_length())
        if digits > COUNT_DIGITS:
            raise TooLarge(
                f"The number of concepts of {self!r} may have {digits} binary digits. "
                f"The limit is {COUNT_DIGITS}.",
                estimate=digits,
                limit=COUNT_DIGITS,
            )
        first = math.comb(f, a)
        steps = range(a, b)
        return list(itertools.accumulate(steps, lambda c, i: c * (f - i) // (i + 1), initial=first))

    def _formula(self, dimension: str) -> int | Fraction | None:
        if self._concept is not None:
            return self._of_one_concept(dimension)
        f, a, b = self._free, self._least, self._most
        match dimension:
            case "ldim" | "vcdim":
                return _ldim(a, b, f)
            case "threshold_dim":
                # The first concept contains all points of the chain, the last concept only one of
                # them. This one may be a point at which all concepts are 1.
                return _ldim(a, b, f) + 1 if self._ones else _ldim(a - 1, b, f)
            case "randomized_ldim":
                return _half_the_coins(a, b, f)
            case "dual_ldim" | "dual_vcdim" if not (self._ones or self._zeros):
                return _dual(a, b, f)
            case "recursive_teaching_dim" if a in (0, b):
                return _ldim(a, b, f)
            case "hollow_star_number" if f is None or (a == 0 and b < f):
                return b + 1
            case "hollow_star_number" if a == 0:
                # All labels are consistent except those that contradict an example.
                return int(bool(self._ones or self._zeros))
            case "hollow_star_number" if f is not None and a == b:
                return max(b, f - b) + 1
            case "teaching_dim" if a == b:
                return _ldim(a, b, f)
            case "teaching_dim" | "star_number" if f is None:
                raise InfiniteDimension(f"The dimension {dimension!r} of {self!r} is infinite.")
            case "teaching_dim" | "star_number" if a == 0:
                return f
            case "star_number" if f is not None and a == b:
                return max(f - 2, b, f - b)
            case _:
                return None

    def _of_one_concept(self, dimension: str) -> int | None:
        assert self._concept is not None
        label, exceptions = self._concept._normal
        both = bool(exceptions)
        match dimension:
            case "hollow_star_number":
                return 1
            case "dual_ldim" | "dual_vcdim":
                return int(both)
            case "threshold_dim":
                return int(both or label == 1)
            case "ldim" | "vcdim" | "randomized_ldim" | "star_number":
                return 0
            case "teaching_dim" | "recursive_teaching_dim":
                return 0
            case _:
                return None

    def _ldim_after_one(self) -> int:
        f, a, b = self._free, self._least, self._most
        if self._ones or self._is_empty():
            return self.ldim()
        return _ldim(a - 1, b - 1, None if f is None else f - 1)

    # ---- the Standard Optimal Algorithm

    def _soa(self) -> AllBut:
        if self._concept is not None:
            return self._concept
        if self._is_empty():
            return AllBut(self._domain, 0)
        label = self._label_of_unseen()
        return AllBut(self._domain, label, self._zeros if label else self._ones)

    def _soa_label(self, x: Point) -> Label:
        return self._soa()._label(x)

    def _has_proper_soa(self) -> bool:
        # Without a lower bound, unseen points have label 0, as min(b - 1, f - 1) <= min(b, f - 1).
        # Without an upper bound, they have label 1 while another point is needed. Both persist.
        return self._least == 0 or self._most == self._free

    def _label_of_unseen(self) -> Label:
        f, a, b = self._free, self._least, self._most
        if f is None:
            return 0
        return int(_ldim(a - 1, b - 1, f - 1) > _ldim(a, b, f - 1))

    def _shattered_tree(self) -> tuple[Point, ...]:
        depth = self.ldim()
        asked = list(itertools.islice(self._unseen(), depth))
        return grow_tree(self, lambda _, d: asked[depth - d])

    def _splitting_point(self) -> Point:
        return next(self._unseen())

    def _unseen(self) -> Iterator[Point]:
        return (x for x in self._domain if x not in self._ones and x not in self._zeros)

    # ---- errors on a sample

    def _contains_zero(self) -> bool:
        return self._least == 0 and not self._ones

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        if self._concept is not None or self._free is None:
            return super()._error_histogram(weights, rows)
        independent = self._least == 0 and self._most == self._free
        if not independent:
            require_few_steps(rows, self._most, repr(self))
        gains: dict[int, list[Point]] = {}
        errors = 0
        for x, (zeros, ones) in label_weights(weights).items():
            errors += zeros if x in self._ones else ones
            if zeros != ones and x not in self._ones and x not in self._zeros:
                gains.setdefault(zeros - ones, []).append(x)
        others = self._free - sum(map(len, gains.values()))

        def member(
            points: Sequence[Point], least: int, most: int, rng: np.random.Generator
        ) -> Hypothesis:
            ones, zeros = self._ones, self._zeros
            inside = set(points)
            for x in itertools.chain.from_iterable(gains.values()):
                if x in inside:
                    ones = ones.added(x)
                else:
                    zeros = zeros.added(x)
            left: CountedSets = CountedSets.__new__(CountedSets)
            left._domain, left._name = self._domain, self._name
            left._assign(least, most, others, ones, zeros)
            return left._sample(rng)

        if independent:
            return errors_of_all_sets(errors, gains, others, member)
        return CountedSetErrors(errors, gains, others, range(self._least, self._most + 1), member)

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        size, n = self._size(), self._domain.size
        if size is None or n is None:
            raise TooLarge(f"{self!r} is infinite and cannot be written out as a table.")
        require_memory(max(size, 1), n, repr(self))
        points = list(self._domain)
        concepts = [tuple(x for x in points if x in ones) for ones in self._concepts()]
        labels = np.zeros((len(concepts), n), dtype=np.uint8)
        index = {x: j for j, x in enumerate(points)}
        rows = np.repeat(np.arange(len(concepts)), [len(c) for c in concepts])
        labels[rows, [index[x] for c in concepts for x in c]] = 1
        return Table(labels, domain=points, concepts=[self._name(c) for c in concepts])

    def _concepts(self) -> Iterator[set[Point]]:
        """Yield all concepts, smaller ones first."""
        if self._is_empty():
            return
        if self._concept is not None:
            yield {x for x in self._domain if self._concept._label(x)}
            return
        unseen, known = list(self._unseen()), set(self._ones)
        for count in range(self._least, self._most + 1):
            for chosen in itertools.combinations(unseen, count):
                yield known.union(chosen)

    def _sample(self, rng: np.random.Generator) -> AllBut:
        """Return a uniform concept. On an infinite domain, `spread` draws the number of points."""
        if self._concept is not None:
            return self._concept
        f, a, b = self._free, self._least, self._most
        if f is None:
            count = a + uniform_below(rng, b - a + 1)
        elif a == 0 and b == f:
            return self._random_subset(rng)
        else:
            counts = self._counts()
            drawn = uniform_below(rng, sum(counts))
            ends = itertools.accumulate(counts)
            count = next(a + i for i, end in enumerate(ends) if drawn < end)
        if f is not None and 2 * count > f:
            without = self._random_points(rng, f - count, self._zeros)
            return AllBut(self._domain, 1, without)
        return AllBut(self._domain, 0, self._random_points(rng, count, self._ones))

    def _random_subset(self, rng: np.random.Generator) -> AllBut:
        """Return a set that contains every point not yet seen with probability 1/2."""
        assert self._free is not None
        _require_listable(self._free)
        chosen = itertools.compress(self._unseen(), rng.integers(2, size=self._free).tolist())
        return AllBut(self._domain, 0, [*self._ones, *chosen])

    def _random_points(
        self, rng: np.random.Generator, count: int, known: GrowingSet[Point]
    ) -> list[Point]:
        """Return the known points and `count` uniformly random points not yet seen."""
        _require_listable(count)
        size, f = self._domain.size, self._free
        if f is not None and size is not None and 2 * f < size:
            unseen = list(self._unseen())
            # A partial shuffle.
            for i in range(count):
                j = i + uniform_below(rng, len(unseen) - i)
                unseen[i], unseen[j] = unseen[j], unseen[i]
            return [*known, *unseen[:count]]
        chosen: dict[Point, None] = {}
        while len(chosen) < count:
            x = random_point(self._domain, rng)
            if x not in self._ones and x not in self._zeros:
                chosen[x] = None
        return [*known, *chosen]

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """Return a uniform point, or one of the target's points of the rarer label, half each."""
        if isinstance(target, AllBut) and target.exceptional_points and rng.integers(2):
            points = target.exceptional_points
            return points[int(rng.integers(len(points)))]
        return random_point(self._domain, rng)


def _ldim(a: int, b: int, f: int | None) -> int:
    """Return the Littlestone dimension of the sets of a to b of f points, -1 if no set exists."""
    a = max(a, 0)
    if f is None:
        return b
    b = min(b, f)
    return -1 if a > b else min(b, f - a)


def _dual(a: int, b: int, f: int | None) -> int | None:
    """Return the dual dimensions of the sets of a to b of f points, 0 < b, a < f.

    d concepts are shattered iff each of the 2^d cells gets a point. Half of the cells lie in each
    concept. After the first answer of a tree, at most b or f - a points are left.
    """
    if a not in (0, b):
        return None
    cells = b if f is None else min(b, f - b if a else f // 2)
    return cells.bit_length()


def _half_the_coins(a: int, b: int, f: int | None) -> Fraction | None:
    """Return the randomized Littlestone dimension, half the expected number of fair coins to toss.

    All points are symmetric until there are b ones, f - a zeros or no points left. Each term is the
    probability that u ones and w zeros have occurred and another coin is needed.
    """
    if f is None:
        return Fraction(b)
    if b * (f - a) > COINS_LIMIT:
        return None
    total = sum(
        Fraction(math.comb(u + w, u), 2 ** (u + w))
        for u in range(b)
        for w in range(min(f - a, f - u))
    )
    return Fraction(total) / 2


def _require_listable(count: int) -> None:
    if count > ENUMERATION_LIMIT:
        raise TooLarge(
            f"A random concept would be a list of {count} points. The limit is "
            f"{ENUMERATION_LIMIT}.",
            estimate=count,
            limit=ENUMERATION_LIMIT,
        )
