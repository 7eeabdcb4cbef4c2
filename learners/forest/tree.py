"""A tree of the forest of [GL21, Alg 1], which is a tournament of copies of one learner.

Every leaf holds a copy of the learner. Two siblings learn the examples that reach them until their
hypotheses differ. Then the tree guesses a label at a point of difference. The sibling that errs on
this guess learns it and takes the place of the parent. So a copy at height j has learned j guesses
on which it erred.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.coins import Coins
from learners.multiset import Multiset
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import integer
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point

MOST_LEAVES = 1 << 16
"""Largest number of leaves of a tree."""


class Pertinent:
    """A pertinent vertex: a learner's state, which learns the examples at all leaves below it.

    Attributes
    ----------
    state : MistakeBounded
        State of the learner at this vertex.
    """

    __slots__ = ("_hash", "state")

    def __init__(self, state: MistakeBounded) -> None:
        self.state = state
        self._hash = hash(("pertinent", state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pertinent):
            return NotImplemented
        return self is other or (self._hash == other._hash and self.state == other.state)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return Pertinent, (self.state,)

    def __repr__(self) -> str:
        return f"Pertinent({self.state!r})"


class Pair:
    """A vertex that is not yet pertinent, with its two unordered children.

    The order of the children does not affect the distribution, so trees that differ only in this
    order are equal.

    Attributes
    ----------
    children : tuple of two vertices
        The two children.
    """

    __slots__ = ("_hash", "children")

    def __init__(self, one: Vertex, other: Vertex) -> None:
        self.children = one, other
        self._hash = hash(("pair", *sorted((hash(one), hash(other)))))

    @property
    def collides(self) -> bool:
        """Whether both children are pertinent. Two pertinent children have equal hypotheses."""
        return all(isinstance(child, Pertinent) for child in self.children)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pair):
            return NotImplemented
        return self is other or (
            self._hash == other._hash
            and (self.children == other.children or self.children == other.children[::-1])
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return Pair, self.children

    def __repr__(self) -> str:
        one, other = self.children
        return f"Pair({one!r}, {other!r})"


Vertex = Pertinent | Pair


class Tree:
    """The immutable state of one tree of the forest.

    Parameters
    ----------
    root : Pertinent, Pair or None
        The tree from the root down to its pertinent vertices, or None if the tree has ended.
    shown : Hypothesis or None
        The hypothesis of a colliding pair, drawn after the last merge, in its canonical form, or
        None if no pair collides.

    Examples
    --------
    Take two copies of the SOA of two thresholds on one point, which predict 0 at first. The first
    example with label 1 that reaches the tree makes one of them predict 1. Then the two copies
    differ, and one of them learns a guess on which it errs. Only this copy remains, so the tree
    then shows no hypothesis:

    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from lsclasses.soa import SOA
    >>> tree = Tree.of(SOA(catalog.build("thresholds:n=1")), leaves=2)
    >>> tree.pertinent, tree.shown(0)
    (2, 0)
    >>> tree.after(0, 0, SeededCoins(1)) == tree
    False
    >>> later = tree.after(0, 1, SeededCoins(1))
    >>> later.pertinent, later.shown
    (0, None)
    """

    __slots__ = ("_hash", "root", "shown")

    def __init__(self, root: Vertex | None, shown: Hypothesis | None) -> None:
        self.root, self.shown = root, shown
        self._hash = hash((root, shown))

    @classmethod
    def of(cls, base: MistakeBounded, leaves: int) -> Tree:
        """Return the tree whose leaves hold copies of a learner, all in one state.

        Raises
        ------
        InvalidInput
            If the number of leaves is not a power of two from 2 to 2^16.
        """
        vertex: Vertex = Pertinent(base)
        for _ in range(checked_leaves(leaves).bit_length() - 1):
            vertex = Pair(vertex, vertex)
        return cls(vertex, base.hypothesis.canonical())

    @property
    def pertinent(self) -> int:
        """The number of pertinent vertices. Every merge reduces this number by one."""
        return sum(1 for _ in self.vertices())

    def vertices(self) -> Iterator[tuple[int, Pertinent]]:
        """Yield the pertinent vertices, each with its distance from the root."""
        if self.root is not None:
            yield from _pertinent(self.root, 0)

    def after(self, x: Point, y: Label, coins: Coins) -> Tree:
        """Return the tree after an example has reached a uniformly random leaf.

        Parameters
        ----------
        x, y
            A point of the domain and its label.
        coins : Coins
            Coins for the leaf, as a turn at every vertex on the way from the root, for guesses, and
            for the pair that is shown.
        """
        if self.root is None:
            return self
        root, merged = _learned(self.root, x, y, coins)
        if not merged:  # [GL21, Alg 1 line 26]
            return self if root is self.root else Tree(root, self.shown)
        # [GL21, Alg 1 line 28], [GL21, Alg 1 line 29]: a colliding pair, or no pair for ever.
        pairs = list(_colliding(root))
        if not pairs:
            return Tree(None, None)
        child = pairs[coins.below(len(pairs))].children[0]
        assert isinstance(child, Pertinent)
        return Tree(root, child.state.hypothesis.canonical())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self is other or (
            self._hash == other._hash and self.shown == other.shown and self.root == other.root
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return Tree, (self.root, self.shown)

    def __repr__(self) -> str:
        return f"Tree({self.root!r}, {self.shown!r})"


def trees_to_json(trees: Multiset[Tree], start: MistakeBounded) -> dict[str, Any]:
    """Return the number of trees in each state, with numbered vertices, for a paused game's file.

    Parameters
    ----------
    trees : Multiset of Tree
        The trees, counted by their state.
    start : MistakeBounded
        The state from which the states of all vertices were derived.
    """
    numbers: dict[Vertex, int] = {}
    vertices: list[Any] = []

    def numbered(vertex: Vertex) -> int:
        if vertex not in numbers:
            if isinstance(vertex, Pertinent):
                entry: Any = {"state": vertex.state.to_json(start)}
            else:
                entry = [numbered(child) for child in vertex.children]
            numbers[vertex] = len(vertices)
            vertices.append(entry)
        return numbers[vertex]

    listed = [
        [
            None if tree.root is None else numbered(tree.root),
            None if tree.shown is None else hypothesis_to_json(tree.shown),
            count,
        ]
        for tree, count in trees.items()
    ]
    return {"vertices": vertices, "trees": listed}


def trees_from_json(data: Any, start: MistakeBounded) -> Multiset[Tree]:
    """Return the trees that `trees_to_json` wrote."""
    vertices: list[Vertex] = []
    for entry in data["vertices"]:
        if isinstance(entry, dict):
            vertices.append(Pertinent(start.from_json(entry["state"])))
        else:
            one, other = entry
            vertices.append(Pair(vertices[one], vertices[other]))
    domain = start.domain
    return Multiset(
        (
            Tree(
                None if root is None else vertices[root],
                None if shown is None else hypothesis_from_json(shown, domain),
            ),
            count,
        )
        for root, shown, count in data["trees"]
    )


def checked_leaves(leaves: object) -> int:
    """Return the number of leaves of a tree, a power of two."""
    count = integer(leaves, "number of leaves of a tree, k_1,")
    if not 2 <= count <= MOST_LEAVES or count & count - 1:
        raise InvalidInput(
            "The number of leaves of a tree, k_1, must be a power of two from 2 to "
            f"{MOST_LEAVES}. Got {count}."
        )
    return count


def _learned(vertex: Vertex, x: Point, y: Label, coins: Coins) -> tuple[Vertex, bool]:
    """Return the vertex after an example has reached it, and whether two below it were merged."""
    if isinstance(vertex, Pertinent):
        state = vertex.state._observe(x, y)  # [GL21, Alg 1 line 13]
        return vertex if state is vertex.state else Pertinent(state), False
    # [GL21, Alg 1 line 4], [GL21, Alg 1 line 11]. Between equal children no turn need be drawn.
    side = 0 if vertex.children[0] == vertex.children[1] else coins.below(2)
    before, other = vertex.children[side], vertex.children[1 - side]
    after, merged = _learned(before, x, y, coins)
    if after is before:
        return vertex, False
    if isinstance(after, Pertinent) and isinstance(other, Pertinent):
        # [GL21, Alg 1 line 14], [GL21, Alg 1 line 15], [GL21, Alg 1 line 18]
        winner = _merged(after.state, other.state, coins)
        if winner is not None:
            return Pertinent(winner), True
    return Pair(after, other), merged


def _merged(one: MistakeBounded, other: MistakeBounded, coins: Coins) -> MistakeBounded | None:
    """The learner that errs on the guessed label where both differ, having learned it, or None."""
    f, g = one.hypothesis, other.hypothesis
    if f == g:
        return None
    # [GL21, Alg 1 line 16], [GL21, Alg 1 line 17]
    x = f.disagreement(g)
    assert x is not None, "hypotheses that are not equal differ somewhere"
    guess = coins.below(2)
    loser = one if f._label(x) != guess else other
    return loser._observe(x, guess)


def _pertinent(vertex: Vertex, depth: int) -> Iterator[tuple[int, Pertinent]]:
    if isinstance(vertex, Pertinent):
        yield depth, vertex
    else:
        for child in vertex.children:
            yield from _pertinent(child, depth + 1)


def _colliding(vertex: Vertex) -> Iterator[Pair]:
    """Yield the pairs of pertinent siblings below a vertex, itself included."""
    if isinstance(vertex, Pair):
        if vertex.collides:
            yield vertex
        else:
            for child in vertex.children:
                yield from _colliding(child)
