"""Folded trees prove what they claim, and no folded tree that anybody can write proves more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsclasses import BadCertificate, InvalidInput, Limit, Table, TooLarge, naive
from lsclasses.certificates import (
    Certificate,
    FoldedTree,
    LdimCertificate,
    Node,
    Subject,
    Subtree,
    extraction,
    load_certificate,
)
from lsclasses.certificates import (
    ldim as ldim_module,
)
from tests.lsclasses.certificates.test_certificate_forgeries import (
    DEEP,
    NASTY,
    SUBJECT,
    changed,
    is_true,
    mended,
    named,
    other_classes,
    places,
    proves,
    table_of,
)
from tests.lsclasses.small_classes import ALL_UP_TO_TWO, ldim, side_of
from tests.strategies import plain, tables


@pytest.fixture
def without_sets(monkeypatch):
    """So that proofs of small classes have the nodes and matchings that those of large ones have.

    Where a tree ends, the empty set of points is still named.
    """
    monkeypatch.setattr(extraction, "SETS_UP_TO", 0)


@given(tables(max_concepts=20))
def test_what_is_shown_is_the_dimension(table):
    tree = FoldedTree.of(table)
    tree.verify(table)
    assert tree.depth == naive.ldim_recursive(plain(table))


@pytest.mark.usefixtures("without_sets")
@pytest.mark.parametrize("points", [3, 4, 7])
def test_isomorphic_version_spaces_share_a_node(points):
    """A cube folds to a node a level; the halves of a square of chains are isomorphic, too."""
    cube = Table([[i >> x & 1 for x in range(points)] for i in range(2**points)])
    tree = FoldedTree.of(cube)
    tree.verify(cube)
    assert len(tree.nodes) == points
    assert all(node.subtrees[1].matching is not None for node in tree.nodes[:-1])


def unfolded(tree: FoldedTree, table: Table) -> int:
    """How deep a tree is shattered, read off by following the nodes: without the checker's rules.

    A node stands for the point at the root of a subtree, renamed on the way down.
    """

    def depth(
        i: int, concepts: frozenset[tuple[int, ...]], names: dict[Any, tuple[Any, int]]
    ) -> int:
        node = tree.nodes[i]
        if node.root not in names:
            return -1
        x, flip = names[node.root]
        below = []
        for y, subtree in enumerate(node.subtrees):
            side = frozenset(c for c in concepts if c[table.domain.index(x)] ^ flip == y)
            if subtree.node is None:
                points = [names[z] for z in subtree.points]
                seen = {tuple(c[table.domain.index(z)] for z, _ in points) for c in side}
                below.append(len(points) if len(seen) == 2 ** len(points) else -1)
            elif subtree.matching is None:
                below.append(depth(subtree.node, side, names))
            else:
                renamed = {z: (names[w][0], names[w][1] ^ flip) for w, z, flip in subtree.matching}
                below.append(depth(subtree.node, side, renamed))
        return 1 + min(below)

    if not tree.nodes:
        return 0
    return depth(0, plain(table), {x: (x, 0) for x in table.points})


@pytest.mark.usefixtures("without_sets")
@settings(max_examples=60)
@given(tables(max_concepts=24, max_points=6))
def test_the_tree_that_is_folded_is_shattered(table):
    """Unfolded through the matchings, concept by concept, it ends in as many concepts as leaves."""
    tree = FoldedTree.of(table)
    tree.verify(table)
    assert unfolded(tree, table) == tree.depth


def test_deep_trees_are_folded_and_others_are_not(monkeypatch, tmp_path):
    cube = Table([[i >> x & 1 for x in range(4)] for i in range(16)])
    assert not isinstance(cube.ldim_certificate().tree, FoldedTree)
    monkeypatch.setattr(ldim_module, "UNFOLDED_UP_TO", 3)
    proof = cube.ldim_certificate()
    assert isinstance(proof.tree, FoldedTree)
    assert proof.to_json()["version"] == 2
    proof.verify(cube)
    proof.save(tmp_path / "proof.json")
    assert load_certificate(tmp_path / "proof.json") == proof
    assert "0, 1" in str(FoldedTree.of(cube)) or len(proof.tree.nodes) == 1


def test_the_empty_class_and_limits():
    with pytest.raises(InvalidInput, match="shatters no tree"):
        FoldedTree.of(Table([], domain="ab"))
    one = Table([[0, 1]])
    assert FoldedTree.of(one).nodes == ()
    FoldedTree.of(one).verify(one)
    table = Table(np.random.default_rng(0).integers(0, 2, (300, 12)))
    table.ldim()
    seen: list[tuple[int, int]] = []
    FoldedTree.of(table, progress=lambda done, known: seen.append((done, known)))
    assert seen[0] == (0, 1)
    assert len(seen) == seen[-1][1]
    with pytest.raises(TooLarge):
        FoldedTree.of(table, limit=Limit(seconds=1e-9))


# ---- enumerations


@cache
def all_subtrees(n: int, nodes: int) -> list[Subtree]:
    """Sets of up to two points, and nodes, with a matching of up to one pair or none."""
    sets = [Subtree(points=points) for k in range(3) for points in product(range(n), repeat=k)]
    pairs = list(product(range(n), range(n), (0, 1)))
    matchings = [None, (), *((pair,) for pair in pairs)]
    return sets + [Subtree(j, matching) for j in range(nodes) for matching in matchings]


def trees(n: int, nodes: int) -> Iterator[tuple[Node, ...]]:
    below = list(product(all_subtrees(n, nodes), repeat=2))
    for x, subtrees in product(range(n), below):
        first = Node(None, None, x, subtrees)
        if nodes == 1:
            yield (first,)
            continue
        for y, z, others in product((0, 1), range(n), below):
            yield (first, Node(0, y, z, others))


def test_no_tree_of_one_node_is_false_and_each_class_has_a_true_one():
    for n, V in ALL_UP_TO_TWO:
        table, truth = table_of(n, V), ldim(n, V)
        for depth in range(4):
            accepted = [
                nodes for nodes in trees(n, 1) if proves(FoldedTree(SUBJECT, depth, nodes), table)
            ]
            assert not accepted or depth <= truth
            assert accepted or depth == 0 or depth > truth
            assert proves(FoldedTree(SUBJECT, depth, ()), table) == (depth == 0 <= truth)


def test_no_tree_of_two_nodes_is_false():
    """A sample of all with at most one pair in a matching; the depth is Ldim or one more."""
    rng = np.random.default_rng(3)
    below = all_subtrees(2, 2)
    for V in range(16):
        table, truth = table_of(2, V), ldim(2, V)
        for numbers in rng.integers([len(below)] * 4 + [2, 2, 2], size=(500, 7)).tolist():
            first, second, third, fourth = (below[i] for i in numbers[:4])
            x, y, z = numbers[4:]
            nodes = (Node(None, None, x, (first, second)), Node(0, y, z, (third, fourth)))
            for depth in {2, max(truth, 1) + 1} - {truth}:
                assert not proves(FoldedTree(SUBJECT, depth, nodes), table)


# ---- forgeries made of true proofs


def shown(n: int, V: int) -> tuple[int, tuple[Node, ...]]:
    """Why a class that is not empty shatters a tree as deep as it does: without any search."""
    identity = tuple((x, x, 0) for x in range(n))
    queue: list[tuple[int, int, int | None, int | None]] = [(V, ldim(n, V), None, None)]
    where: dict[tuple[int, int], int] = {}
    nodes = []
    for W, k, parent, y in queue:
        if not k:
            return 0, ()
        x = next(x for x in range(n) if min(ldim(n, W & side_of(n, x, z)) for z in (0, 1)) >= k - 1)
        below = []
        for z in (0, 1):
            side = W & side_of(n, x, z)
            if k == 1:
                below.append(Subtree())
            elif (side, k) in where:
                below.append(Subtree(where[side, k], identity))
            else:
                where[side, k] = len(queue)
                below.append(Subtree(len(queue)))
                queue.append((side, k - 1, len(nodes), z))
        nodes.append(Node(parent, y, x, (below[0], below[1])))
    return ldim(n, V), tuple(nodes)


def test_the_proofs_that_forgeries_are_made_of_are_proofs():
    for n, V in [(3, V) for V in range(1, 256)] + [(4, V) for V in range(1, 1 << 16, 331)]:
        assert proves(FoldedTree(SUBJECT, *shown(n, V)), table_of(n, V))


@st.composite
def forged_trees(draw: st.DrawFn) -> tuple[int, int, FoldedTree]:
    """Proofs about other classes, up to two under a new root, with a few changes."""
    n = draw(st.integers(2, 4), label="points")
    V = draw(st.integers(0, (1 << (1 << n)) - 1), label="class")
    point, side = st.integers(0, n - 1), st.integers(0, 1)
    depth, nodes = shown(n, draw(other_classes(n, V)) or V or 1)
    if draw(st.booleans(), label="joined"):
        other_depth, others = shown(n, draw(other_classes(n, V)) or V or 1)
        if depth == other_depth > 0:

            def moved(nodes: tuple[Node, ...], start: int, y: int) -> tuple[Node, ...]:
                return tuple(
                    replace(
                        node,
                        parent=0 if node.parent is None else node.parent + start,
                        side=y if node.parent is None else node.side,
                        subtrees=tuple(
                            each if each.node is None else replace(each, node=each.node + start)
                            for each in node.subtrees
                        ),
                    )
                    for node in nodes
                )

            below = (Subtree(1), Subtree(1 + len(nodes)))
            root = Node(None, None, draw(point), below)
            nodes = (root, *moved(nodes, 1, 0), *moved(others, 1 + len(nodes), 1))
            depth += 1
    changed_nodes = list(nodes)
    pairs = st.tuples(point, point, side)
    for _ in range(draw(st.integers(0, 3), label="changes") if nodes else 0):
        i = draw(st.integers(0, len(nodes) - 1), label="node")
        node, y = changed_nodes[i], draw(side)
        how = draw(st.sampled_from(["root", "points", "node", "side"]), label="change")
        if how == "root":
            node = replace(node, root=draw(point))
        elif how == "side" and i:
            node = replace(node, side=draw(side))
        elif how != "side":
            subtree = Subtree(points=tuple(draw(st.lists(point, max_size=3))))
            if how == "node":
                matching = draw(st.none() | st.lists(pairs, max_size=n).map(tuple))
                subtree = Subtree(draw(st.integers(0, len(nodes) - 1)), matching)
            both = list(node.subtrees)
            both[y] = subtree
            node = replace(node, subtrees=(both[0], both[1]))
        changed_nodes[i] = node
    depth += draw(st.sampled_from([0, 0, 0, 1, -1])) if depth else 0
    return n, V, FoldedTree(Subject.of(named(n, V)), depth, tuple(changed_nodes))


def test_nothing_false_follows_from_true_proofs_of_other_classes():
    judged = {True: 0, False: 0}

    @settings(max_examples=150)
    @given(forged_trees())
    def check(forgery: tuple[int, int, FoldedTree]) -> None:
        n, V, tree = forgery
        certificate = Certificate.from_json(json.loads(json.dumps(tree.to_json())))
        assert certificate == tree
        judged[proves(certificate, named(n, V))] += 1
        assert is_true(certificate, n, V) or not proves(certificate, named(n, V))

    check()
    assert min(judged.values()) >= 10


# ---- files


def files() -> list[tuple[int, int, dict[str, Any]]]:
    n = 4
    V = sum(1 << c for c in range(1 << n) if c.bit_count() <= 2)
    table = named(n, V)
    depth, nodes = shown(n, V)
    # A shattered set among the subtrees, and a matching.
    last = nodes[-1]
    identity = tuple((x, x, 0) for x in range(n))
    first = replace(nodes[0], subtrees=(Subtree(1, identity), nodes[0].subtrees[1]))
    tree = FoldedTree(Subject.of(table), depth, (first, *nodes[1:-1], last))
    dag = table.failure_dag()
    both = LdimCertificate(tree.subject, tree, dag)
    return [(n, V, tree.to_json()), (n, V, both.to_json())]


@pytest.mark.parametrize(("n", "V", "data"), files(), ids=["folded-tree", "ldim"])
def test_no_nasty_value_anywhere_in_a_file_proves_anything_false(n, V, data):
    """Every place of a tree in a file, with every nasty value, and digest and claim mended."""
    table = named(n, V)
    Certificate.from_json(data).verify(table)
    for path in places(data):
        if path in (("digest",), ("claim",)) or path[0] == "dag":
            continue
        for value in [*NASTY, DEEP]:
            forged = changed(data, path, value)
            for claim in {data["claim"], *([f"Ldim >= {value}"] if path == ("depth",) else [])}:
                try:
                    certificate = Certificate.from_json(mended({**forged, "claim": claim}))
                    certificate.verify(table)
                except BadCertificate:
                    continue
                assert is_true(certificate, n, V), (path, value)
                assert type(value) is not bool, path


def attack(depth: int, *nodes: Any, points: Any = (0, 1, 2)) -> dict[str, Any]:
    """A file about the subsets of at most one of three points, whose dimension is 1."""
    return mended({
        "format": "lsclasses-certificate",
        "version": 2,
        "kind": "folded-tree",
        "claim": f"Ldim >= {depth}",
        "class": Subject.of(SINGLES).to_json(),
        "depth": depth,
        "points": list(points),
        "nodes": list(nodes),
    })  # fmt: skip


SINGLES = Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], domain=range(3))
ATTACKS = {
    "no node": attack(2),
    "no points are shattered": attack(2, [0, [], []]),
    "a side with one concept, a point": attack(2, [0, [1], [1]]),
    "a point twice": attack(3, [0, [1, 1], [1, 1]]),
    "more points than levels": attack(2, [0, [1, 2], [1, 2]]),
    "itself as its side": attack(2, [0, 0, 0]),
    "itself below itself": attack(
        2, [0, {"node": 0, "matching": [[0, 0, 0]]}, {"node": 0, "matching": [[0, 0, 0]]}]
    ),
    "itself by an empty matching": attack(
        2, [0, {"node": 0, "matching": []}, {"node": 0, "matching": []}]
    ),
    "the other side's node": attack(2, [0, 1, 1], [0, 0, 1, [], []]),
    "a node of the other side, matched by nothing": attack(
        2, [0, 1, {"node": 1, "matching": []}], [0, 0, 1, [], []]
    ),
    "a node of the other side, a column left out": attack(
        2, [0, 1, {"node": 1, "matching": [[1, 1, 0]]}], [0, 0, 1, [], []]
    ),
    "a node of the other side, a constant for a column": attack(
        2, [0, 1, {"node": 1, "matching": [[0, 1, 0], [0, 2, 0]]}], [0, 0, 1, [], []]
    ),
    "a node of the other side, all columns": attack(
        2, [0, 1, {"node": 1, "matching": [[1, 1, 0], [2, 2, 0]]}], [0, 0, 1, [], []]
    ),
    "a node below the lowest level": attack(1, [0, 1, []], [0, 0, 1, [], []]),
    "a node as its own parent": attack(2, [0, 1, []], [1, 0, 1, [], []]),
    "two roots": attack(2, [0, 1, 1], [1, [], []]),
    "the root with a parent": attack(2, [0, 0, 0, [1], [1]]),
    "a node counted from the end": attack(2, [0, -1, -1]),
    "a node that is not there": attack(2, [0, 1, 1]),
    "a huge node": attack(2, [0, 10**30, 10**30]),
    "a node that is true": attack(2, [0, True, True], [0, 1, 1, [], []]),
    "a side that is true": attack(2, [0, 1, []], [0, True, 1, [], []]),
    "a point counted from the end": attack(2, [-1, [1], [1]]),
    "points that are none": attack(2, [0, [1], [1]], points=["a", "b", "c"]),
    "one point under three names": attack(3, [0, [1, 2], [1, 2]], points=[0, 0, 0]),
    "a depth below 0": attack(-1),
    "a depth that is true": attack(True, [0, [], []]),
    "a huge depth": attack(10**9, [0, [1], [1]]),
    "a text for a matching": attack(2, [0, 1, {"node": 1, "matching": "00"}], [0, 0, 1, [], []]),
    "a subtree too few": attack(2, [0, [1]]),
    "a place too many": attack(2, [0, 0, 0, 0, [1], [1]]),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_are_refused(name, tmp_path):
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(ATTACKS[name]))
    with pytest.raises(BadCertificate):
        load_certificate(path).verify(SINGLES)


def test_the_attacks_fail_for_what_they_claim_and_not_for_their_form():
    """In the same form, what is true is proved."""
    for data in (attack(1, [0, [], []]), attack(1, [2, [], []])):
        Certificate.from_json(data).verify(SINGLES)
    with pytest.raises(BadCertificate, match=r"The evidence is of version 2"):
        Certificate.from_json(mended({**attack(1, [0, [], []]), "version": 1})).verify(SINGLES)


def test_values_that_have_another_form_are_refused():
    with pytest.raises(BadCertificate, match="must be a tuple"):
        Subtree(points=[0])
    with pytest.raises(BadCertificate, match="must be a tuple"):
        Subtree(0, iter([(0, 0, 0)]))
    with pytest.raises(BadCertificate, match="a node, with or without a matching, or points"):
        Subtree(0, None, (1,))
    with pytest.raises(BadCertificate, match="a node, with or without a matching, or points"):
        Subtree(None, ())
    with pytest.raises(BadCertificate, match="two subtrees"):
        Node(None, None, 0, (Subtree(),))
    with pytest.raises(BadCertificate, match="has no side"):
        Node(None, 1, 0, (Subtree(), Subtree()))
    with pytest.raises(BadCertificate, match="must be a tuple"):
        FoldedTree(SUBJECT, 1, iter([Node(None, None, 0, (Subtree(), Subtree()))]))
