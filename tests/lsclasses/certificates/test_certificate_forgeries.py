"""No certificate that anybody can write proves something false.

Small certificates are enumerated; larger ones are made of true proofs about other classes, spliced
and shifted; files are filled with what a reader might take for a number, a list or a name. Digests
are always mended: a forger can do that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, islice, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import catalog
from lsclasses import BadCertificate, Table, naive
from lsclasses.certificates import (
    Certificate,
    Entry,
    Factor,
    FailureDAG,
    LdimCertificate,
    ShatteredSet,
    ShatteredTree,
    Step,
    Subject,
    VCCertificate,
    load_certificate,
)
from lsclasses.certificates.base import _digest
from lsclasses.commands.application import app
from lsclasses.concept_class import ConceptClass
from lsclasses.naive.dimensions import nodes_on
from tests.lsclasses.small_classes import ALL_UP_TO_TWO, labels_of, ldim, side_of, vcdim
from tests.strategies import plain

SUBJECT = Subject(None, None, "")
"""Of certificates whose `_check` is asked directly, without the look at which class is meant."""


@cache
def table_of(n: int, V: int) -> Table:
    return Table(labels_of(n, V), domain=range(n))


def proves(certificate: Certificate, C: ConceptClass) -> bool:
    """Whether the evidence is accepted; whatever else is raised is a failure of the test."""
    try:
        certificate._check(C)
    except BadCertificate:
        return False
    return True


def subsets(values: Any, most: int) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(values, size) for size in range(most + 1))


# ---- failure DAGs


def test_a_chain_of_restrictions_to_one_concept_refutes_nothing():
    """Each entry restricts the next point to 0; the last is one concept without any column."""
    C = catalog.build("cube:n=3")
    x = C.to_table().points
    entries = [Entry(3, steps=tuple(Step(z, 0, 1) for z in x))]
    for i in range(3):
        steps = tuple(Step(z, 0, i + 2) for z in x[i + 1 :])
        entries.append(Entry(2 - i, i, ((x[i], 0),), steps))
    forged = FailureDAG(Subject.of(C), 2, tuple(entries))
    with pytest.raises(BadCertificate):
        forged.verify(C)
    # With matchings, which the restrictions to the other points need, the chain was accepted.
    matched = []
    for i, entry in enumerate(entries):
        left = x[i:]
        steps = []
        for z in left:
            others = [w for w in left if w != z]
            matching = tuple((w, v, 0) for w, v in zip(others, left[1:], strict=True))
            steps.append(Step(z, 0, i + 1, matching or ((z, z, 0),)))
        matched.append(replace(entry, steps=tuple(steps)))
    forged = FailureDAG(Subject.of(C), 2, tuple(matched))
    assert forged.claim == "Ldim <= 2"
    with pytest.raises(BadCertificate, match="no root"):
        forged.verify(C)


@pytest.mark.parametrize("steps", [None, ()])
@pytest.mark.parametrize("depth", [-2, -1, 0])
def test_depths_below_zero_and_steps_against_depth_zero_are_refused(depth, steps):
    for n, V in ALL_UP_TO_TWO:
        if steps is None and V == depth == 0:
            continue
        with pytest.raises(BadCertificate):
            FailureDAG(SUBJECT, depth - 1, (Entry(depth, steps=steps),))._check(table_of(n, V))


@cache
def all_steps(n: int, entries: int) -> list[tuple[Step, ...] | None]:
    """Counting, or for every point no step or one, by counting or by one of so many entries."""
    reasons = [
        [None, *(Step(x, y, j) for y in (0, 1) for j in (None, *range(entries)))] for x in range(n)
    ]
    return [None, *(tuple(filter(None, chosen)) for chosen in product(*reasons))]


def false_dags(n: int, V: int, entries: int) -> Iterator[FailureDAG]:
    """All failure DAGs without matchings that claim too little for a class on n points.

    Depths below 0 are left out: there are no such entries.
    """
    depths = range(ldim(n, V) + 1)
    below = range(4)
    seconds: list[tuple[Entry, ...]] = [()]
    if entries == 2:
        seconds = [
            (Entry(depth, 0, ((x, y),), steps),)
            for depth, x, y, steps in product(below, range(n), (0, 1), all_steps(n, 2))
        ]
    for depth, steps in product(depths, all_steps(n, entries)):
        first = Entry(depth, steps=steps)
        for second in seconds:
            yield FailureDAG(SUBJECT, depth - 1, (first, *second))


def false_dags_accepted(cases: list[tuple[int, int, int]], stride: int = 1) -> tuple[int, list]:
    """How many false failure DAGs were tried, every `stride`-th, and those that were accepted."""
    count, accepted = 0, []
    for n, V, entries in cases:
        for forged in islice(false_dags(n, V, entries), count % stride, None, stride):
            count += 1
            if proves(forged, table_of(n, V)):
                accepted.append((n, V, forged))
    return count, accepted


def test_no_failure_dag_of_one_entry_or_on_one_point_is_false():
    cases = [(n, V, 1) for n, V in ALL_UP_TO_TWO] + [(1, V, 2) for V in range(4)]
    count, accepted = false_dags_accepted(cases)
    assert accepted == []
    assert count > 1500


def test_no_failure_dag_of_two_entries_is_false():
    """One in sixty-one of them; all are tried by the slow test."""
    count, accepted = false_dags_accepted([(2, V, 2) for V in range(16)], stride=61)
    assert accepted == []
    assert count > 15_000


def test_no_failure_dag_of_one_entry_with_a_symmetry_is_false():
    """Every class on at most two points, steps, depths, and one matching of at most two pairs."""
    count = 0
    for n, V in ALL_UP_TO_TWO:
        pairs = list(product(range(n), range(n), (0, 1)))
        for matching in (m for size in range(3) for m in product(pairs, repeat=size)):
            for depth, steps in product(range(ldim(n, V) + 1), all_steps(n, 0)):
                if steps is not None:
                    count += 1
                    entry = Entry(depth, steps=steps, symmetries=(matching,))
                    forged = FailureDAG(SUBJECT, depth - 1, (entry,))
                    assert not proves(forged, table_of(n, V)), (n, V, forged)
    assert count > 10**4


@pytest.mark.slow
def test_no_failure_dag_of_two_entries_is_false_at_all():
    count, accepted = false_dags_accepted([(2, V, 2) for V in range(16)])
    assert accepted == []
    assert count > 10**6


def product_proof(V1: int, V2: int) -> tuple[int, tuple[Entry, ...]]:
    """The product of two classes on two points each, and why it shatters no deeper tree.

    The factors are what is left when the points of the other one have the labels of its first
    concept; counting refutes what is not shattered there.
    """
    concepts = [[c for c in range(4) if V >> c & 1] for V in (V1, V2)]
    depths = [ldim(2, V) + 1 for V in (V1, V2)]
    V = sum(1 << (c | d << 2) for c, d in product(*concepts))
    entries = [Entry(sum(depths) - 1, factors=tuple(
        Factor(1 + i, tuple((x, x, 0) for x in group)) for i, group in enumerate(((0, 1), (2, 3)))
    ))]  # fmt: skip
    for i, others in enumerate(((2, 3), (0, 1))):
        labels = tuple((x, concepts[1 - i][0] >> x % 2 & 1) for x in others)
        entries.append(Entry(depths[i], 0, labels))
    return V, tuple(entries)


def test_the_proof_of_a_product_proves_nothing_false_of_other_classes():
    """Every product of two classes on two points; the proof is put to all classes that differ from
    it in one concept, and with every depth, group and entry changed."""
    judged = {True: 0, False: 0}

    def judge(V: int, entries: tuple[Entry, ...]) -> None:
        accepted = proves(FailureDAG(SUBJECT, entries[0].depth - 1, entries), table_of(4, V))
        assert not accepted or ldim(4, V) < entries[0].depth, (V, entries)
        judged[accepted] += 1

    for V1, V2 in product(range(1, 16), repeat=2):
        V, entries = product_proof(V1, V2)
        trivial = 0 in (ldim(2, V1), ldim(2, V2))
        accepted = proves(FailureDAG(SUBJECT, entries[0].depth - 1, entries), table_of(4, V))
        assert accepted != trivial
        assert entries[0].depth == ldim(4, V) + 1
        if trivial:
            continue
        for c in range(16):
            judge(V ^ 1 << c, entries)
        first, *rest = entries
        for i, by in product(range(3), (-1, 1)):
            shifted = list(entries)
            shifted[i] = replace(shifted[i], depth=max(0, shifted[i].depth + by))
            judge(V, tuple(shifted))
        left, right = first.factors
        for factors in (
            (), (left,), (right,), (left, left), (replace(left, matching=left.matching[:1]), right),
            (left, replace(right, entry=0)), (left, replace(right, entry=1)), (left, right, right),
            (replace(left, entry=2), right), (left, Factor(2, ())),
            (left, replace(right, matching=((2, 2, 1), (3, 3, 1)))),
        ):  # fmt: skip
            judge(V, (replace(first, factors=factors), *rest))
            lower = replace(first, factors=factors, depth=first.depth - 1)
            judge(V, (lower, *rest))
        for other in ((), rest[0].given[:1], ((2, 0), (2, 1))):
            judge(V, (first, replace(rest[0], given=other), rest[1]))
    assert judged[True] > 500 and judged[False] > 2000


def test_the_enumeration_holds_proofs_too():
    """Every class on one or two points is refuted by one of the failure DAGs that are gone through.

    What they claim here is the truth, so this is what the enumerations differ in.
    """
    for n, V in ALL_UP_TO_TWO:
        depth = ldim(n, V) + 1
        assert any(
            proves(
                FailureDAG(SUBJECT, depth - 1, (Entry(depth, steps=steps),)),
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


def test_no_deeper_tree_is_proved():
    """Trees of depth 3 on two points; each leaf names whoever comes nearest to its path."""
    for V, points in product(range(16), product(range(2), repeat=7)):
        concepts = [c for c in range(4) if V >> c & 1] or [0]
        tree = ShatteredTree(SUBJECT, 3, points, (0,) * 8)
        leaves = tuple(
            max(range(len(concepts)), key=lambda i: follows(concepts[i], tree, leaf))
            for leaf in range(8)
        )
        assert not proves(replace(tree, leaves=leaves), table_of(2, V))


@pytest.mark.parametrize("spec", ["cube:n=2", "thresholds:n=2", "points:n=3"])
def test_trees_of_classes_in_closed_form_are_proved_exactly_if_shattered(spec):
    C = catalog.build(spec)
    assert not isinstance(C, Table)
    table = C.to_table()
    for depth in range(4 if len(table.points) == 2 else 3):
        for nodes in product(range(len(table.points)), repeat=2**depth - 1):
            points = tuple(table.points[j] for j in nodes)
            tree = ShatteredTree(SUBJECT, depth, points, (None,) * 2**depth)
            assert proves(tree, C) == naive.shatters(plain(table), nodes, depth)
            assert depth == 0 or not proves(replace(tree, points=("?", *points[1:])), C)
            assert not proves(tree, table)


# ---- the VC dimension


def test_sets_are_proved_exactly_if_shattered():
    """All lists of at most three points: repeated ones and what is no point, too."""
    for n, V in ALL_UP_TO_TWO:
        for size in range(4):
            for points in product(range(n + 1), repeat=size):
                truth = (
                    len(set(points)) == size
                    and n not in points
                    and (
                        len(
                            {tuple(c >> x & 1 for x in points) for c in range(1 << n) if V >> c & 1}
                        )
                        == 2**size
                    )
                )
                assert proves(ShatteredSet(SUBJECT, points), table_of(n, V)) == truth


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


def test_an_unknown_point_among_missing_labellings_is_a_bad_certificate():
    table = Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], domain="abc")
    proof = table.vcdim_certificate()
    assert proof.reason == "missing"
    for stranger in ("z", (0, 1), None, 7):
        forged = replace(proof, missing=(*proof.missing, ((stranger, 0),)))
        with pytest.raises(BadCertificate, match="is no point"):
            forged.verify(table)


# ---- certificates made of true ones


def named(n: int, V: int) -> Table:
    """The class with its concepts named by their numbers, so that classes share their names."""
    concepts = [c for c in range(1 << n) if V >> c & 1]
    return Table(labels_of(n, V), domain=range(n), concepts=concepts)


def proved(n: int, V: int, depth: int) -> list[Entry]:
    """Why a class shatters no tree of a depth, when it does not: without search or symmetry.

    Only version spaces with fewer than 2^k concepts are left to counting, so that the proof has as
    many entries as those of large classes have.
    """
    queue: list[tuple[int, int, int | None, tuple[tuple[int, int], ...]]] = [(V, depth, None, ())]
    where = {(V, depth): 0}
    entries = []
    for W, k, parent, restriction in queue:
        steps: tuple[Step, ...] | None = None
        if W.bit_count() >= 2**k:
            found = []
            for z in range(n):
                sides = [W & side_of(n, z, label) for label in (0, 1)]
                label = min((0, 1), key=lambda i: ldim(n, sides[i]))
                below = (sides[label], k - 1)
                if below[0].bit_count() < 2 ** (k - 1):
                    found.append(Step(z, label))
                    continue
                if below not in where:
                    where[below] = len(queue)
                    queue.append((*below, len(entries), ((z, label),)))
                found.append(Step(z, label, where[below]))
            steps = tuple(found)
        entries.append(Entry(k, parent, restriction, steps))
    return entries


def test_the_proofs_that_forgeries_are_made_of_are_proofs():
    for n, V in [(3, V) for V in range(256)] + [(4, V) for V in range(1, 1 << 16, 331)]:
        depth = ldim(n, V) + 1
        assert proves(FailureDAG(SUBJECT, depth - 1, tuple(proved(n, V, depth))), table_of(n, V))


@st.composite
def other_classes(draw: st.DrawFn, n: int, V: int) -> int:
    """The class, or one that is near it or part of it, or any other."""
    full = (1 << (1 << n)) - 1
    how = draw(st.sampled_from(["same", "fewer", "near", "side", "any"]), label="source")
    if how == "side":
        return V & side_of(n, draw(st.integers(0, n - 1)), draw(st.integers(0, 1)))
    mask = draw(st.integers(0, full), label="mask")
    if how == "near":
        return V ^ (1 << mask % (1 << n))
    return {"same": V, "fewer": V & mask, "any": mask}[how]


@st.composite
def spliced_dags(draw: st.DrawFn, n: int, V: int) -> FailureDAG:
    """Proofs about other classes, one behind the other, with a few changes."""
    point, label = st.integers(0, n - 1), st.integers(0, 1)
    entries: list[Entry] = []
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
            entries.append(Entry(entry.depth, parent, restriction, moved))
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
            step = Step(
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
    dag = draw(spliced_dags(n, V))
    if kind == "failure-dag":
        return n, V, dag
    tree = draw(joined_trees(n, V))
    meeting = cut(tree, max(0, min(tree.depth, dag.dimension)))
    return n, V, LdimCertificate(dag.subject, meeting, dag)


def is_true(certificate: Certificate, n: int, V: int) -> bool:
    quantity, relation, value = certificate.claim.split()
    actual = {"Ldim": ldim, "VCdim": vcdim}[quantity](n, V)
    return {">=": actual >= int(value), "<=": actual <= int(value), "=": actual == int(value)}[
        relation
    ]


@pytest.mark.parametrize("kind", ["shattered-tree", "failure-dag", "ldim", "vcdim"])
def test_nothing_false_follows_from_true_proofs_of_other_classes(kind):
    judged = {True: 0, False: 0}

    # So that some of both are met.
    @settings(max_examples=150)
    @given(forgeries(kind))
    def check(forgery: tuple[int, int, Certificate]) -> None:
        n, V, made = forgery
        certificate = Certificate.from_json(made.to_json())
        assert certificate == made
        try:
            certificate.verify(named(n, V))
        except BadCertificate:
            judged[False] += 1
            return
        judged[True] += 1
        assert is_true(certificate, n, V)

    check()
    assert min(judged.values()) >= 3


# ---- files


NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 10**30, 10**4000, -(10**30), 0.0, 1.0, 0.5, -0.0, 1e308,
    float("nan"), float("inf"), "", "0", "1", "a", [], {}, [0], [1.0], [[0, 0]], [0, 1, 0, None],
    [[]], [None], {"0": 0}, [0, True], [True, 0], {"depth": 0, "steps": []},
]  # fmt: skip
"""Values that some reader of a file might take for a number, a label, a list or a name."""
DEEP = json.loads("[" * 500 + "]" * 500)


def mended(data: dict[str, Any]) -> dict[str, Any]:
    """The file with the digest that its contents have."""
    contents = {key: value for key, value in data.items() if key != "digest"}
    return {**contents, "digest": _digest(contents)}


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    children: Any = data.items() if isinstance(data, dict) else ()
    if isinstance(data, list):
        children = enumerate(data)
    for key, value in children:
        yield from places(value, (*path, key))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The value with one place of it replaced."""
    if not path:
        return value
    copied = dict(data) if isinstance(data, dict) else list(data)
    copied[path[0]] = changed(copied[path[0]], path[1:], value)
    return copied


