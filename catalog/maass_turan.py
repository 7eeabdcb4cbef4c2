"""Three classes that separate models of on-line learning: addressing, majority, tagged singletons.

They are due to Maass and Turán ("Lower bound methods and separation results for on-line learning
models", Machine Learning 9, 1992).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_vectors
from catalog.facts import at, tabulated
from catalog.family import Fact, Family
from lsclasses.points import Point
from lsclasses.specifications import Parameter
from lsclasses.table import Table

REFERENCE = "Maass and Turán 1992"


class Addressing(Family):
    """Every address with the single data point that it points to.

    Examples
    --------
    >>> for c in Addressing().table(k=2):
    ...     print(c.name, c.support)
    0 (('data', 0),)
    1 (('address', 1), ('data', 1))
    2 (('address', 0), ('data', 2))
    3 (('address', 0), ('address', 1), ('data', 3))
    """

    name = "addressing"
    title = "Addressing"
    definition = (
        "Points ('address', 0), ..., ('address', k-1) and ('data', 0), ..., ('data', 2^k - 1); for "
        "every number i < 2^k a concept: the binary digits of i at the address points, highest "
        "first, and of the data points only the i-th. Maass and Turán's class on n data points for "
        "n = 2^k."
    )
    reference = REFERENCE
    parameters = (Parameter("k", "number of address bits", minimum=1, maximum=28),)
    facts = (
        Fact("size", "2**k", source="by definition"),
        Fact("points", "2**k + k", source="by definition"),
        Fact("ldim", "k", source="2^k concepts that shatter the address points"),
        Fact("vcdim", "k", source="2^k concepts that shatter the address points"),
        Fact("dual_vcdim", "1", "Eq(k, 1)", source="two different points"),
        *(
            Fact(
                "dual_vcdim",
                str(d),
                f"(k >= {2**d - d - 1}) & (k < {2 ** (d + 1) - d - 2}) & (k >= 2)",
                source=(
                    "d concepts: a data point is in at most one, so the 2^d - d - 1 patterns with "
                    "two ones or more need an address point each, and that is enough"
                ),
            )
            for d in (2, 3)
        ),
        *tabulated("dual_ldim", at("k", (1, 2, 2), first=1)),
        Fact(
            "threshold_dim",
            "k",
            source=(
                "a data point is in one concept, so only x_1 can be one; then h_1 and h_2 would "
                "agree at all k address points"
            ),
        ),
        Fact("randomized_ldim", "k/2", source="vcdim/2 <= RL <= log2(size)/2"),
        Fact(
            "star_number",
            "2**k - 1",
            source="one concept with all others; there cannot be more",
        ),
        Fact(
            "hollow_star_number",
            "2**k",
            source="all data points labelled 0; every point of such a sample needs its own concept",
        ),
        Fact("teaching_dim", "1", source="the data point"),
        Fact("recursive_teaching_dim", "1", source="the data point"),
    )

    def _shape(self, *, k: int) -> tuple[int, int]:
        return 2**k, 2**k + k

    def _table(self, *, k: int) -> Table:
        points = [("address", i) for i in range(k)] + [("data", i) for i in range(2**k)]
        labels = np.concatenate([cube_vectors(k), np.eye(2**k, dtype=np.uint8)], axis=1)
        return Table(labels, points, range(2**k))

    def instances(self) -> Iterator[dict[str, int]]:
        for k in range(1, 6):
            yield {"k": k}


class Majority(Family):
    """All sets, with one more point that tells which of them are large.

    Examples
    --------
    >>> [c.support for c in Majority().table(n=2)]
    [(), (1,), (0,), (0, 1, 'majority')]
    """

    name = "majority"
    title = "Majority"
    definition = (
        "Points 0, ..., n-1 and 'majority'; for every subset S of the first n a concept: S itself, "
        "with 'majority' iff S has more than n/2 elements."
    )
    reference = REFERENCE
    parameters = (Parameter("n", "number of points that vote", minimum=1, maximum=28),)
    facts = (
        Fact("size", "2**n", source="by definition"),
        Fact("points", "n + 1", source="by definition"),
        Fact("ldim", "n", source="2^n concepts that shatter the first n points"),
        Fact("vcdim", "n", source="2^n concepts that shatter the first n points"),
        Fact(
            "dual_ldim",
            "floor_log2(n)",
            source=(
                "n+1 points at most; if n+1 = 2^d, a set of depth d would contain half of them, "
                "but a majority of the n has more without the last point, and a minority fewer"
            ),
        ),
        Fact("dual_vcdim", "floor_log2(n)", source="as dual_ldim"),
        Fact(
            "threshold_dim",
            "n",
            source=(
                "if all n+1 points were used, the two sets next to 'majority' in the order would "
                "be the same with different majorities"
            ),
        ),
        Fact("randomized_ldim", "n/2", source="vcdim/2 <= RL <= log2(size)/2"),
        Fact("star_number", "n", source="no two concepts differ at 'majority' only"),
        Fact(
            "hollow_star_number",
            "floor(n/2) + 2",
            source="'majority' labelled 0 with floor(n/2) + 1 ones, or 1 with ceiling(n/2) zeros",
        ),
        Fact("teaching_dim", "n", source="the empty set needs all n points"),
        Fact(
            "recursive_teaching_dim",
            "ceiling(n/2)",
            source=(
                "smallest majorities first, by 'majority' and their zeros, then largest minorities "
                "by their ones; at the start every concept needs so many"
            ),
        ),
    )

    def _shape(self, *, n: int) -> tuple[int, int]:
        return 2**n, n + 1

    def _table(self, *, n: int) -> Table:
        votes = cube_vectors(n)
        majority = 2 * votes.sum(axis=1, dtype=np.int64) > n
        return Table(np.column_stack([votes, majority]), [*range(n), "majority"])

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 9):
            yield {"n": n}


TAGS = "(floor_log2(n - 1) + 1)"
"""The number of tags, log2 n rounded up."""
FIRST_TAGGED = f"Min(n, floor(n/2) + {TAGS} + 1)"
"""How many points carry the first tag."""
TAGS_USED = f"Max(1, -floor_log2(({TAGS} + 1)/n))"
"""The tag of the last point."""


class TaggedSingletons(Family):
    """Single points, each with one of few tags, so that a majority vote always knows a tag.

    Examples
    --------
    >>> [c.support for c in TaggedSingletons().table(n=3)]  # doctest: +NORMALIZE_WHITESPACE
    [(), (('tag', 1),), (('tag', 2),), (1, ('tag', 1)), (2, ('tag', 1)), (3, ('tag', 1))]
    """

    name = "tagged-singletons"
    title = "Tagged singletons"
    definition = (
        "Points 1, ..., n and ('tag', 1), ..., ('tag', t) with t = ceiling(log2 n); the concepts "
        "are the empty set, every single tag, and every i with its tag f(i), the least l with "
        "i <= n/2 + n/4 + ... + n/2^l + t + 1: of the concepts that do not contain the tags before "
        "l, more than half contain the tag l, as long as later tags are needed at all."
    )
    reference = (
        "Maass and Turán 1992; f as restated in O. Bousquet's catalogue of combinatorial parameters"
    )
    parameters = (Parameter("n", "number of singletons", minimum=2, maximum=1 << 14),)
    facts = (
        Fact("size", f"n + {TAGS} + 1", source="by definition"),
        Fact("points", f"n + {TAGS}", source="by definition"),
        Fact(
            "ldim",
            "Min(2, n - 1)",
            source=(
                "predict 0: the first mistake shows the tag, the second the point; ask a tag, then "
                "one of its points or another tag"
            ),
        ),
        Fact("vcdim", "1", source="of a point and its tag, never only the point"),
        Fact(
            "dual_ldim",
            "Min(2, n - 1)",
            source="no concept contains more than two points; at least the dual VC dimension",
        ),
        Fact(
            "dual_vcdim",
            "Min(2, n - 1)",
            source="two points with the first tag are told apart by tags 1, 2 and themselves",
        ),
        Fact(
            "threshold_dim",
            "2",
            source="h_1 has two points at most; {i, f(i)} and {f(i)} do",
        ),
        Fact(
            "star_number",
            f"n + {TAGS} - {TAGS_USED}",
            "n >= 3",
            source=(
                "around the empty set, all points and the tags without points; a star with a tag "
                "and points of that tag contains nothing else"
            ),
        ),
        Fact("star_number", "3", "Eq(n, 2)", source="around the tag"),
        Fact(
            "hollow_star_number",
            "2",
            source="two points, two tags, or a point without its tag or with another",
        ),
        Fact(
            "teaching_dim",
            f"{FIRST_TAGGED} + 1",
            source="the first tag needs itself and all its points; all others need fewer",
        ),
        Fact("recursive_teaching_dim", "1", source="points first, then tags, then the empty set"),
    )

    def _shape(self, *, n: int) -> tuple[int, int]:
        tags = (n - 1).bit_length()
        return n + tags + 1, n + tags

    def _table(self, *, n: int) -> Table:
        tags = (n - 1).bit_length()
        tag_names = [("tag", number) for number in range(1, tags + 1)]
        sets: list[tuple[Point, ...]] = [(), *((name,) for name in tag_names)]
        sets += [(i, ("tag", _tag(i, n, tags))) for i in range(1, n + 1)]
        return Table.from_sets([*range(1, n + 1), *tag_names], sets)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (*range(2, 13), 16, 17, 33):
            yield {"n": n}


def _tag(i: int, n: int, tags: int) -> int:
    """The least l with i <= n (1 - 2^-l) + tags + 1."""
    return next(
        number for number in itertools.count(1) if (i - tags - 1) * 2**number <= n * (2**number - 1)
    )
