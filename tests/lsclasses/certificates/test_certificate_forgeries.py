"""No certificate that anybody can write proves something false.

Small certificates are enumerated; larger ones are made of true proofs about other classes, spliced
and shifted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from lsclasses import BadCertificate, Table
from lsclasses.certificates import (
    Certificate,
    Factor,
    FailureDAG,
    FailureEntry,
    FailureStep,
    FoldedTree,
    LdimCertificate,
    Node,
    ShatteredSet,
    ShatteredTree,
    Subject,
    Subtree,
    VCCertificate,
)
from tests import oracles
from tests.lsclasses.certificates.forging import (
    SUBJECT,
    believed,
    is_true,
    named,
    other_classes,
    product_proof,
    proved,
    proves,
    shown,
    table_of,
)
from tests.lsclasses.small_classes import ALL_UP_TO_TWO, ldim, orbits, vcdim
from tests.oracles.dimensions import nodes_on
from tests.strategies import plain


def subsets(values: Any, most: int) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(values, size) for size in range(most + 1))


# ---- failure DAGs


def test_a_chain_of_restrictions_to_one_concept_refutes_nothing():
    """Each entry restricts the next point to 0; the last is one concept without any column.

    With matchings, which the restrictions to the other points need, the chain was accepted once.
    """
    C = catalog.build("cube:n=3")
    x = C.to_table().points
    entries = []
    for i in range(4):
        left, steps = x[i:], []
        for z in left:
            others = [w for w in left if w != z]
            matching = tuple((w, v, 0) for w, v in zip(others, left[1:], strict=True))
            steps.append(FailureStep(z, 0, i + 1, matching or ((z, z, 0),)))
        given = ((x[i - 1], 0),) if i else ()
        entries.append(FailureEntry(3 - i, i - 1 if i else None, given, tuple(steps)))
    forged = FailureDAG(Subject.of(C), 2, tuple(entries))
    with pytest.raises(BadCertificate, match="no root"):
        forged.verify(C)


def all_steps(n: int, entries: int) -> list[tuple[FailureStep, ...] | None]:
    """Counting, or for every point no step or one, by counting or by one of so many entries."""
    reasons = [
        [None, *(FailureStep(x, y, j) for y in (0, 1) for j in (None, *range(entries)))]
        for x in range(n)
    ]
    return [None, *(tuple(filter(None, chosen)) for chosen in product(*reasons))]


@cache
def second_entries(n: int) -> list[FailureEntry]:
    """All entries of a depth up to 3 that restrict the first one at a point."""
    return [
        FailureEntry(depth, 0, ((x, y),), steps)
        for depth, x, y, steps in product(range(4), range(n), (0, 1), all_steps(n, 2))
    ]


def false_dags(n: int, V: int, entries: int, stride: int = 1) -> Iterator[tuple[int, int, Any]]:
    """Every `stride`-th failure DAG without matchings that claims too little for a class.

    Depths below 0 are left out: there are no such entries.
    """
    depths = range(ldim(n, V) + 1)
    others = [(entry,) for entry in second_entries(n)] if entries == 2 else [()]
    proofs = product(depths, all_steps(n, entries), others)
    for depth, steps, second in islice(proofs, V % stride, None, stride):
        yield n, V, FailureDAG(SUBJECT, depth - 1, (FailureEntry(depth, steps=steps), *second))


def accepted(forgeries: Any, least: int) -> list[Any]:
    """The forgeries (points, class, certificate) that are accepted, of more than so many."""
    count, found = 0, []
    for n, V, forged in forgeries:
        count += 1
        if proves(forged, table_of(n, V)):
            found.append((n, V, forged))
    assert count > least
    return found


def test_no_failure_dag_of_one_entry_or_on_one_point_is_false():
    cases = [(n, V, 1) for n, V in ALL_UP_TO_TWO] + [(1, V, 2) for V in range(4)]
    assert accepted(chain.from_iterable(false_dags(*case) for case in cases), 1500) == []


@pytest.mark.parametrize(
    ("stride", "least"), [(307, 3000), pytest.param(1, 10**6, marks=pytest.mark.slow)]
)
def test_no_failure_dag_of_two_entries_is_false(stride, least):
    forgeries = chain.from_iterable(false_dags(2, V, 2, stride) for V in range(16))
    assert accepted(forgeries, least) == []


@pytest.mark.parametrize(
    ("stride", "least"), [(7, 1500), pytest.param(1, 10**4, marks=pytest.mark.slow)]
)
def test_no_failure_dag_of_one_entry_with_a_symmetry_is_false(stride, least):
    """Every class on at most two points, steps, depths, and one matching of at most two pairs."""
    forgeries = (
        (
            n,
            V,
            FailureDAG(
                SUBJECT, depth - 1, (FailureEntry(depth, steps=steps, symmetries=(pairs,)),)
            ),
        )
        for n, V in ALL_UP_TO_TWO
        for size in range(3)
        for pairs in product(product(range(n), range(n), (0, 1)), repeat=size)
        for depth, steps in product(range(ldim(n, V) + 1), all_steps(n, 0))
        if steps is not None
    )
    assert accepted(islice(forgeries, 0, None, stride), least) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (orbits(2)[1:], range(1, 16, 2)),
        pytest.param(range(1, 16), range(1, 16), marks=pytest.mark.slow),
    ],
)
def test_the_proof_of_a_product_proves_nothing_false_of_other_classes(first, second):
    """Products of two classes on two points; the proof is put to all classes that differ from
    it in one concept, and with every depth, group and entry changed."""
    judged = {True: 0, False: 0}

    def judge(V: int, entries: tuple[FailureEntry, ...]) -> None:
        accepted = proves(FailureDAG(SUBJECT, entries[0].depth - 1, entries), table_of(4, V))
        assert not accepted or ldim(4, V) < entries[0].depth, (V, entries)
        judged[accepted] += 1

    for V1, V2 in product(first, second):
        V, entries = product_proof(V1, V2)
        trivial = 0 in (ldim(2, V1), ldim(2, V2))
        accepted = proves(FailureDAG(SUBJECT, entries[0].depth - 1, entries), table_of(4, V))
        assert accepted != trivial
        assert entries[0].depth == ldim(4, V) + 1
        if trivial:
            continue
        for c in range(16):
            judge(V ^ 1 << c, entries)
        whole, *rest = entries
        for i, by in product(range(3), (-1, 1)):
            shifted = list(entries)
            shifted[i] = replace(shifted[i], depth=max(0, shifted[i].depth + by))
            judge(V, tuple(shifted))
        left, right = whole.factors
        for factors in (
            (), (left,), (right,), (left, left), (replace(left, matching=left.matching[:1]), right),
            (left, replace(right, entry=0)), (left, replace(right, entry=1)), (left, right, right),
            (replace(left, entry=2), right), (left, Factor(2, ())),
            (left, replace(right, matching=((2, 2, 1), (3, 3, 1)))),
        ):  # fmt: skip
            judge(V, (replace(whole, factors=factors), *rest))
            lower = replace(whole, factors=factors, depth=whole.depth - 1)
            judge(V, (lower, *rest))
        for other in ((), rest[0].given[:1], ((2, 0), (2, 1))):
            judge(V, (whole, replace(rest[0], given=other), rest[1]))
    assert judged[True] > 90 and judged[False] > 350


def test_the_enumeration_holds_proofs_too():
    """Every class on one or two points is refuted by one of the failure DAGs that are gone through.

    What they claim here is the truth, so this is what the enumerations differ in.
    """
    for n, V in ALL_UP_TO_TWO:
        depth = ldim(n, V) + 1
        assert any(
            proves(
                FailureDAG(SUBJECT, depth - 1, (FailureEntry(depth, steps=steps),)),
                table_of(n, V),
            )
            for steps in all_steps(n, 1)
            if steps is not None or depth == 0
        )


# ---- trees


def all_trees(n: int, depth: int, names: Any) -> Iterator[ShatteredTree]:
    for points in product(range(n), repeat=2**depth - 1):
        for leaves in product(names, repeat=2**depth):
            yield ShatteredTree(SUBJECT, depth, points, leaves)


def follows(concept: int, tree: ShatteredTree, leaf: int) -> bool:
    """Whether the labelling with a number gives the points on the path to a leaf its labels."""
    branch = [leaf >> level & 1 for level in reversed(range(tree.depth))]
    nodes = nodes_on(branch) if branch else []
    return all(concept >> tree.points[x] & 1 == y for x, y in zip(nodes, branch, strict=True))


@pytest.mark.parametrize("depth", range(3))
def test_trees_are_proved_by_concepts_that_follow_their_paths_and_by_nothing_else(depth):
    """All trees on at most two points with every naming of their leaves, unknown names too."""
    for n, V in ALL_UP_TO_TWO:
        concepts = [c for c in range(1 << n) if V >> c & 1]
        for tree in all_trees(n, depth, range(len(concepts) + 1)):
            expected = all(
                name < len(concepts) and follows(concepts[name], tree, leaf)
                for leaf, name in enumerate(tree.leaves)
            )
            assert proves(tree, table_of(n, V)) == expected
            assert not expected or ldim(n, V) >= depth


@pytest.mark.parametrize("spec", ["cube:n=2", "points:n=3"])
def test_trees_of_classes_in_closed_form_are_proved_exactly_if_shattered(spec):
    C = catalog.build(spec)
    assert not isinstance(C, Table)
    table = C.to_table()
    for depth in range(4 if len(table.points) == 2 else 3):
        for nodes in product(range(len(table.points)), repeat=2**depth - 1):
            points = tuple(table.points[j] for j in nodes)
            tree = ShatteredTree(SUBJECT, depth, points, (None,) * 2**depth)
            assert proves(tree, C) == oracles.shatters(plain(table), nodes, depth)
            assert depth == 0 or not proves(replace(tree, points=("?", *points[1:])), C)
            assert not proves(tree, table)


# ---- the VC dimension


def test_sets_are_proved_exactly_if_shattered():
    """All lists of at most three points: repeated ones and what is no point, too."""
    for n, V in ALL_UP_TO_TWO:
        concepts = [c for c in range(1 << n) if V >> c & 1]
        for points in chain.from_iterable(product(range(n + 1), repeat=k) for k in range(4)):
            seen = {tuple(c >> x & 1 for x in points) for c in concepts}
            distinct = len(set(points)) == len(points) and n not in points
            expected = distinct and len(seen) == 2 ** len(points)
            assert proves(ShatteredSet(SUBJECT, points), table_of(n, V)) == expected


def false_vc_proofs(n: int, V: int, lists: Any) -> Iterator[VCCertificate]:
    """VC certificates with these lists of missing labellings that claim something else than is."""
    for points in chain.from_iterable(product(range(n), repeat=size) for size in range(4)):
        if len(points) != vcdim(n, V):
            shattered = ShatteredSet(SUBJECT, points)
            yield VCCertificate(SUBJECT, shattered, "size")
            for missing in lists:
                yield VCCertificate(SUBJECT, shattered, "missing", missing)


def test_no_list_of_missing_labellings_proves_anything_false():
    """All sets of labellings of one or two points in order; and all pairs of any labellings."""
    for n, V in ALL_UP_TO_TWO:
        ordered = [
            tuple(zip(points, labels, strict=True))
            for points in subsets(range(n), n)
            for labels in product((0, 1), repeat=len(points))
        ]
        examples = list(product(range(n + 1), (0, 1)))
        strange = [e for size in range(3) for e in product(examples, repeat=size)]
        lists = [*subsets(ordered, len(ordered)), *subsets(strange, 2 if n == 1 else 1)]
        for forged in false_vc_proofs(n, V, lists):
            assert not proves(forged, table_of(n, V)), forged


# ---- certificates made of true ones


def test_the_proofs_that_forgeries_are_made_of_are_proofs():
    for n, V in [(3, V) for V in range(1, 256, 5)] + [(4, V) for V in range(1, 1 << 16, 1331)]:
        depth = ldim(n, V) + 1
        assert proves(FailureDAG(SUBJECT, depth - 1, tuple(proved(n, V, depth))), table_of(n, V))
        assert proves(FoldedTree(SUBJECT, *shown(n, V)), table_of(n, V))


@st.composite
def spliced_dags(draw: st.DrawFn, n: int, V: int) -> FailureDAG:
    """Proofs about other classes, one behind the other, with a few changes."""
    point, label = st.integers(0, n - 1), st.integers(0, 1)
    entries: list[FailureEntry] = []
    for _ in range(draw(st.integers(1, 2), label="proofs")):
        W = draw(other_classes(n, V))
        block = proved(n, W, ldim(n, W) + draw(st.integers(1, 2)))
        start = len(entries)
        for entry in block:
            moved = entry.steps and tuple(
                step if step.entry is None else replace(step, entry=step.entry + start)
                for step in entry.steps
            )
            parent, restriction = entry.parent, entry.given
            if parent is not None:
                parent += start
            elif start:
                parent, restriction = draw(st.integers(0, start - 1)), ((draw(point), draw(label)),)
            entries.append(FailureEntry(entry.depth, parent, restriction, moved))
    pairs = st.tuples(point, point, label)
    for _ in range(draw(st.integers(0, 4), label="changes")):
        i = draw(st.integers(0, len(entries) - 1), label="entry")
        entry = entries[i]
        changes = ["depth", "none", "empty", "steps", "factors", "symmetries"]
        how = draw(st.sampled_from(changes), label="change")
        if how == "factors":
            pieces = st.lists(st.sets(point, min_size=1), min_size=1, max_size=3)
            entry = replace(entry, steps=None, symmetries=(), factors=tuple(
                Factor(draw(st.integers(0, len(entries))), tuple((x, x, 0) for x in sorted(group)))
                for group in draw(pieces, label="groups")
            ))  # fmt: skip
        elif how == "depth":
            entry = replace(entry, depth=max(0, entry.depth + draw(st.sampled_from([-1, 1]))))
        elif how in ("none", "empty") or not entry.steps:
            left = () if how == "empty" else None
            entry = replace(entry, steps=left, factors=None, symmetries=())
        elif how == "symmetries":
            order = draw(st.permutations(range(n)), label="order")
            flips = draw(st.tuples(*[label] * n), label="flips")
            moves = tuple(zip(range(n), order, flips, strict=True))
            entry = replace(entry, steps=entry.steps[:1], symmetries=(moves, moves[: n - 1]))
            entry = replace(entry, symmetries=entry.symmetries[: draw(st.integers(1, 2))])
        else:
            j = draw(st.integers(0, len(entry.steps) - 1), label="step")
            step = FailureStep(
                entry.steps[j].point,
                draw(label),
                draw(st.none() | st.integers(0, len(entries))),
            )
            if step.entry is not None and draw(st.booleans(), label="matched"):
                step = replace(step, matching=tuple(draw(st.lists(pairs, max_size=n))))
            chosen = () if draw(st.booleans(), label="dropped") else (step,)
            entry = replace(entry, steps=(*entry.steps[:j], *chosen, *entry.steps[j + 1 :]))
        entries[i] = entry
    return FailureDAG(Subject.of(named(n, V)), entries[0].depth - 1, tuple(entries))


def cut(tree: ShatteredTree, depth: int) -> ShatteredTree:
    """The top of a tree."""
    leaves = tree.leaves[:: 2 ** (tree.depth - depth)]
    return replace(tree, depth=depth, points=tree.points[: 2**depth - 1], leaves=leaves)


def joined(x: int, left: ShatteredTree, right: ShatteredTree) -> ShatteredTree:
    """A root with two trees below it, as deep as both are."""
    depth = min(left.depth, right.depth)
    left, right = cut(left, depth), cut(right, depth)
    points = [x]
    for level in range(depth):
        start, stop = 2**level - 1, 2 ** (level + 1) - 1
        points += left.points[start:stop] + right.points[start:stop]
    return replace(left, depth=depth + 1, points=tuple(points), leaves=left.leaves + right.leaves)


@st.composite
def joined_trees(draw: st.DrawFn, n: int, V: int) -> ShatteredTree:
    """True trees of other classes, up to four of them below new roots."""

    def tree(levels: int) -> ShatteredTree:
        if levels:
            x = draw(st.integers(0, n - 1), label="root")
            return joined(x, tree(levels - 1), tree(levels - 1))
        W = draw(other_classes(n, V)) or V or 1
        return ShatteredTree.of(named(n, W))

    grown = tree(draw(st.sampled_from([0, 0, 1, 2]), label="levels"))
    return replace(grown, subject=Subject.of(named(n, V)))


@st.composite
def redirected_trees(draw: st.DrawFn, n: int, V: int) -> FoldedTree:
    """Proofs about other classes, up to two under a new root, with a few changes."""
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
    return FoldedTree(Subject.of(named(n, V)), depth, tuple(changed_nodes))


@st.composite
def mixed_vc_proofs(draw: st.DrawFn, n: int, V: int) -> VCCertificate:
    """A set that one class shatters, and what another one misses, with a few changes."""
    first, second = (
        VCCertificate.of(named(n, draw(other_classes(n, V)) or V or 1)) for _ in range(2)
    )
    missing = list(second.missing)
    for _ in range(draw(st.integers(0, 3), label="changes")):
        if missing and draw(st.booleans()):
            i = draw(st.integers(0, len(missing) - 1))
            missing[i] = missing[i][: draw(st.integers(0, 3))]
        else:
            example = st.tuples(st.integers(0, n), st.integers(0, 1))
            missing.append(tuple(draw(st.lists(example, max_size=n))))
    subject = Subject.of(named(n, V))
    shattered = replace(first.shattered, subject=subject)
    reason = draw(st.sampled_from([first.reason, second.reason]))
    return VCCertificate(subject, shattered, reason, () if reason == "size" else tuple(missing))


@st.composite
def forgeries(draw: st.DrawFn, kind: str) -> tuple[int, int, Certificate]:
    """A class, and a certificate for it that is made of true certificates for other classes."""
    n = draw(st.integers(2, 4), label="points")
    V = draw(st.integers(0, (1 << (1 << n)) - 1), label="class")
    if kind == "vcdim":
        return n, V, draw(mixed_vc_proofs(n, V))
    if kind == "shattered-tree":
        return n, V, draw(joined_trees(n, V))
    if kind == "folded-tree":
        return n, V, draw(redirected_trees(n, V))
    dag = draw(spliced_dags(n, V))
    if kind == "failure-dag":
        return n, V, dag
    # One false half is enough for a forgery.
    honest = V and draw(st.booleans(), label="honest tree")
    tree = ShatteredTree.of(named(n, V)) if honest else draw(joined_trees(n, V))
    meeting = cut(tree, max(0, min(tree.depth, dag.dimension)))
    return n, V, LdimCertificate(dag.subject, meeting, dag)


@pytest.mark.parametrize("kind", ["shattered-tree", "folded-tree", "failure-dag", "ldim", "vcdim"])
def test_nothing_false_follows_from_true_proofs_of_other_classes(kind):
    judged = {True: 0, False: 0}

    # So that some of both are met.
    @settings(max_examples=2 * settings().max_examples)
    @given(forgeries(kind))
    def check(forgery: tuple[int, int, Certificate]) -> None:
        n, V, made = forgery
        assert Certificate.from_json(made.to_json()) == made
        certificate = believed(made.to_json(), named(n, V))
        judged[certificate is not None] += 1
        assert certificate is None or is_true(certificate, n, V)

    check()
    assert all(judged.values())