def files() -> list[tuple[str, int, int, dict[str, Any]]]:
    """Honest certificates of each kind, with the class: (kind, n, V, contents)."""
    n = 4
    V = sum(1 << c for c in range(1 << n) if c.bit_count() <= 2)
    table = named(n, V)
    subject = Subject.of(table)
    dag = FailureDAG(subject, ldim(n, V), tuple(proved(n, V, ldim(n, V) + 1)))
    tree = ShatteredTree.of(table)
    vc = VCCertificate.of(table)
    # An identity among the steps, so that matchings are in the file as well.
    first = dag.entries[0]
    assert first.steps is not None
    identity = tuple((x, x, 0) for x in range(n))
    steps = tuple(
        step if step.entry is None else replace(step, matching=identity) for step in first.steps
    )
    dag = replace(dag, entries=(replace(first, steps=steps), *dag.entries[1:]))
    made = [tree, dag, LdimCertificate(subject, tree, dag), vc.shattered, vc]
    listed = [(certificate.kind, n, V, certificate.to_json()) for certificate in made]
    W, entries = product_proof(0b1011, 0b0111)
    factored = FailureDAG(Subject.of(named(n, W)), ldim(n, W), entries)
    # One point is given a reason, and a symmetry takes each to the next.
    V = sum(1 << c for c in range(1 << n) if c.bit_count() == 1)
    around = tuple((x, (x + 1) % n, 0) for x in range(n))
    entry = Entry(2, steps=(Step(0, 1),), symmetries=(around,))
    turned = FailureDAG(Subject.of(named(n, V)), 1, (entry,))
    return [
        *listed,
        ("failure-dag of a product", n, W, factored.to_json()),
        ("failure-dag with symmetries", n, V, turned.to_json()),
    ]


