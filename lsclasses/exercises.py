"""Exercises about a small concept class, with computed solutions.

An exercise has one of four topics: shattered sets, shattered trees, a run of the SOA, and the moves
of the optimal adversary. A seed chooses the points, the labels and the trees.
`lsclasses.pages.exercise_sheet` writes the exercises as web pages and LaTeX documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from lsclasses.concept_class import ConceptClass, generator
from lsclasses.drawing import to_text as tree_text
from lsclasses.errors import InvalidInput, TooLarge, nearest
from lsclasses.hypothesis import Concept
from lsclasses.point_names import Label, Point, name_text
from lsclasses.soa import SOA
from lsclasses.table import Table

if TYPE_CHECKING:
    import networkx
    import numpy as np

__all__ = ["TOPICS", "Exercise", "LabelTable", "TreeFigure", "exercises", "shuffled"]

MOST_CONCEPTS = 64
"""Largest number of concepts of a class whose table fits on a sheet."""
MOST_POINTS = 16
"""Largest number of points of a class whose table fits on a sheet."""
DEEPEST_TREE = 4
"""Largest depth of a tree on a sheet. A tree of depth 4 has 16 leaves."""
MOST_SETS = 40
"""Largest number of sets of points that a solution lists one by one."""
MOST_DRAWS = 50
"""Largest number of random draws to find an exercise that differs from all earlier exercises."""
LONGEST_RUN = 6
"""Largest number of rounds of a run of the SOA."""
LONGEST_GAME = 8
"""Largest number of rounds in which the reader plays the adversary."""
UNKNOWN_LEAF = "?"
"""Label of a leaf that the reader fills in."""
EMPTY = "The empty class has the dimension -1."
"""Sentence on a sheet that explains the dimension -1."""


@dataclass(frozen=True)
class LabelTable:
    """Table of strings in an exercise.

    Attributes
    ----------
    head : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        Rows of cells, with one cell for each column.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        padded = (map(str.ljust, line, widths) for line in lines)
        return "\n".join("  ".join(cells).rstrip() for cells in padded)


@dataclass(frozen=True, eq=False)
class TreeFigure:
    """Drawing of a shattered tree in an exercise.

    Attributes
    ----------
    graph : networkx.DiGraph
        Tree with the node attributes that `lsclasses.drawing` describes.
    """

    graph: networkx.DiGraph

    def __str__(self) -> str:
        return tree_text(self.graph)


Block = str | LabelTable | TreeFigure
"""Part of a question or of a solution. A string is a paragraph."""


@dataclass(frozen=True, eq=False)
class Exercise:
    """Question about a concept class and its solution.

    Attributes
    ----------
    topic : str
        One of `TOPICS`.
    title : str
        Heading of the exercise.
    question, solution : tuple of str, LabelTable or TreeFigure
        Paragraphs, tables and trees in reading order.
    """

    topic: str
    title: str
    question: tuple[Block, ...]
    solution: tuple[Block, ...]


def shuffled(C: ConceptClass, *, rng: np.random.Generator | int | None = None) -> Table:
    """Return a copy of a class with points in random order and labels flipped at random points.

    The names of the points stay in order, so the copy does not look like the class. Both
    have equal Littlestone and VC dimensions, but other dimensions can differ. The concepts lose
    their names.

    Parameters
    ----------
    C : ConceptClass
        Class that fits on a sheet, as for `exercises`.
    rng : numpy.random.Generator or int, optional
        Source of randomness or seed.

    Examples
    --------
    >>> import catalog
    >>> C = shuffled(catalog.build("thresholds:n=3"), rng=1)
    >>> C.labels.tolist(), C.ldim(), C.vcdim()
    ([[1, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 0]], 2, 1)
    """
    table, random = _small_table(C), generator(rng)
    labels = table.labels[:, random.permutation(len(table.points))]
    labels = labels ^ random.integers(0, 2, size=len(table.points), dtype=labels.dtype)
    return Table(random.permutation(labels), domain=table.points)


