"""Halfspaces over the cube: all linear threshold functions, and those with integer margin."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_points, cube_vectors, require_cube
from catalog.facts import at, dual_facts, tabulated
from catalog.family import Fact, Family
from catalog.labellings import as_labels, as_words, distinct, table_of
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

CHUNK = 1 << 21
"""About how many labels are computed at a time."""

LEARNABLE_DIMENSION = 10_000
"""In so many dimensions there is no table, but learners still run."""

LARGEST_WEIGHT = (0, 1, 1, 2, 3, 5, 9)
"""Every threshold function of n variables has integer weights up to LARGEST_WEIGHT[n]."""

LTF_COUNTS = (2, 4, 14, 104, 1882, 94572, 15028134)
"""How many linear threshold functions of n variables there are (Muroga 1971; OEIS A000609)."""

LTF_LDIMS = (1, 2, 3, 6, 9, 15, 22)

SMALL = "n <= 4"
TINY = "n <= 3"


class LinearThresholdFunctions(Family):
    """All linear threshold functions of at most six variables.

    The table holds every function with integer weights up to 1, 1, 2, 3, 5, 9 (for n = 1, ..., 6)
    and an integer threshold: those with weights in descending order first, then their images under
    permuting and negating variables. That these weights suffice shows in the number of functions
    found, which is the known one (Muroga 1971; OEIS A000609).

    Examples
    --------
    >>> [LinearThresholdFunctions().table(n=n).size for n in range(5)]
    [2, 4, 14, 104, 1882]
    >>> LinearThresholdFunctions().table(n=4, signed=1).ldim()
    9
    """

    name = "ltf"
    packed = True
    title = "Linear threshold functions"
    definition = (
        "Points {0,1}^n, or {-1,1}^n when signed; the concepts are all functions that are 1 iff "
        "<w, x> >= t, for real weights w and a real threshold t."
    )
    reference = "Muroga 1971; OEIS A000609"
    parameters = (
        Parameter("n", "number of variables", minimum=0, maximum=len(LTF_COUNTS) - 1),
        Parameter.flag("signed", "points are vectors of -1 and 1 instead of 0 and 1"),
    )
    facts = (
        *tabulated("size", at("n", LTF_COUNTS), source="Muroga 1971; OEIS A000609"),
        Fact("points", "2**n", source="by definition"),
        *tabulated("ldim", at("n", LTF_LDIMS)),
        Fact(
            "vcdim",
            "n + 1",
            source="halfspaces of R^n (Cover 1965); 0 and the n unit vectors are shattered",
            searched=SMALL,
        ),
        *dual_facts(searched=SMALL),
        Fact(
            "threshold_dim",
            "2**n",
            source="the weights 2^(n-1), ..., 2, 1 order all points; each beginning can be cut off",
            searched=SMALL,
        ),
        Fact("randomized_ldim", "1/2", "Eq(n, 0)", source="two concepts"),
        Fact("randomized_ldim", "1", "Eq(n, 1)", source="all four functions"),
        *tabulated("randomized_ldim", at("n", ("15/8", "105/32"), first=2)),
        Fact(
            "randomized_ldim",
            "(n + 1)/2",
            relation=">=",
            source="RL >= vcdim / 2",
            searched=TINY,
        ),
        Fact(
            "star_number",
            "2**n",
            source="the constant 0 with the functions that are 1 at a single point",
            searched=SMALL,
        ),
        Fact(
            "hollow_star_number",
            "n + 2",
            "n >= 2",
            source=(
                "Kirchberger's theorem bounds it; the diagonal from 0...0 to 1...1 passes the "
                "simplex of the n unit vectors inside, so labelling them apart is minimal"
            ),
            searched=TINY,
        ),
        Fact("hollow_star_number", "0", "n <= 1", source="every function is a threshold function"),
        Fact(
            "teaching_dim",
            "2**n",
            source="the constant 0 has a neighbour for every point (Anthony et al. 1995)",
            searched=TINY,
        ),
        *tabulated("recursive_teaching_dim", at("n", (1, 2, 3, 4))),
    )

    def _shape(self, *, n: int, signed: int) -> tuple[int, int]:
        return LTF_COUNTS[n], 2**n

    def _table(self, *, n: int, signed: int) -> Table:
        vectors = cube_vectors(n)
        weights = np.array(
            list(itertools.combinations_with_replacement(range(LARGEST_WEIGHT[n], -1, -1), n)),
            dtype=np.int64,
        )
        sums = weights @ vectors.T
        functions = np.concatenate([sums >= t for t in range(sums.max() + 2)])
        ordered = as_labels(distinct(as_words(functions)), 2**n)
        places = 1 << np.arange(n - 1, -1, -1)
        images = [
            distinct(
                np.concatenate(
                    [
                        as_words(
                            ordered[
                                :, (vectors[:, order] ^ np.array(flips, dtype=np.uint8)) @ places
                            ]
                        )
                        for flips in itertools.product((0, 1), repeat=n)
                    ]
                )
            )
            for order in map(list, itertools.permutations(range(n)))
        ]
        points = FiniteDomain(cube_points(n, signed=bool(signed)))
        return table_of(distinct(np.concatenate(images)), points)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(6):
            yield {"n": n, "signed": 0}
        yield {"n": 2, "signed": 1}


# From these norms on, every homogeneous threshold function has a large enough margin. The class is
# then that of all threshold functions of d-1 variables: fix the last coordinate to 1.
ALL = (
    "(d <= 2) | (Eq(d, 3) & (norm >= 3*margin)) | (Eq(d, 4) & (norm >= 5*margin)) "
    "| (Eq(d, 5) & (norm >= 9*margin))"
)
LITERALS = "norm < 3*margin"
"""Only single variables and their negations have that margin."""


class MarginHalfspaces(Family):
    """Homogeneous halfspaces over {-1,1}^d whose margin on all points is large.

    Examples
    --------
    Norm 3 and margin 1 allow the literals and the majorities of three:

    >>> C = MarginHalfspaces().table(d=4, norm=3, margin=1)
    >>> C.size == 2 * 4 + 8 * 4, C.ldim()
    (True, 5)
    """

    name = "margin-halfspaces"
    title = "Halfspaces with integer weights of bounded norm and large margin"
    definition = (
        "Points {-1,1}^d; the concepts are the functions that are 1 iff <w, x> > 0, for integer "
        "vectors w with |w_1| + ... + |w_d| <= norm and |<w, x>| >= margin at every point x. In "
        "the terms of [BF25], all have margin rho = margin/norm at least."
    )
    reference = "[BF25, section 2]"
    parameters = (
        Parameter("d", "dimension", minimum=1, maximum=LEARNABLE_DIMENSION),
        Parameter("norm", "largest sum of absolute weights", minimum=1, maximum=4096),
        Parameter("margin", "smallest absolute value of <w, x>", default=1, minimum=1),
    )
    facts = (
        Fact("points", "2**d", source="by definition"),
        Fact(
            "size",
            "2*d",
            LITERALS,
            source=(
                "unless one weight decides alone, flipping weights one by one from the second on, "
                "largest first, jumps over (-margin, margin) at a third weight >= margin"
            ),
        ),
        Fact(
            "size",
            "2*d + 8*binomial(d, 3)",
            "(norm >= 3*margin) & ((norm < 5*margin) | (d <= 3))",
            source=(
                "the literals and the majorities of three literals: by the argument for literals "
                "continued, any other halfspace needs norm >= 5 margin"
            ),
        ),
        Fact("size", "104", "Eq(d, 4) & (norm >= 5*margin)", source="OEIS A000609"),
        Fact("size", "1882", "Eq(d, 5) & (norm >= 9*margin)", source="OEIS A000609"),
        Fact(
            "ldim",
            "floor_log2(2*d)",
            LITERALS,
            source="2d concepts; it is at least the VC dimension",
        ),
        Fact("ldim", "3", "Eq(d, 3) & (norm >= 3*margin)", source="ltf with n=2"),
        Fact(
            "ldim",
            "5",
            "Eq(d, 4) & (norm >= 3*margin) & (norm < 5*margin)",
            source="found by search",
        ),
        Fact("ldim", "6", "Eq(d, 4) & (norm >= 5*margin)", source="ltf with n=3"),
        Fact("ldim", "9", "Eq(d, 5) & (norm >= 9*margin)", source="ltf with n=4"),
        Fact(
            "ldim",
            "floor(d*norm**2/margin**2)",
            relation="<=",
            source="mistake bound of the perceptron: (|x| |w| / margin)^2 (Novikoff 1962)",
        ),
        Fact(
            "ldim",
            "floor(2*log(2*d)*norm**2/margin**2)",
            relation="<=",
            source="mistake bound of Winnow on variables and negations: [BF25, Lemma 4.2]",
        ),
        Fact(
            "vcdim",
            "floor_log2(2*d)",
            LITERALS,
            source="2^(k-1) variables can show one of every two opposite labellings of k points",
        ),
        Fact("vcdim", "d", ALL, source="ltf with n = d-1"),
        Fact("vcdim", "d", relation="<=", source="homogeneous halfspaces of R^d (Cover 1965)"),
        *dual_facts("d"),
        Fact(
            "threshold_dim",
            "d",
            LITERALS,
            source="all of them are 1 at the last point, so no variable can occur twice",
        ),
        Fact("threshold_dim", "2**(d - 1)", ALL, source="ltf with n = d-1"),
        Fact(
            "randomized_ldim",
            "(1 + log(d, 2))/2",
            f"({LITERALS}) & Eq(2**floor_log2(d), d)",
            source="vcdim/2 <= RL <= log2(size)/2",
        ),
        Fact("randomized_ldim", "15/8", "Eq(d, 3) & (norm >= 3*margin)", source="ltf with n=2"),
        Fact("randomized_ldim", "105/32", "Eq(d, 4) & (norm >= 5*margin)", source="ltf with n=3"),
        Fact(
            "star_number",
            "Max(d - 1, Min(d, 2))",
            LITERALS,
            source=(
                "a variable with d-1 others, each 1 where no other is; with at most two points, "
                "negations can help"
            ),
        ),
        Fact("star_number", "2**(d - 1)", ALL, source="ltf with n = d-1", searched="d <= 4"),
        Fact("hollow_star_number", "2", "d <= 2", source="two opposite points with one label"),
        Fact(
            "hollow_star_number",
            "d + 1",
            f"(d >= 3) & ({ALL})",
            source="a minimal positive dependence in R^d has at most d+1 vectors; ltf with n = d-1",
            searched="d <= 4",
        ),
        Fact(
            "teaching_dim",
            "Min(d, 2)",
            LITERALS,
            source="one point where it differs from all other variables, one where from none",
        ),
        Fact("teaching_dim", "2**(d - 1)", ALL, source="ltf with n = d-1", searched="d <= 4"),
        Fact(
            "recursive_teaching_dim",
            "Min(d, 2)",
            LITERALS,
            source="one point leaves half of the 2d literals, so one never suffices if d > 1",
        ),
        Fact("recursive_teaching_dim", "3", "Eq(d, 3) & (norm >= 3*margin)", source="ltf with n=2"),
        Fact("recursive_teaching_dim", "4", "Eq(d, 4) & (norm >= 5*margin)", source="ltf with n=3"),
    )

    def _check(self, *, d: int, norm: int, margin: int) -> None:
        if norm < margin:
            raise InvalidInput(
                f"A halfspace with norm {norm} cannot have margin {margin}, so the class would be "
                f"empty; use norm >= margin."
            )

    def _shape(self, *, d: int, norm: int, margin: int) -> tuple[int, int]:
        require_cube(d, "Halfspaces")
        vectors = sum(2**i * math.comb(d, i) * math.comb(norm, i) for i in range(d + 1))
        return vectors, 2**d

    def _table(self, *, d: int, norm: int, margin: int) -> Table:
        signs = (2 * cube_vectors(d).astype(np.int32) - 1).T
        step = max(1, CHUNK >> d)
        descending = _descending(d, norm)
        kept, functions = [], []
        for start in range(0, len(descending), step):
            weights = descending[start : start + step]
            sums = weights @ signs
            far = np.abs(sums).min(axis=1) >= margin
            kept.append(weights[far])
            functions.append(as_words(sums[far] > 0))
        chosen = _cheapest(np.concatenate(kept), np.concatenate(functions))
        vectors = itertools.chain.from_iterable(_rearranged(tuple(w)) for w in chosen.tolist())
        words = [
            as_words(np.array(some, dtype=np.int32) @ signs > 0)
            for some in iter(lambda: list(itertools.islice(vectors, step)), [])
        ]
        labels = as_labels(distinct(np.concatenate(words)), 2**d)
        return Table(labels, cube_points(d, signed=True))

    def instances(self) -> Iterator[dict[str, int]]:
        for d, norm, margin in (
            *((1, 1, 1), (1, 5, 2), (2, 1, 1), (2, 3, 1), (3, 1, 1), (3, 2, 1), (3, 3, 1)),
            *((3, 8, 2), (4, 1, 1), (4, 5, 2), (4, 3, 1), (4, 4, 1), (4, 5, 1), (4, 10, 2)),
            *((5, 2, 2), (5, 3, 1), (5, 5, 1), (5, 9, 1), (6, 3, 1), (8, 1, 1)),
        ):
            yield {"d": d, "norm": norm, "margin": margin}


def _descending(parts: int, norm: int) -> np.ndarray:
    """All descending tuples of that many natural numbers with sum at most `norm`, as rows."""
    weights = np.zeros((1, 0), dtype=np.int32)
    left = last = np.array([norm], dtype=np.int32)
    for _ in range(parts):
        choices = np.minimum(left, last) + 1
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        last = (np.arange(len(starts)) - starts).astype(np.int32)
        left = np.repeat(left, choices) - last
        weights = np.column_stack([np.repeat(weights, choices, axis=0), last])
    return weights


def _cheapest(weights: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """For every function, of the weights given for it those with the fewest rearrangements."""
    d = weights.shape[1]
    repeated = np.ones(len(weights))
    run = np.ones(len(weights))
    for i in range(1, d):
        run = np.where(weights[:, i] == weights[:, i - 1], run + 1, 1)
        repeated *= run
    rearrangements = 2.0 ** np.count_nonzero(weights, axis=1) / repeated  # up to the factor d!
    order = np.lexsort((rearrangements, *functions.T))
    grouped = functions[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (grouped[1:] != grouped[:-1]).any(axis=1)
    chosen: np.ndarray = weights[order[first]]
    return chosen


def _rearranged(weights: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every vector that arises from permuting and negating the entries, each once."""
    if not weights:
        yield ()
    for weight in sorted(set(weights)):
        place = weights.index(weight)
        for others in _rearranged(weights[:place] + weights[place + 1 :]):
            yield (weight, *others)
            if weight:
                yield (-weight, *others)