@pytest.mark.parametrize(("kind", "n", "V", "data"), files())
def test_no_nasty_value_anywhere_in_a_file_proves_anything_false(kind, n, V, data):
    """Every place of a file, with every nasty value, and the digest and the claim mended."""
    table = named(n, V)
    Certificate.from_json(data).verify(table)
    claims = {data["claim"]}
    claims |= {f"Ldim {sign} {d}" for sign in ("<=", ">=", "=") for d in range(-2, 5)}
    for path in places(data):
        if path == ("digest",):
            continue
        for value in [*NASTY, DEEP]:
            forged = changed(data, path, value)
            claim_of = {"dimension": "Ldim <= {}", "depth": "Ldim >= {}"}
            if path[-1] in claim_of and len(path) == 1:
                forged["claim"] = claim_of[path[-1]].format(value)
            try:
                certificate = Certificate.from_json(mended(forged))
                certificate.verify(table)
            except BadCertificate:
                continue
            assert is_true(certificate, n, V), (path, value)
            assert type(value) is not bool, path
            assert path[0] not in ("format", "version", "kind") or value == data[path[0]]


def test_every_field_of_a_file_is_needed_and_no_other_is_read():
    for _, n, V, data in files():
        objects = [(), *(path for path in places(data))]
        for path in objects:
            holder = data
            for key in path:
                holder = holder[key]
            if not isinstance(holder, dict):
                continue
            others = [{**holder, "extra": 0}] + [
                {key: value for key, value in holder.items() if key != left_out}
                for left_out in holder
            ]
            for other in others:
                forged = changed(data, path, other)
                if "digest" in forged:
                    forged = mended(forged)
                with pytest.raises(BadCertificate):
                    Certificate.from_json(forged).verify(named(n, V))


