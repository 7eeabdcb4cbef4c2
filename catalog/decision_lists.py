"""Decision lists over literals, over short conjunctions, and over any features.

A decision list ``(f_1, b_1), ..., (f_(r-1), b_(r-1)), b_r`` computes "if f_1 then b_1, else if f_2
then b_2, ..., else b_r". Its length is r, including the final bit. Its alternations are the places
where consecutive bits b_i, b_(i+1) differ [BF25, sections 2 and 4.3].
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from catalog.closed_forms.list_counts import ListBounds
from catalog.closed_forms.long_lists import LongLists
from catalog.closed_forms.short_lists import ShortLists
from catalog.cube import (
    MAX_VARIABLES,
    as_words,
    cube_points,
    cube_vectors,
    distinct,
    new,
    require_cube,
    table_of,
)
from catalog.facts import known
from catalog.family import Fact, Family
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.packing import BYTE_LIMIT, require_memory
from lsclasses.specifications import Parameter
from lsclasses.table import Table

CHUNK = 1 << 21
"""Approximate number of lists that are stored before lists with equal labels are merged."""
EVERY_FUNCTION_UP_TO = 12
"""Largest number of variables for which 2^(2^n) can be printed."""
LEARNABLE_VARIABLES = 10_000
"""Largest number of variables of a class. Learners run on such classes without a table."""
LISTS_UP_TO = 100
"""Largest length for which the number of lists can be printed."""


def decision_lists(
    features: Table | ArrayLike, *, length: int | None = None, alternations: int | None = None
) -> Table:
    """Return the class of all decision lists over the given features.

    The class is the closure of the two constants under prepending a rule, ``g -> (f ? b : g)``. A
    rule may test only the features themselves, not their negations.

    Parameters
    ----------
    features : Table, or array-like of 0/1 of shape (features, points)
        Features as functions of the points, one per row.
    length : int, optional
        Largest length of a list. Length 1 leaves the constants. By default, lengths are unbounded.
    alternations : int, optional
        Largest number of alternations of the bits of a list. 0 leaves the constants. By default,
        alternations are unbounded.

    Raises
    ------
    InvalidInput
        If the features are not a 0/1 table or a bound is out of range.
    TooLarge
        If there are more lists than a table may hold.

    Examples
    --------
    Two features that share the middle one of three points:

    >>> C = decision_lists([[1, 1, 0], [0, 1, 1]])
    >>> [c.support for c in C]
    [(), (2,), (1, 2), (0,), (0, 1), (0, 1, 2)]
    >>> len(decision_lists([[1, 1, 0], [0, 1, 1]], length=1))
    2
    """
    table = features if isinstance(features, Table) else Table(features)
    for name, bound, least in (("length", length, 1), ("alternations", alternations, 0)):
        if bound is not None and (not isinstance(bound, (int, np.integer)) or bound < least):
            raise InvalidInput(
                f"The {name} of decision lists must be an int >= {least} or None. Got {bound!r}."
            )
    points = len(table.points)
    words = as_words(table.labels)
    zero, one = as_words(np.array([[0] * points, [1] * points], dtype=np.uint8))[:, None, :]

    # The rules that can be prepended to a list depend on its first bit and its alternations so far.
    # Without a bound on alternations, one state is enough. A state contains every list that starts
    # with its bit and has at most its number of alternations.
    state: dict[tuple[int, ...], np.ndarray]
    sources: dict[tuple[int, ...], Sequence[tuple[tuple[int, ...], int]]]
    if alternations is None:
        state = {(): np.concatenate([zero, one])}
        sources = {(): [((), 0), ((), 1)]}
    else:
        # A rule that decides no point can be left out, so more alternations than features or points
        # never add lists.
        most = min(int(alternations), len(table), points)
        state = {(a, b): (zero, one)[b] for a in range(most + 1) for b in (0, 1)}
        sources = {(a, b): [((a, b), b)] + ([((a - 1, 1 - b), b)] if a else []) for a, b in state}
    fresh = state
    rounds = itertools.count(2) if length is None else range(2, int(length) + 1)
    for _ in rounds:
        longer = {
            key: new(
                np.concatenate(
                    [_prepended(words, bit, fresh[source]) for source, bit in sources[key]]
                ),
                known=lists,
            )
            for key, lists in state.items()
        }
        if not any(len(lists) for lists in longer.values()):
            break
        state = {key: np.concatenate([old, longer[key]]) for key, old in state.items()}
        fresh = longer
        for lists in state.values():
            require_memory(len(lists), points, "The class of decision lists", packed=True)
    last = list(state.values())[-2:]
    return table_of(distinct(np.concatenate(last)), table.domain)


def _prepended(features: np.ndarray, bit: int, lists: np.ndarray) -> np.ndarray:
    """Return every list with every rule (feature, bit) prepended, without duplicates."""
    width = features.shape[1]
    found = []
    step = max(1, CHUNK // max(1, len(lists)))
    for start in range(0, len(features), step):
        chosen = features[start : start + step, None, :]
        longer = lists[None] | chosen if bit else lists[None] & ~chosen
        found.append(distinct(longer.reshape(-1, width)))
    return np.concatenate(found) if found else np.zeros((0, width), dtype=np.uint64)


def short_conjunctions(n: int, k: int, *, monotone: bool = False) -> Table:
    """Return the conjunctions of at least one and at most k literals over n variables, on {0,1}^n.

    Parameters
    ----------
    n : int
        Number of variables.
    k : int
        Largest number of literals, of different variables.
    monotone : bool
        Whether all literals are variables, without negated literals.

    Examples
    --------
    >>> [(c.name, c.support) for c in short_conjunctions(2, 2, monotone=True)]
    [('x1', ((1, 0), (1, 1))), ('x2', ((0, 1), (1, 1))), ('x1 & x2', ((1, 1),))]
    """
    vectors = cube_vectors(n)
    rows, names = [], []
    for count in range(1, min(k, n) + 1):
        for variables in itertools.combinations(range(n), count):
            for signs in itertools.product((1,) if monotone else (1, 0), repeat=count):
                rows.append((vectors[:, list(variables)] == np.array(signs)).all(axis=1))
                names.append(
                    " & ".join(
                        f"{'' if sign else '~'}x{i + 1}"
                        for i, sign in zip(variables, signs, strict=True)
                    )
                )
    return Table(np.array(rows), cube_points(n), names)


def _sizes() -> Iterator[tuple[str, str, str]]:
    """Yield formula, condition and source of the number of 1-decision lists, per type of bound."""
    for length, rules in (("Eq(length, 0)", "n"), ("(length >= 1)", "Min(n, length - 1)")):
        for alternations, blocks in (
            ("Eq(alternations, 0)", "j"),
            ("(alternations >= 1)", "alternations"),
        ):
            bounds = f"{length} & {alternations} & Eq(k, 1) & (n <= {MAX_VARIABLES})"
            yield (
                f"2*Sum(binomial(n, j)*ordered_partitions(j, {blocks}), (j, 0, {rules}))",
                f"Eq(monotone, 1) & {bounds}",
                "a function shows its default bit and the blocks of variables with equal bits",
            )
            yield (
                f"2 + 2*n*Min(1, {rules}) + Sum(binomial(n, j)*2**(j + 1)*(ordered_partitions(j, "
                f"{blocks}) - j*ordered_partitions(j - 1, {blocks} - 1)), (j, 2, {rules}))",
                f"Eq(monotone, 0) & {bounds}",
                "nested canalyzing functions of j variables; their layers are unique once the last "
                "has two variables or more (Li, Adeyeye, Murrugarra, Aguilar, Laubenbacher 2013)",
            )


class DecisionLists(Family):
    """k-decision lists: their features are the conjunctions of at most k literals.

    Examples
    --------
    >>> C = DecisionLists().table(n=4)
    >>> C, C.ldim()
    (<Table: 1050 concepts on 16 points>, 9)

    With three rules and one alternation, at most two variables get one bit, the others another:

    >>> DecisionLists().table(n=4, length=3, alternations=1, monotone=1).size == 2 * (1 + 4 + 6)
    True
    """

    name = "decision-lists"
    packed = True
    title = "Decision lists over conjunctions of at most k literals"
    definition = (
        "Points {0,1}^n. The concepts are the functions 'if f_1 then b_1, else if f_2 then b_2, "
        "..., else b_r', where every f_i is a conjunction of at most k literals. With monotone=1, "
        "the literals are variables without negation. The length of this list is r, so the last "
        "bit counts. Its alternations are the changes in the sequence b_1, ..., b_r. The "
        "parameters bound the length and the alternations, and 0 means no bound."
    )
    reference = "Rivest 1987; [BF25, sections 2 and 4.3]"
    parameters = (
        Parameter("n", "number of variables", minimum=1, maximum=LEARNABLE_VARIABLES),
        Parameter("k", "largest number of literals in a rule", default=1, minimum=1),
        Parameter("length", "largest length, 0 for any", default=0, minimum=0),
        Parameter(
            "alternations", "largest number of alternations, 0 for any number", default=0, minimum=0
        ),
        Parameter.flag("monotone", "let rules test only variables, without negations"),
    )
    facts = (
        *(Fact("size", formula, when, source=source) for formula, when, source in _sizes()),
        *known(__file__, "size-and-ldim"),
        *(
            Fact("ldim", f"floor_log2({formula})", when, "<=", "halving: log2 of the size")
            for formula, when, _ in _sizes()
        ),
        *known(__file__, "other"),
    )

    def _shape(
        self, *, n: int, k: int, length: int, alternations: int, monotone: int
    ) -> tuple[int, int]:
        require_cube(n, "Decision lists")
        points = 2**n
        bounds = []
        if k == 1:
            bounds.append(_most_lists(n, length, alternations, monotone))
        if n <= EVERY_FUNCTION_UP_TO:
            bounds.append(2**points)
        if 1 <= length <= LISTS_UP_TO:
            counts = range(1, min(k, n) + 1)
            features = sum(math.comb(n, i) * (1 if monotone else 2**i) for i in counts)
            bounds.append(sum(2 ** (j + 1) * math.perm(features, j) for j in range(length)))
        if not bounds:
            # n >= 13 points with one 1 and at least 78 with two are shattered by lists so long.
            raise TooLarge(
                f"The {k}-decision lists on {n} variables are at least 2^91 concepts on {points} "
                f"points. The limit is {BYTE_LIMIT} bytes. A bound on the length helps.",
                estimate=2**88 * points,
                limit=BYTE_LIMIT,
            )
        return min(bounds), points

    def _concept_class(
        self, *, n: int, k: int, length: int, alternations: int, monotone: int
    ) -> ConceptClass:
        try:
            return self.table(n=n, k=k, length=length, alternations=alternations, monotone=monotone)
        except TooLarge:
            bounds = ListBounds(n, k, length, alternations, bool(monotone))
            return ShortLists(bounds) if bounds.is_short else LongLists(bounds)

    def _table(self, *, n: int, k: int, length: int, alternations: int, monotone: int) -> Table:
        return decision_lists(
            short_conjunctions(n, k, monotone=bool(monotone)),
            length=length or None,
            alternations=alternations or None,
        )

    def instances(self) -> Iterator[dict[str, int]]:
        for monotone in (0, 1):
            for n, k in ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (1, 2), (2, 2), (3, 2)):
                yield {"n": n, "k": k, "monotone": monotone}
            for n in (1, 2, 3):
                for length in range(1, n + 2):
                    for alternations in range(3):
                        if (length, alternations) != (n + 1, 0):
                            yield {
                                "n": n,
                                "length": length,
                                "alternations": alternations,
                                "monotone": monotone,
                            }
                yield {"n": n, "alternations": 1, "monotone": monotone}
            yield {"n": 2, "k": 2, "length": 3, "monotone": monotone}
        yield {"n": 4, "k": 2}


def _most_lists(n: int, length: int, alternations: int, monotone: int) -> int:
    """Return a lower bound on the number of 1-decision lists, from blocks of literals."""
    rules = min(n, length - 1) if length else n
    return 2 * sum(
        math.comb(n, j) * (1 if monotone else 2**j) * _ordered_partitions(j, alternations or j)
        for j in range(rules + 1)
    )


@cache
def _ordered_partitions(things: int, blocks: int) -> int:
    """Return the number of sequences of at most `blocks` blocks that partition `things` things."""
    if not things or not blocks:
        return int(not things)
    return sum(
        math.comb(things, first) * _ordered_partitions(things - first, blocks - 1)
        for first in range(1, things + 1)
    )