def exercises(
    C: ConceptClass,
    *,
    topics: Iterable[str] | None = None,
    count: int = 1,
    rng: np.random.Generator | int | None = None,
) -> tuple[Exercise, ...]:
    """Return random exercises about a class, with computed solutions.

    Parameters
    ----------
    C : ConceptClass
        Class with 1 to `MOST_CONCEPTS` concepts on 1 to `MOST_POINTS` points.
    topics : iterable of str, optional
        Names from `TOPICS`, in the order of the sheet. Default: every topic.
    count : int
        Number of exercises per topic.
    rng : numpy.random.Generator or int, optional
        Source of randomness or seed. Equal seeds give equal exercises.

    Raises
    ------
    InvalidInput
        If the class is empty or has no points, if a topic is unknown, if the count is less than 1,
        or if the class has fewer different exercises of a topic than the count.
    TooLarge
        If the class has too many concepts or points for a sheet.

    Examples
    --------
    >>> import catalog
    >>> first, *_ = exercises(catalog.build("thresholds:n=3"), rng=1)
    >>> first.title
    'Shattered sets'
    >>> print(first.solution[1])
    labels of 0, 2  concept
    0 0             3
    0 1             1
    1 0             none
    1 1             0
    """
    names = list(dict.fromkeys(TOPICS if topics is None else topics))
    for name in names:
        if name not in TOPICS:
            raise InvalidInput(f"No topic of exercises is {name!r:.80}. {nearest(name, TOPICS)}")
    if count < 1:
        raise InvalidInput(f"The number of exercises per topic must be at least 1. Got {count}.")
    table = _small_table(C)
    random = generator(rng)
    return tuple(each for name in names for each in _different(name, table, count, random))


def _different(topic: str, C: Table, count: int, random: np.random.Generator) -> Iterator[Exercise]:
    """Yield exercises of a topic with different questions."""
    found: set[tuple[str, ...]] = set()
    for _ in range(count):
        for _ in range(MOST_DRAWS):
            exercise = TOPICS[topic](C, random)
            question = tuple(sorted(map(str, exercise.question)))
            if question not in found:
                break
        else:
            raise InvalidInput(
                f"{MOST_DRAWS} draws found only {len(found)} different "
                f"{'exercise' if len(found) == 1 else 'exercises'} of the topic {topic}. "
                f"Got a count of {count}. Reduce the count or choose other topics."
            )
        found.add(question)
        yield exercise


def class_table(C: ConceptClass) -> LabelTable:
    """Return the labels of a class as a table, one row per concept and one column per point.

    Examples
    --------
    >>> print(class_table(Table([[0, 1], [1, 1]], domain=["a", "b"])))
    concept  a  b
    0        0  1
    1        1  1
    """
    table = _small_table(C)
    return LabelTable(
        ("concept", *map(name_text, table.domain)),
        tuple((_name(table, c), *(str(c(x)) for x in table.domain)) for c in table),
    )


def _small_table(C: ConceptClass) -> Table:
    points, size = C.domain.size, C.size
    counts = ((size, MOST_CONCEPTS, "concepts"), (points, MOST_POINTS, "points"))
    for number, limit, noun in counts:
        if number is None or number > limit:
            shown = "infinitely many" if number is None else number
            raise TooLarge(
                f"A sheet of exercises needs a class of at most {limit} {noun}. {C!r:.100} has "
                f"{shown}. Choose a smaller class.",
                estimate=number,
                limit=limit,
            )
    if not size or not points:
        raise InvalidInput(
            "A sheet of exercises needs a class with at least one concept and one point. "
            f"Got {C!r:.100}."
        )
    return C.to_table()


def _name(C: Table, concept: Concept) -> str:
    """Name of a concept, or the number of its row if the name is not a string or an integer."""
    if isinstance(concept.name, (str, int)):
        return name_text(concept.name)
    return str(C.position(concept))