def dag_file(
    *entries: dict[str, Any], dimension: Any = 1, points: Any = (0, 1, 2), version: Any = 1
) -> dict:
    """A file about the cube on three points, whose Littlestone dimension is 3."""
    table = table_of(3, 255)
    return mended({
        "format": "lsclasses-certificate",
        "version": version,
        "kind": "failure-dag",
        "claim": f"Ldim <= {dimension}",
        "class": Subject.of(table).to_json(),
        "dimension": dimension,
        "points": list(points),
        "entries": list(entries),
    })  # fmt: skip


def steps(*values: Any) -> list[Any]:
    return [list(value) for value in values]


def split(*factors: Any, depth: Any = 2) -> dict[str, Any]:
    """An entry about the whole cube: for each factor an entry and the points of its group."""
    listed = [[entry, [[x, x, 0] for x in group]] for entry, group in factors]
    return {"depth": depth, "factors": listed}


def edge(x: int, depth: Any = 2, parent: Any = 0) -> dict[str, Any]:
    """Two concepts of the cube, that differ at a point: they shatter depth 1."""
    given = [[z, 0] for z in range(3) if z != x]
    return {"depth": depth, "steps": None, "parent": parent, "given": given}


ATTACKS = {
    "an entry that refers to itself": dag_file(
        {"depth": 2, "steps": steps((0, 0, 0, None), (1, 0, 0, None), (2, 0, 0, None))}
    ),
    "entries that refer to each other": dag_file(
        {"depth": 2, "steps": steps((0, 0, 1, None), (1, 0, 1, [[1, 1, 0]]), (2, 0, 1, None))},
        {"depth": 1, "steps": steps((0, 0, 0, None), (1, 0, 0, None), (2, 0, 0, None)),
         "parent": 0, "point": 0, "side": 0},
    ),
    "an entry that is its own parent": dag_file(
        {"depth": 2, "steps": steps((0, 0, 1, None), (1, 0, 1, None), (2, 0, 1, None))},
        {"depth": 1, "steps": None, "parent": 1, "point": 0, "side": 0},
    ),
    "a parent that comes later": dag_file(
        {"depth": 2, "steps": steps((0, 0, 1, None), (1, 0, 1, None), (2, 0, 1, None))},
        {"depth": 1, "steps": None, "parent": 2, "point": 0, "side": 0},
        {"depth": 0, "steps": None, "parent": 1, "point": 0, "side": 1},
    ),
    "the parent counted from the end": dag_file(
        {"depth": 2, "steps": steps((0, 0, 1, None), (1, 0, 1, None), (2, 0, 1, None))},
        {"depth": 1, "steps": None, "parent": -1, "point": 0, "side": 0},
    ),
    "an entry counted from the end": dag_file(
        {"depth": 2, "steps": steps((0, 0, -1, None), (1, 0, -1, None), (2, 0, -1, None))},
    ),
    "a huge entry": dag_file({"depth": 2, "steps": steps((0, 0, 10**30, None))}),
    "a point counted from the end": dag_file({"depth": 2, "steps": steps((-1, 0), (1, 0), (2, 0))}),
    "a huge point": dag_file({"depth": 2, "steps": steps((10**30, 0), (1, 0), (2, 0))}),
    "the first entry a restriction": dag_file(
        {"depth": 2, "steps": None, "parent": 0, "point": 0, "side": 0},
    ),
    "no entry": dag_file(),
    "no entry, and no dimension": dag_file(dimension=-1),
    "a dimension below -1": dag_file({"depth": -1, "steps": []}, dimension=-2),
    "a fractional dimension": dag_file({"depth": 2.5, "steps": []}, dimension=1.5),
    "a dimension that is true": dag_file({"depth": 2, "steps": []}, dimension=True),
    "a depth that is true": dag_file({"depth": True, "steps": []}, dimension=0),
    "a depth written as a fraction": dag_file({"depth": 2.0, "steps": []}),
    "one concept against depth 0": dag_file(
        {"depth": 1, "steps": steps((0, 0, 1, None), (1, 0, 1, [[1, 1, 0]]))},
        {"depth": 0, "steps": [], "parent": 0, "point": 0, "side": 0}, dimension=0,
    ),
    "one point under three names": dag_file(
        {"depth": 2, "steps": steps((0, 0), (1, 0), (2, 0))}, points=[0, 0, 0],
    ),
    "points that are none": dag_file(
        {"depth": 2, "steps": steps((0, 0), (1, 0), (2, 0))}, points=["0", [1], "x"],
    ),
    "no steps": dag_file({"depth": 2, "steps": []}),
    "steps that are a text": dag_file({"depth": 2, "steps": "00"}),
    "steps that are an object": dag_file({"depth": 2, "steps": {"0": 0}}),
    "a side that is true": dag_file({"depth": 2, "steps": [[0, True], [1, True], [2, True]]}),
    "a side that is 2": dag_file({"depth": 2, "steps": [[0, 2], [1, 2], [2, 2]]}),
    "a matching of a constant": dag_file(
        {"depth": 2, "steps": steps(*((x, 0, 1, [[x, x, 0]]) for x in range(3)))},
        {"depth": 1, "steps": steps((0, 1), (1, 1), (2, 1)), "parent": 0, "point": 0, "side": 0},
    ),
    "an empty matching": dag_file(
        {"depth": 2, "steps": steps(*((x, 0, 1, []) for x in range(3)))},
        {"depth": 1, "steps": None, "parent": 0, "point": 0, "side": 0},
    ),
    "a group too few": dag_file(split((1, [0]), (2, [1]), depth=3), edge(0), edge(1),
                                dimension=2, version=2),
    "one group for a product of two": dag_file(split((1, [0, 1]), (2, [2]), depth=3), edge(0),
                                               edge(2), dimension=2, version=2),
    "dimensions that add up": dag_file(split((1, [0]), (2, [1]), (3, [2]), depth=3),
                                       edge(0), edge(1), edge(2), dimension=2, version=2),
    "factors said to fail depth 1": dag_file(split((1, [0]), (2, [1]), (3, [2])),
                                             edge(0, 1), edge(1, 1), edge(2, 1), version=2),
    "an entry that is its own factor": dag_file(split((0, [0, 1, 2])), version=2),
    "factors that refer to each other": dag_file(
        split((1, [0, 1, 2])),
        {"depth": 2, "factors": [[0, [[0, 0, 0]]]], "parent": 0, "given": []}, version=2,
    ),
    "no factors": dag_file(split(), version=2),
    "no factors against depth 0": dag_file(split(depth=0), dimension=-1, version=2),
    "an empty group of an empty version space": dag_file(
        split((1, []), (1, []), (2, [0]), (3, [1]), (4, [2])),
        {"depth": 0, "steps": None, "parent": 0, "given": [[0, 0], [0, 1]]},
        edge(0), edge(1), edge(2), version=2,
    ),
    "all points in an empty version space": dag_file(
        split((1, [0, 1, 2])), {"depth": 0, "steps": None, "parent": 0, "given": [[0, 0], [0, 1]]},
        version=2,
    ),
    "a factor counted from the end": dag_file(split((-1, [0, 1, 2])), edge(0, 1), version=2),
    "a huge factor": dag_file(split((10**30, [0, 1, 2])), version=2),
    "factors without a matching": dag_file({"depth": 2, "factors": [[1, None]]}, edge(0, 1),
                                           version=2),
    "factors that are nothing": dag_file({"depth": 2, "factors": None}, version=2),
    "steps and factors": dag_file({**split((1, [0]), (2, [1]), (3, [2]), depth=4), "steps": None},
                                  edge(0), edge(1), edge(2), dimension=3, version=2),
    "factors in a file of version 1": dag_file(split((1, [0]), (2, [1]), (3, [2]), depth=4),
                                               edge(0), edge(1), edge(2), dimension=3),
    "the cube's own steps in a file of version 2": dag_file({"depth": 4, "steps": None},
                                                            dimension=3, version=2),
    "one restriction as a list": dag_file(
        split((1, [0, 1]), (2, [2]), depth=4),
        {"depth": 3, "steps": None, "parent": 0, "given": [[2, 0]]}, edge(2),
        dimension=3, version=2,
    ),
    "a symmetry that the cube does not have": dag_file(
        {"depth": 3, "steps": steps((0, 0)), "symmetries": [[[0, 0, 0], [1, 0, 0], [2, 0, 0]]]},
        dimension=2, version=2,
    ),
    "symmetries that lead nowhere": dag_file(
        {"depth": 2, "steps": [], "symmetries": [[[0, 1, 0], [1, 2, 0], [2, 0, 0]]]}, version=2,
    ),
    "a symmetry that leaves out a column": dag_file(
        {"depth": 3, "steps": steps((0, 0)), "symmetries": [[[0, 1, 0], [1, 0, 0]]]},
        dimension=2, version=2,
    ),
    "a symmetry for a step that proves nothing": dag_file(
        {"depth": 3, "steps": steps((0, 0)), "symmetries": [[[0, 1, 0], [1, 2, 0], [2, 0, 0]]]},
        dimension=2, version=2,
    ),
    "symmetries against depth 0": dag_file(
        {"depth": 0, "steps": [], "symmetries": [[[0, 1, 0], [1, 2, 0], [2, 0, 0]]]},
        dimension=-1, version=2,
    ),
    "symmetries of what counting refutes": dag_file(
        {"depth": 4, "steps": None, "symmetries": [[[0, 1, 0], [1, 2, 0], [2, 0, 0]]]},
        dimension=3, version=2,
    ),
    "symmetries of factors": dag_file(
        {**split((1, [0]), (2, [1]), (3, [2]), depth=4), "symmetries": [[[0, 1, 0]]]},
        edge(0), edge(1), edge(2), dimension=3, version=2,
    ),
    "symmetries in a file of version 1": dag_file(
        {"depth": 4, "steps": steps((0, 0)), "symmetries": [[[0, 1, 0], [1, 2, 0], [2, 0, 0]]]},
        dimension=3,
    ),
    "no symmetry in a list of them": dag_file(
        {"depth": 4, "steps": steps((0, 0), (1, 0), (2, 0)), "symmetries": []},
        dimension=3, version=2,
    ),
    "a symmetry of points that are none": dag_file(
        {"depth": 4, "steps": steps((0, 0)), "symmetries": [[[0, 7, 0], [1, 2, 0], [2, 0, 0]]]},
        dimension=3, version=2,
    ),
    "everything twice": dag_file(
        *[{"depth": 2, "steps": steps((0, 0), (0, 0), (1, 1), (1, 1), (2, 0), (2, 0))}] * 2
    ),
}  # fmt: skip


