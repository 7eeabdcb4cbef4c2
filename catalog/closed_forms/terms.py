"""Conjunctions and disjunctions of literals on any number of variables.

A conjunction is 1 where all its literals are right. A disjunction is 0 where all its literals are
wrong. Call wrong literals of conjunctions and right literals of disjunctions active. Then a concept
is a set S of literals with one label, the *quiet* label, where no literal of S is active. An
example with the quiet label forbids the literals that are active at its point. An example with the
other label demands that S contains some literal that is active at its point.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np

from catalog.closed_forms.by_formula import RuleOnDemand, WritesRules, grow_tree, stated_value
from catalog.closed_forms.exceptions import GrowingSet, listed
from catalog.closed_forms.hitting_sets import (
    COUNT_LIMIT,
    count_hitting_sets,
    minimal_sets,
    smallest_hitting_set,
)
from catalog.closed_forms.literals import LiteralBits, LiteralRule
from catalog.closed_forms.term_errors import TermErrors, require_few_choices
from lsclasses.concept_class import SOAHypothesis
from lsclasses.domain import OnDomain, Vectors
from lsclasses.error_histograms import ErrorHistogram, Weights, label_weights
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis, PatchedHypothesis, require_enumerable
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.searching.bitsets import members
from lsclasses.table import Table

REJECTIONS = 1000
"""Largest number of random concepts that are rejected because an example contradicts them."""
LISTING_LIMIT = 1 << 16
"""Largest number of concepts that are listed to sample one of them."""


class Terms(OnDomain[Vectors], WritesRules):
    """The conjunctions or disjunctions of literals that are consistent with given examples.

    Parameters
    ----------
    n : int
        Number of variables.
    conjunctions : bool
        Whether the concepts are conjunctions. If not, they are disjunctions.
    monotone : bool
        Whether all literals are variables, without negated literals. If not, the contradiction (for
        disjunctions, the tautology) is also a concept.

    Notes
    -----
    A concept is a set S of literals. A literal is *active* at a point if it makes a conjunction 0,
    or a disjunction 1. The *quiet* label is the label of points where no literal of S is active: 1
    for conjunctions and 0 for disjunctions.

    A state is the set M of literals that S may contain and the sets N_1, ..., N_r that S must meet,
    without sets that contain another of these sets. M itself is a concept of the version space, and
    the N_j are the prime clauses of a monotone function, so equal version spaces have equal states.
    The full class with negated literals is an exception. Before the first example with the quiet
    label, M is not consistent and represents the contradiction. The state is then the set X of
    points seen.

    *Littlestone dimension.* Let t be the size of a smallest set that meets all N_j. The dimension
    is |M| - t. Predicting as M does errs only where the label is quiet. Then M loses a literal. But
    it always contains S and so keeps at least t literals. Conversely, fix a smallest such set. Any
    further literals may be added, so the points at which a single further literal is active are
    shattered. So the VC dimension is the same.

    Before an example with the quiet label, let t be the smallest number of literals that fix a
    subcube without points of X. The dimension is n - t + 1, or 0 if all points are in X. After the
    first x with the quiet label, at most n - t is left. Conversely, query points of the subcube.
    t + i - 1 literals distinguish the i-th point from X and the points before, so its quiet label
    leaves n - t - i + 1, and there are n - t + 1 points to query. The VC dimension is n - t if
    n - t is at least 2, because shattered points lie in such a subcube. Otherwise, the VC dimension
    is n - t + 1.

    *The SOA.* Let F be the non-empty set of literals of M that are active at x. The label that is
    not quiet leaves |M| - s, where s is the smallest size of a set that meets F and all N_j. The
    quiet label leaves |M| - |F| - s', where s' is the smallest size of a set that meets the N_j
    without the literals of F. Such a set and one literal of F together meet F and all N_j, so
    s <= s' + 1. The quiet label therefore never leaves more, and it leaves as much only if F has a
    single literal. For conjunctions, where a tie means 0, the SOA predicts as M does. This is
    Valiant's elimination. For disjunctions, a tie means the quiet label 0. So the SOA predicts 0
    although a literal of M is active, if this literal is the only one and both labels leave as
    much. (By the same argument, the quiet label cannot leave more before an example with the quiet
    label.)

    t is hard to compute in general. The search for t stops with `TooLarge` after a fixed amount of
    work. The SOA for conjunctions does not need t.

    References
    ----------
    Valiant 1984; Littlestone 1988

    Examples
    --------
    >>> C = Terms(64, conjunctions=True)
    >>> C.ldim(), C.restrict((1,) * 64, 1).ldim(), C.restrict((1,) * 64, 0).ldim()
    (65, 64, 64)
    >>> C.restrict((1,) * 64, 1).soa()((1,) * 63 + (0,))
    0
    """

    def __init__(self, n: int, *, conjunctions: bool, monotone: bool = False) -> None:
        self._literals = LiteralBits(n, both=not monotone, asked=0 if conjunctions else 1)
        self._quiet = int(conjunctions)
        self._domain = Vectors(2, n)
        self._assign(self._literals.all, frozenset(), None if monotone else GrowingSet())

    def _assign(
        self, possible: int, demanded: frozenset[int], seen: GrowingSet[int] | None
    ) -> None:
        self._possible = possible
        self._demanded = demanded
        self._seen = seen
        self._void = 0 in demanded

    def _left(
        self, possible: int, demanded: frozenset[int], seen: GrowingSet[int] | None = None
    ) -> Terms:
        left: Terms = Terms.__new__(Terms)
        left._literals, left._quiet = self._literals, self._quiet
        left._domain = self._domain
        left._assign(possible, demanded, seen)
        return left

    def _nothing(self) -> Terms:
        return self._left(0, frozenset([0]))

    def _is_empty(self) -> bool:
        return self._void

    def _restrict(self, x: Point, y: Label) -> Terms:
        if self._void:
            return self
        active = self._literals.active(x)
        if self._seen is not None:
            if y == self._quiet:
                return self._meeting(self._literals.all & ~active, self._seen)
            if active in self._seen:
                return self
            return self._left(self._possible, frozenset(), self._seen.added(active))
        active &= self._possible
        if y == self._quiet:
            return self._meeting(self._possible & ~active, self._demanded) if active else self
        if not active:
            return self._nothing()
        if any(not demand & ~active for demand in self._demanded):
            return self
        kept = (demand for demand in self._demanded if active & ~demand)
        return self._left(self._possible, frozenset([active, *kept]))

    def _meeting(self, possible: int, demands: Iterable[int]) -> Terms:
        """Return the concepts of possible literals that meet all demands."""
        sets = minimal_sets({demand & possible for demand in demands})
        return self._left(possible, frozenset(sets)) if all(sets) else self._nothing()

    @property
    def _state(self) -> tuple[object, ...]:
        return self._literals, self._quiet, self._possible, self._demanded, self._seen

    def __repr__(self) -> str:
        n = self._literals.n
        kind = "Conjunctions" if self._quiet else "Disjunctions"
        text = f"<{kind} of {'literals' if self._literals.both else 'variables'}, n={n}"
        if self._void:
            return text + ": none left>"
        if self._seen is not None:
            points = [self._literals.point(active) for active in self._seen]
            return text + (f", {1 - self._quiet} at {listed(points)}>" if points else ">")
        if self._possible != self._literals.all:
            text += f", of {self._literals.shown(self._possible)}"
        if self._demanded:
            demanded = [self._literals.shown(demand) for demand in self._demanded]
            text += f", with one of each of {listed(demanded)}"
        return text + ">"

    def _size(self) -> int:
        if self._void:
            return 0
        return count_hitting_sets(self._demands, self._variables) + (self._seen is not None)

    def _counts_version_spaces(self, rows: int | None = None) -> bool:
        # A step reads one set of a choice of at most one literal of each variable before it.
        choices = math.prod(1 + len(literals) for literals in self._variables)
        return rows is None or rows * len(self._variables) * choices <= COUNT_LIMIT

    @property
    def _demands(self) -> list[int]:
        """Sets that a concept must meet, except the contradiction."""
        return list(self._demanded if self._seen is None else self._seen)

    @property
    def _variables(self) -> list[tuple[int, ...]]:
        """Literals that a concept may contain, for every variable that matters."""
        n = self._literals.n
        found = (tuple(i for i in (v, n + v) if self._possible >> i & 1) for v in range(n))
        return [literals for literals in found if literals]

    # ---- dimensions

    def _formula(self, dimension: str) -> int | Fraction | None:
        if dimension == "ldim":
            return self._ldim
        if dimension == "vcdim":
            return self._ldim - int(self._seen is not None and self._ldim > 2)
        whole = not self._demanded and self._possible == self._literals.all and not self._seen
        if not whole:
            return None
        family = "conjunctions" if self._quiet else "disjunctions"
        monotone = int(not self._literals.both)
        return stated_value(family, dimension, n=self._literals.n, monotone=monotone)

    @cached_property
    def _ldim(self) -> int:
        if self._seen is None:
            most = self._possible.bit_count()
        elif len(self._seen) == self._domain.size:
            return 0
        else:
            most = self._literals.n + 1
        try:
            return most - self._smallest.bit_count()
        except TooLarge as stopped:
            assert stopped.lower is not None
            assert stopped.upper is not None
            raise TooLarge(
                str(stopped),
                limit=stopped.limit,
                lower=most - stopped.upper,
                upper=most - stopped.lower,
            ) from None

    def _ldim_after_one(self) -> int:
        if self._void:
            return -1
        if self._seen is not None:
            # Points seen are 1 in all disjunctions of the version space. Otherwise, the 1 is the
            # first label, or the first quiet label.
            known = len(self._seen) and not self._quiet
            everywhere = len(self._seen) == self._domain.size
            return self._ldim if known else -1 if everywhere else self._ldim - 1
        if self._quiet or self._demanded:
            return self._ldim
        return self._possible.bit_count() - 1

    @cached_property
    def _smallest(self) -> int:
        """Smallest set of literals that is a concept of the version space."""
        literals = self._literals
        return smallest_hitting_set(
            self._demands, [literals.opposite(i) for i in members(literals.all)]
        )

    # ---- the Standard Optimal Algorithm

    def _soa(self) -> Hypothesis:
        if self._void:
            return SOAHypothesis(self)
        if self._quiet:
            return LiteralRule(self._literals, 1, self._possible)
        return RuleOnDemand(self) if self._demands else self._written_rule()

    def _soa_label(self, x: Point) -> Label:
        if self._void:
            return 0
        active = self._literals.active(x) & self._possible
        if self._quiet:
            return int(not active)
        if self._seen is None and active.bit_count() != 1:
            return int(active > 0)
        return super()._soa_label(x)

    def _written_rule(self) -> Hypothesis:
        literals = self._literals
        if self._seen:
            # The rule has no simple form, so it is written point by point.
            require_enumerable(self._domain, "compare the SOA's rules for disjunctions")
            zeros: dict[Point, Label] = {x: 0 for x in self._domain if not self._soa_label(x)}
            return PatchedHypothesis(LiteralRule(literals, 0, literals.all), zeros)
        tolerated = self._possible
        if self._seen is not None:
            return LiteralRule(literals, 0, 0)
        if self._demanded:
            for i in members(self._possible):
                x = literals.quiet_point(self._possible, 1 << i)
                tolerated ^= self._soa_label(x) << i
        return LiteralRule(literals, 0, self._possible & ~tolerated, tolerated)

    def _shattered_tree(self) -> tuple[Point, ...]:
        return grow_tree(self, lambda left, _: left._splitting_point())

    def _splitting_point(self) -> Point:
        """Return a point both of whose labels leave at least one dimension less."""
        if self._seen is not None:
            return self._literals.quiet_point(self._smallest)
        further = self._possible & ~self._smallest
        return self._literals.quiet_point(self._possible, further & -further)

    # ---- errors on a sample

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        if self._void:
            return super()._error_histogram(weights, rows)
        require_few_choices(self._variables, repr(self))
        literals, quiet = self._literals, self._quiet
        points = (
            (literals.active(x), counts[1 - quiet], counts[quiet])
            for x, counts in label_weights(weights).items()
        )

        def member(S: int | None) -> LiteralRule:
            return LiteralRule(literals, quiet, literals.all if S is None else S)

        return TermErrors(
            self._variables,
            points,
            self._demands,
            contradiction=self._seen is not None,
            member=member,
        )

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        n = self._literals.n
        most = math.prod(1 + len(literals) for literals in self._variables) + 1
        require_memory(most, 2**n, repr(self))
        concepts, points = list(self._concepts()), list(self._domain)
        active = np.array([self._literals.active(x) for x in points], dtype=np.uint64)
        quiet = (active[None, :] & np.array(concepts, dtype=np.uint64)[:, None]) == 0
        names = [self._name(S) for S in concepts]
        return Table(quiet == bool(self._quiet), domain=points, concepts=names)

    def _concepts(self) -> Iterator[int]:
        """Yield the sets of literals of the version space, with the contradiction last."""
        if self._void:
            return
        demands = self._demands
        options = [[0, *(1 << i for i in literals)] for literals in self._variables]
        for chosen in itertools.product(*options):
            S = sum(chosen)
            if all(S & demand for demand in demands):
                yield S
        if self._seen is not None:
            yield self._literals.all

    def _name(self, S: int) -> str:
        """Return the name of a concept in the format of the families."""
        if self._literals.both and self._literals.all == S:
            return "false" if self._quiet else "true"
        n = self._literals.n
        names = [self._literals.name(i) for i in sorted(members(S), key=lambda i: i % n)]
        if not names:
            return "true" if self._quiet else "false"
        return (" & " if self._quiet else " | ").join(names)

    def _sample(self, rng: np.random.Generator) -> LiteralRule:
        demands = self._demands
        forced = sum(demand for demand in demands if demand.bit_count() == 1)
        open_ = [c for c in self._variables if not any(forced >> i & 1 for i in c)]
        number = math.prod(1 + len(literals) for literals in open_)
        for _ in range(REJECTIONS):
            index = uniform_below(rng, number + (self._seen is not None))
            S = forced
            if index == number:
                return LiteralRule(self._literals, self._quiet, self._literals.all)
            for literals in open_:
                index, choice = divmod(index, 1 + len(literals))
                S |= 1 << literals[choice - 1] if choice else 0
            if all(S & demand for demand in demands):
                return LiteralRule(self._literals, self._quiet, S)
        if number > LISTING_LIMIT:
            raise TooLarge(
                f"None of {REJECTIONS} random concepts agrees with the examples of {self!r}, and "
                f"{number} are too many to list. The limit is {LISTING_LIMIT}.",
                estimate=number,
                limit=LISTING_LIMIT,
            )
        concepts = list(self._concepts())
        S = concepts[uniform_below(rng, len(concepts))]
        return LiteralRule(self._literals, self._quiet, S)

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """Return a uniform point, or one near the points where a target is quiet, half each.

        A long conjunction is 1 at so few points that a uniform point would almost never hit them.
        """
        if isinstance(target, LiteralRule) and rng.integers(2):
            return target.random_neighbour(rng)
        return self._domain.sample(rng)