def _set(points: Iterable[Point]) -> str:
    """Set of points. Quotes surround names with commas, braces or spaces."""
    names = map(name_text, points)
    return "{" + ", ".join(f"'{x}'" if re.search(r"[,{}\s]", x) else x for x in names) + "}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _points(number: int) -> str:
    return f"{number} {'point' if number == 1 else 'points'}"


# ---- shattered sets


def _shattered_sets(C: Table, random: np.random.Generator) -> Exercise:
    """Decide for two sets whether the class shatters them, and find the VC dimension."""
    d = C.vcdim()
    by_size = {k: list(combinations(C.domain, k)) for k in (d, d + 1)}
    shattered = [A for A in by_size[d] if C.shatters(A)]
    others = [A for A in by_size[d] if not C.shatters(A)] or by_size[d + 1]
    asked = [_choose(shattered, random)] + ([_choose(others, random)] if others else [])
    random.shuffle(asked)
    question = [f"Does C shatter the set {_set(A)}?" for A in asked]
    solution: list[Block] = []
    for A in asked:
        rows = tuple(
            (" ".join(map(str, labels)) or "(no labels)", _consistent(C, A, labels) or "none")
            for labels in product((0, 1), repeat=len(A))
        )
        answer = "C shatters" if C.shatters(A) else "C does not shatter"
        solution += [
            f"{answer} the set {_set(A)}. The table lists a concept for every labelling of the "
            "set, or none if no concept in C induces the labelling.",
            LabelTable(
                (f"labels of {', '.join(map(name_text, A)) or 'no point'}", "concept"), rows
            ),
        ]
    return Exercise(
        "sets",
        "Shattered sets",
        (*question, "What is the VC dimension of C?"),
        (*solution, *_vc_proof(C, d, by_size[d + 1])),
    )


def _choose(values: Sequence[Any], random: np.random.Generator) -> Any:
    return values[int(random.integers(len(values)))]


def _consistent(C: Table, points: Sequence[Point], labels: Sequence[Label]) -> str | None:
    """Return the name of a concept with these labels at these points, or None."""
    left = C.given(zip(points, labels, strict=True))
    return _name(C, next(iter(left.to_table()))) if not left.is_empty else None


def _vc_proof(C: Table, d: int, larger: Sequence[tuple[Point, ...]]) -> Iterator[Block]:
    """Yield blocks that prove that the VC dimension is d. The larger sets have d + 1 points."""
    yield f"The VC dimension of C is {d}. C shatters a set of {_points(d)}."
    if not larger:
        yield f"The domain has only {_points(d)}."
    elif len(C) < 2 ** (d + 1):
        yield (
            f"A class that shatters {_points(d + 1)} has at least {2 ** (d + 1)} concepts. "
            f"C has {len(C)}."
        )
    else:
        yield f"C does not shatter any of the {len(larger)} sets of {_points(d + 1)}."
        if len(larger) <= MOST_SETS:
            rows = tuple((_set(A), " ".join(map(str, _missing(C, A)))) for A in larger)
            yield LabelTable(("set", "a labelling that C does not induce"), rows)


def _missing(C: Table, points: Sequence[Point]) -> tuple[Label, ...]:
    """Return the first labelling of the points that no concept induces."""
    return next(
        labels
        for labels in product((0, 1), repeat=len(points))
        if _consistent(C, points, labels) is None
    )


# ---- shattered trees