def test_the_cube_is_a_product_of_three():
    """What the attacks with factors come near."""
    entries = [edge(0), edge(1), edge(2)]
    cube = table_of(3, 255)
    for data in (
        dag_file(split((1, [0]), (2, [1]), (3, [2]), depth=4), *entries, dimension=3, version=2),
        dag_file(split((1, [0]), (1, [0]), (2, [1]), (3, [2]), depth=5), *entries,
                 dimension=4, version=2),
        dag_file(split((1, [0, 1]), (2, [2]), depth=4),
                 {"depth": 3, "steps": None, "parent": 0, "point": 2, "side": 0},
                 edge(2), dimension=3, version=2),
    ):  # fmt: skip
        certificate = Certificate.from_json(data)
        certificate.verify(cube)
        assert certificate.to_json() == data


def test_the_points_of_the_cube_are_alike():
    """What the attacks with symmetries come near."""
    turned = [[0, 1, 0], [1, 2, 1], [2, 0, 0]]
    entry = {"depth": 4, "steps": steps((0, 0)), "symmetries": [turned]}
    data = dag_file(entry, dimension=3, version=2)
    certificate = Certificate.from_json(data)
    certificate.verify(table_of(3, 255))
    assert certificate.to_json() == data


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_on_the_cube_are_refused(attack, tmp_path):
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(ATTACKS[attack]))
    with pytest.raises(BadCertificate):
        load_certificate(path).verify(table_of(3, 255))


