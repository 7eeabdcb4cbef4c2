"""No file proves something false, filled with what might be read as a number, a list or a name.

Digests are always mended: a forger can do that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lsclasses.certificates import (
    Certificate,
    FailureDAG,
    FailureEntry,
    FailureStep,
    FoldedTree,
    LdimCertificate,
    ShatteredTree,
    Subject,
    Subtree,
    VCCertificate,
)
from tests.lsclasses.certificates.forging import (
    DEEP,
    NASTY,
    believed,
    changed,
    cube,
    edge,
    is_true,
    mended,
    named,
    places,
    product_proof,
    proved,
    shown,
    split,
)
from tests.lsclasses.small_classes import ldim


def files() -> list[tuple[str, int, int, dict[str, Any]]]:
    """Honest certificates of each kind, with the class: (kind, n, V, contents)."""
    n = 4
    V = sum(1 << c for c in (0, 1, 2, 3, 4, 5, 8, 9))
    table = named(n, V)
    subject = Subject.of(table)
    dag = FailureDAG(subject, ldim(n, V), tuple(proved(n, V, ldim(n, V) + 1)))
    tree = ShatteredTree.of(table)
    vc = VCCertificate.of(table)
    # An identity among the steps, so that matchings are in the file as well.
    first = dag.entries[0]
    assert first.steps is not None and len(dag.entries) > 1
    identity = tuple((x, x, 0) for x in range(n))
    steps = tuple(
        step if step.entry is None else replace(step, matching=identity) for step in first.steps
    )
    dag = replace(dag, entries=(replace(first, steps=steps), *dag.entries[1:]))
    depth, nodes = shown(n, V)
    top = replace(nodes[0], subtrees=(Subtree(1, identity), nodes[0].subtrees[1]))
    folded = FoldedTree(subject, depth, (top, *nodes[1:]))
    made = [tree, folded, dag, LdimCertificate(subject, tree, dag), vc.shattered, vc]
    listed = [(certificate.kind, n, V, certificate.to_json()) for certificate in made]
    W, entries = product_proof(0b1011, 0b0111)
    factored = FailureDAG(Subject.of(named(n, W)), ldim(n, W), entries)
    # One point is given a reason, and a symmetry takes each to the next.
    V = sum(1 << c for c in range(1 << n) if c.bit_count() == 1)
    around = tuple((x, (x + 1) % n, 0) for x in range(n))
    entry = FailureEntry(2, steps=(FailureStep(0, 1),), symmetries=(around,))
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
        # The halves of a proof are there themselves, and what follows two entries is like them.
        half = path[0] in ("tree", "dag") and len(path) > 1
        if path == ("digest",) or half or (path[0] == "entries" and path[1:2] > (1,)):
            continue
        for value in [*NASTY, DEEP]:
            forged = changed(data, path, value)
            claim_of = {"dimension": "Ldim <= {}", "depth": "Ldim >= {}"}
            if path[-1] in claim_of and len(path) == 1:
                forged["claim"] = claim_of[path[-1]].format(value)
            if (certificate := believed(mended(forged), table)) is not None:
                assert is_true(certificate, n, V), (path, value)
                assert type(value) is not bool, path
                assert path[0] not in ("format", "version", "kind") or value == data[path[0]]


def test_every_field_of_a_file_is_needed_and_no_other_is_read():
    for _, n, V, data in files():
        for path in [(), *places(data)]:
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
                assert believed(forged, named(n, V)) is None


def test_the_cube_is_a_product_of_three_and_its_points_are_alike():
    """What the attacks with factors and with symmetries come near."""
    edges, version = [edge(0), edge(1), edge(2)], {"version": 2}
    side = {"depth": 3, "steps": None, "parent": 0, "point": 2, "side": 0}
    turned = [[0, 1, 0], [1, 2, 1], [2, 0, 0]]
    cube(split((1, [0]), (2, [1]), (3, [2]), depth=4), *edges, dimension=3, **version)
    cube(split((1, [0]), (1, [0]), (2, [1]), (3, [2]), depth=5), *edges, dimension=4, **version)
    cube(split((1, [0, 1]), (2, [2]), depth=4), side, edge(2), dimension=3, **version)
    entry = {"depth": 4, "steps": [[0, 0]], "symmetries": [turned]}
    proof = cube(entry, dimension=3, **version)
    assert proof.to_json()["entries"] == [entry]