def _shattered_trees(C: Table, random: np.random.Generator) -> Exercise:
    """Find the concepts at the leaves of a tree, and prove that no tree is deeper."""
    d = C.ldim()
    depth = min(d, DEEPEST_TREE)
    tree = random_tree(C, depth, random)
    blank = tree.copy()
    for node, kind in tree.nodes(data="kind"):
        if kind == "concept":
            blank.nodes[node]["label"] = UNKNOWN_LEAF
    shown = (
        f"C shatters the tree, so the Littlestone dimension of C is at least {depth}. For every "
        "branch, the leaf names a concept that agrees with all labels on the branch."
    )
    if depth < d:
        shown += f" C also shatters trees of depth {d}. They are too large for a sheet."
    question: tuple[Block, ...] = (
        f"C shatters the following tree of depth {depth}. Each node is a point. Its left edge is "
        "the label 0 and its right edge is the label 1. For every branch, name a concept in C "
        "that agrees with all labels on the branch.",
        TreeFigure(blank),
        f"Prove that C shatters no tree of depth {d + 1}.",
    )
    upper: tuple[Block, ...]
    if len(C) < 2 ** (d + 1):
        upper = (
            f"A tree of depth {d + 1} has {2 ** (d + 1)} branches. Concepts that agree with "
            f"different branches differ, so the tree needs {2 ** (d + 1)} concepts. C has "
            f"{len(C)}.",
        )
    else:
        upper = (
            f"The subtrees below the root of a shattered tree of depth {d + 1} are shattered trees "
            f"of depth {d}. If the root is the point x, then the concepts with c(x) = 0 shatter "
            "the left subtree and the concepts with c(x) = 1 shatter the right subtree. The table "
            f"lists the Littlestone dimension for c(x) = 0 and for c(x) = 1. {EMPTY} For every "
            f"point, the smaller value is less than {d}.",
            _restrictions(C),
        )
    return Exercise("trees", "A shattered tree", question, (shown, TreeFigure(tree), *upper))


def random_tree(C: Table, depth: int, random: np.random.Generator) -> networkx.DiGraph:
    """Return a random tree of this depth that the class shatters, with a concept at every leaf.

    Parameters
    ----------
    C : Table
        Class whose Littlestone dimension is at least the depth.
    depth : int
        Number of levels of inner nodes.
    random : numpy.random.Generator
        Source of randomness. Every point is uniform over the points that can be the root of a tree
        of the remaining depth. Every concept is uniform over the concepts that agree with its path.

    Examples
    --------
    >>> import numpy as np
    >>> C = Table([[0, 0], [0, 1], [1, 1]])
    >>> print(TreeFigure(random_tree(C, 1, np.random.default_rng(1))))
    0
    ├─0─ 1
    └─1─ 2
    """
    import networkx as nx

    tree = nx.DiGraph()

    def add(space: ConceptClass, left: int) -> int:
        node = len(tree)
        if left == 0:
            concept = _choose(list(space.to_table()), random)
            tree.add_node(node, label=_name(C, concept), layer=depth, kind="concept")
            return node
        x = _choose([x for x in C.domain if _smaller_ldim(space, x) >= left - 1], random)
        tree.add_node(node, label=name_text(x), layer=depth - left, kind="point")
        for y in (0, 1):
            tree.add_edge(node, add(space.restrict(x, y), left - 1), label=str(y))
        return node

    add(C, depth)
    return tree


def _smaller_ldim(C: ConceptClass, x: Point) -> int:
    """Return the smaller Littlestone dimension of the two restrictions at a point."""
    return min(C.restrict(x, y).ldim() for y in (0, 1))


def _restrictions(C: ConceptClass) -> LabelTable:
    """Return the Littlestone dimensions of the restrictions at every point."""
    return LabelTable(
        ("point x", "Ldim for 0", "Ldim for 1"),
        tuple((name_text(x), *(str(C.restrict(x, y).ldim()) for y in (0, 1))) for x in C.domain),
    )


# ---- games