def check(path: Path, spec: object, status: int = 1) -> str:
    """What ``lsclasses check`` answers to a file that proves nothing: one sentence.

    The status is 1 if the file was read, and 2 if it could not be.
    """
    result = CliRunner().invoke(app, ["check", str(path), str(spec)])
    assert result.exit_code == status
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("lsclasses: ")
    return str(lines[0])


def test_the_command_line_says_what_is_wrong_with_a_forgery(tmp_path):
    cube, forged = tmp_path / "cube.json", tmp_path / "forged.json"
    table_of(3, 255).save(cube)
    for name, data in ATTACKS.items():
        forged.write_text(json.dumps(data))
        assert "proved" not in check(forged, cube), name


def test_texts_that_are_read_in_two_ways_are_refused(tmp_path):
    """The same field twice, numbers that JSON does not have, nesting without end."""
    table = table_of(3, 255)
    cube, forged = tmp_path / "cube.json", tmp_path / "forged.json"
    table.save(cube)
    honest = json.dumps(table.ldim_certificate().to_json())
    twice = honest.replace('"claim": "Ldim = 3"', '"claim": "Ldim = 2", "claim": "Ldim = 3"')
    assert twice != honest
    forged.write_text(twice)
    assert "claim" in check(forged, cube, 2)
    for wrong in ("NaN", "Infinity", "1e999", "[" * 400 + "]" * 400):
        forged.write_text(honest.replace('"depth": 3', f'"depth": {wrong}', 1))
        check(forged, cube)
    for unreadable in ("9" * 5000, "[" * 10**5):
        forged.write_text(honest.replace('"depth": 3', f'"depth": {unreadable}', 1))
        check(forged, cube, 2)
    forged.write_text(honest)
    load_certificate(forged).verify(table)


# ---- what stands in memory


def test_values_that_could_be_gone_through_only_once_are_refused():
    """An iterator is empty the second time: its steps would be listed, but not checked."""
    with pytest.raises(BadCertificate, match="must be a tuple"):
        Entry(3, steps=(Step(x, 0) for x in range(3)))
    with pytest.raises(BadCertificate, match="must be a tuple"):
        Step(0, 0, 1, iter([(0, 0, 0)]))
    with pytest.raises(BadCertificate, match="must be a tuple"):
        FailureDAG(SUBJECT, 2, iter([Entry(3)]))
    with pytest.raises(BadCertificate, match="must be a tuple"):
        VCCertificate(SUBJECT, ShatteredSet(SUBJECT, (0,)), "missing", iter([((0, 0),)]))
    with pytest.raises(BadCertificate, match="must be a tuple"):
        ShatteredTree(SUBJECT, 1, [0], (0, 1))
    with pytest.raises(BadCertificate, match="must be a tuple"):
        ShatteredSet(SUBJECT, [0])
