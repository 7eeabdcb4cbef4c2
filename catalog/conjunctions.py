"""Conjunctions and disjunctions of literals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import reduce
from typing import ClassVar

import numpy as np

from catalog.cube import cube_points
from catalog.facts import at, dual_facts, tabulated
from catalog.family import ClosedForm, Fact
from catalog.forms.terms import Terms
from lsclasses.specifications import Parameter
from lsclasses.table import Table

ABSENT, POSITIVE, NEGATIVE = "", "x", "~x"
"""How a variable occurs in a conjunction or disjunction."""

SMALL = "n <= 4"

# Complementing all labels and negating all variables turns conjunctions into disjunctions, so the
# two families share every dimension that does not tell the labels apart. Proofs are given for
# conjunctions; S is a set of literals, T a point, and the conjunction of S is 1 at T iff T
# satisfies S.
SHARED_FACTS = (
    Fact("size", "2**n", "Eq(monotone, 1)", source="one for every set of variables"),
    Fact(
        "size",
        "3**n + 1",
        "Eq(monotone, 0)",
        source="each variable is absent, positive or negated; one constant more",
    ),
    Fact("points", "2**n", source="by definition"),
    Fact(
        "ldim",
        "n",
        "Eq(monotone, 1)",
        source="Littlestone 1988; the VC dimension is n and there are 2^n concepts",
    ),
    Fact(
        "ldim",
        "n + 1",
        "Eq(monotone, 0)",
        source=(
            "starting from all 2n literals, the first mistake removes n and every other one at "
            "least one; conversely ask the point 1...1: labelled 1, the monotone conjunctions are "
            "left, labelled 0, among others all ~x_n & c with c on n-1 variables, by induction"
        ),
    ),
    Fact(
        "vcdim",
        "n",
        "Eq(monotone, 1) | (n >= 2)",
        source=(
            "the points with one 0 are shattered; of n+1 >= 3 shattered points, each would be the "
            "only one to falsify some literal, and two of these literals would share a variable"
        ),
    ),
    Fact("vcdim", "2", "Eq(monotone, 0) & Eq(n, 1)", source="all four functions"),
    *dual_facts(searched=SMALL),
    Fact(
        "randomized_ldim",
        "n/2",
        "Eq(monotone, 1)",
        source="VC dimension n and 2^n concepts: vcdim/2 <= RL <= log2(size)/2",
        searched=SMALL,
    ),
    Fact("randomized_ldim", "1", "Eq(monotone, 0) & Eq(n, 1)", source="all four functions"),
    *tabulated(
        "randomized_ldim",
        at("n", ("13/8", "577/256", "186383/65536"), first=2),
        within="Eq(monotone, 0)",
    ),
    Fact(
        "randomized_ldim",
        "(n + 1)/2",
        "Eq(monotone, 0)",
        ">=",
        source="RL >= Ldim / 2",
        searched=SMALL,
    ),
    Fact(
        "star_number",
        "binomial(n, floor(n/2))",
        "Eq(monotone, 1)",
        source=(
            "points that a concept of the star adds form an antichain inside the intersection of "
            "the m points that one removes, which misses m variables; Sperner's theorem, and "
            "binomial(n-m, floor((n-m)/2)) + m is largest for m = 0"
        ),
        searched=SMALL,
    ),
    Fact(
        "star_number",
        "2**n",
        "Eq(monotone, 0)",
        source="the contradiction with the conjunctions of n literals, one for every point",
        searched=SMALL,
    ),
    Fact(
        "hollow_star_number",
        "n + 1",
        "n >= 2",
        source=(
            "intersections of concepts are concepts: a minimal non-realizable sample is one 0 and "
            "a minimal set of 1s whose common literals the 0 satisfies, at most one for each "
            "variable; n 1s are needed if each shares another variable with the 0, no more"
        ),
        searched=SMALL,
    ),
    Fact(
        "hollow_star_number",
        "monotone",
        "Eq(n, 1)",
        source="only the label of one point is constant, and that only in the monotone class",
    ),
    Fact(
        "teaching_dim",
        "n",
        "Eq(monotone, 1)",
        source=(
            "S itself with label 1, and S without each of its variables with label 0; the first "
            "is void if S has all n variables, and then the other n are needed"
        ),
        searched=SMALL,
    ),
    Fact(
        "teaching_dim",
        "2**n",
        "Eq(monotone, 0)",
        source="the contradiction differs at a single point from each conjunction of n literals",
        searched=SMALL,
    ),
    Fact(
        "recursive_teaching_dim",
        "1",
        "Eq(monotone, 1)",
        source="shortest conjunctions first, each taught by its least point",
        searched=SMALL,
    ),
    Fact(
        "recursive_teaching_dim",
        "2",
        "Eq(monotone, 0)",
        source=(
            "shortest first, each taught by two opposite points of its subcube, the contradiction "
            "last; the four functions of x_1, restricted to one edge, need 2"
        ),
        searched=SMALL,
    ),
)


class _JoinedLiterals(ClosedForm):
    """All literals of a set of them joined by one sign."""

    parameters = (
        Parameter("n", "number of variables", minimum=1, maximum=4096),
        Parameter.flag("monotone", "variables only, no negated ones"),
    )
    conjunctions: ClassVar[bool]
    sign: ClassVar[str]

    def _concept_class(self, *, n: int, monotone: int) -> Terms:
        return Terms(n, conjunctions=self.conjunctions, monotone=bool(monotone))

    def _table(self, *, n: int, monotone: int) -> Table:
        # The rule is decided, 0 for a conjunction and 1 for a disjunction, where a literal is. A
        # product of factors, one for each variable, says where none is.
        positive, negative = ((0, 1), (1, 0)) if self.conjunctions else ((1, 0), (0, 1))
        occurrences = {ABSENT: (1, 1), POSITIVE: positive}
        if not monotone:
            occurrences[NEGATIVE] = negative
        factor = np.array(list(occurrences.values()), dtype=np.uint8)
        undecided = reduce(np.kron, [factor] * n)
        labels = undecided if self.conjunctions else 1 - undecided
        empty, contrary = ("true", "false") if self.conjunctions else ("false", "true")
        names = [
            self.sign.join(f"{literal}{i}" for i, literal in enumerate(chosen, start=1) if literal)
            or empty
            for chosen in itertools.product(occurrences, repeat=n)
        ]
        if not monotone:
            labels = np.vstack([labels, np.full_like(labels[:1], not self.conjunctions)])
            names.append(contrary)
        return Table(labels, cube_points(n), names)

    def instances(self) -> Iterator[dict[str, int]]:
        for monotone in (0, 1):
            for n in (1, 2, 3, 4, 5, 8):
                yield {"n": n, "monotone": monotone}


class Conjunctions(_JoinedLiterals):
    """Conjunctions of literals.

    Examples
    --------
    >>> C = Conjunctions().table(n=2, monotone=1)
    >>> [(c.name, c.support) for c in C]  # doctest: +NORMALIZE_WHITESPACE
    [('true', ((0, 0), (0, 1), (1, 0), (1, 1))), ('x2', ((0, 1), (1, 1))),
     ('x1', ((1, 0), (1, 1))), ('x1 & x2', ((1, 1),))]
    >>> C.ldim(), Conjunctions().table(n=2).ldim()
    (2, 3)
    """

    name = "conjunctions"
    conjunctions, sign = True, " & "
    title = "Conjunctions of literals"
    definition = (
        "Points {0,1}^n; the concepts are the conjunctions of literals, each variable absent, "
        "positive or negated, and the contradiction: 3^n + 1. Monotone: the 2^n conjunctions of "
        "variables. The empty conjunction, 1 everywhere, is always included."
    )
    reference = "Valiant 1984; Littlestone 1988"
    facts = (
        *SHARED_FACTS,
        Fact(
            "threshold_dim",
            "n + 1",
            source=(
                "the literals of h_1, ..., h_i together are satisfied by x_i but not by x_(i-1), "
                "so their number grows at every step, from at least 0 to at most n; prefixes of "
                "x_1 & ... & x_n attain it"
            ),
            searched=SMALL,
        ),
    )


class Disjunctions(_JoinedLiterals):
    """Disjunctions of literals.

    Examples
    --------
    >>> C = Disjunctions().table(n=2, monotone=1)
    >>> [(c.name, c.support) for c in C]  # doctest: +NORMALIZE_WHITESPACE
    [('false', ()), ('x2', ((0, 1), (1, 1))), ('x1', ((1, 0), (1, 1))),
     ('x1 | x2', ((0, 1), (1, 0), (1, 1)))]
    """

    name = "disjunctions"
    conjunctions, sign = False, " | "
    title = "Disjunctions of literals"
    definition = (
        "Points {0,1}^n; the concepts are the disjunctions of literals, each variable absent, "
        "positive or negated, and the tautology: 3^n + 1. Monotone: the 2^n disjunctions of "
        "variables. The empty disjunction, 0 everywhere, is always included."
    )
    reference = "Littlestone 1988"
    facts = (
        *SHARED_FACTS,
        Fact(
            "threshold_dim",
            "n",
            "Eq(monotone, 1)",
            source=(
                "the variables of h_k, ..., h_i together are all 0 at x_(i-1), but h_(i-1) has "
                "one that is 1 at x_(i-1); so their number grows, from at least 1 to at most n"
            ),
            searched=SMALL,
        ),
        Fact(
            "threshold_dim",
            "n + 1",
            "Eq(monotone, 0)",
            source="as in the monotone class, except that h_1 may be the tautology",
            searched=SMALL,
        ),
    )