def _soa_run(C: Table, random: np.random.Generator) -> Exercise:
    """Run the SOA on a stream that a random concept labels."""
    concept = _choose(list(C), random)
    order = random.permutation(len(C.points))[:LONGEST_RUN]
    points = [C.points[int(i)] for i in order]
    rows, state, mistakes = [], SOA(C), 0
    for number, x in enumerate(points, 1):
        space, prediction, label = state.version_space, state.predict(x), concept(x)
        sides = [str(space.restrict(x, y).ldim()) for y in (0, 1)]
        state, mistakes = state.observe(x, label), mistakes + (prediction != label)
        rows.append(
            (
                *(str(number), name_text(x), *sides, str(prediction), str(label)),
                *("yes" if prediction != label else "no", str(state.version_space.size)),
            )
        )
    head = (
        *("round", "point x", "Ldim for 0", "Ldim for 1", "prediction", "label"),
        *("mistake", "concepts left"),
    )
    d = C.ldim()
    return Exercise(
        "soa",
        "A run of the SOA",
        (
            "The Standard Optimal Algorithm (SOA) keeps the concepts that agree with all examples "
            "so far. At a point x, it predicts the label y for which the concepts with c(x) = y "
            "have the larger Littlestone dimension, and 0 if both dimensions are equal. Run the "
            "SOA on the following examples. How many mistakes does it make?",
            LabelTable(
                ("round", "point", "label"),
                tuple((row[0], row[1], row[5]) for row in rows),
            ),
        ),
        (
            "The table lists the Littlestone dimension of the remaining concepts with c(x) = 0 and "
            f"with c(x) = 1. {EMPTY}",
            LabelTable(head, tuple(rows)),
            f"The SOA makes {mistakes} {'mistake' if mistakes == 1 else 'mistakes'}. Its bound is "
            f"the Littlestone dimension {d}.",
        ),
    )


def _adversary_moves(C: Table, random: np.random.Generator) -> Exercise:
    """Play the optimal adversary against given predictions."""
    d = C.ldim()
    good = [x for x in C.domain if len(C) > 1 and _smaller_ldim(C, x) >= d - 1]
    rounds = min(d, LONGEST_GAME)
    predictions = [int(y) for y in random.integers(0, 2, size=rounds)]
    rows, space = [], C
    for number, prediction in enumerate(predictions, 1):
        left = space.ldim()
        x = _choose([x for x in C.domain if _smaller_ldim(space, x) >= left - 1], random)
        space = space.restrict(x, 1 - prediction)
        rows.append(
            (str(number), name_text(x), str(prediction), str(1 - prediction), str(space.ldim()))
        )
    title = "The moves of the adversary"
    first = (
        f"The Littlestone dimension of C is {d}. At which points x do both the concepts with "
        f"c(x) = 0 and the concepts with c(x) = 1 have a Littlestone dimension of at least {d - 1}?"
    )
    if d < 1:
        return Exercise(
            "adversary",
            title,
            ("Can an adversary force a mistake of the SOA, if some concept in C is correct?",),
            ("The adversary cannot force a mistake. C has only one concept.",),
        )
    return Exercise(
        "adversary",
        title,
        (
            first,
            "You are the adversary. In each round, you choose a point, the learner predicts, and "
            f"you choose the label. The learner predicts {', '.join(map(str, predictions))}"
            f"{' in this order' if rounds > 1 else ''}. Choose points and labels such that the "
            f"learner errs {_times(rounds)} and some concept in C agrees with all labels.",
        ),
        (
            f"The answer is {_set(good)}. The table lists the Littlestone dimension for "
            f"c(x) = 0 and for c(x) = 1. {EMPTY}",
            _restrictions(C),
            "One game of many. In each round, the label contradicts the prediction, and the "
            "Littlestone dimension of the remaining concepts decreases by at most 1.",
            LabelTable(("round", "point", "prediction", "label", "Ldim left"), tuple(rows)),
            f"The concept {_name(C, next(iter(space.to_table())))} agrees with all labels.",
        ),
    )


TOPICS: dict[str, Callable[[Table, np.random.Generator], Exercise]] = {
    "sets": _shattered_sets,
    "trees": _shattered_trees,
    "soa": _soa_run,
    "adversary": _adversary_moves,
}
"""Functions that make one exercise of a topic, by the name of the topic."""
