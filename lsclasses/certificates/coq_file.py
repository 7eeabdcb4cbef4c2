"""Files for Coq that state and prove Ldim and VCdim of a small table, without other files.

`checker.v` contains the definitions, the checker and the proof that the checker is sound. A file
consists of `checker.v`, a table, the evidence of a `PlainProof` and two theorems. Coq proves the
theorems by evaluating the checker.
"""

from __future__ import annotations

from importlib import resources

from lsclasses.certificates.plain_proofs import (
    PlainEntry,
    PlainProof,
    comment_text,
    concept_names,
    point_names,
)
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label

HEAD = """\
(* lsclasses: {claim} of {title}, {concepts} on {points}.
   Check this file: coqc FILE.v (Coq 8.16 or later, standard library only). *)

"""
TAIL = """
(** * Table *)

{names}
Definition points : nat := {count}.
Definition concepts : list concept := [
{rows}
]%string.

(** * Evidence *)

Definition shattered_tree : tree :=
  {tree}.
Definition failure_dag : list entry := [{entries}].
Definition shattered_points : list nat := [{shattered}].

(** * Theorems *)

Theorem ldim : is_ldim points concepts {depth}.
Proof.
  apply (check_ldim_sound _ _ shattered_tree failure_dag). vm_cast_no_check (eq_refl true).
Qed.

Theorem vcdim : is_vcdim points concepts {size}.
Proof.
  apply (check_vcdim_sound _ _ shattered_points). vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions ldim.
Print Assumptions vcdim.
"""
CHECKER = resources.files(__package__).joinpath("checker.v")
"""Coq source of the definitions, the checker and its proof, which every file contains."""


def standalone_coq(table: PackedLabels, title: str, proof: PlainProof) -> str:
    """Return a file for Coq that states and proves Ldim and VCdim of a small table.

    Parameters
    ----------
    table : Table
    title : str
        Name of the class, for the comment in the first line.
    proof : PlainProof
        Evidence for the values of the dimensions.

    Examples
    --------
    >>> import catalog
    >>> table = catalog.build("thresholds:n=3").to_table()
    >>> text = standalone_coq(table, "thresholds:n=3", PlainProof.of(table))
    >>> print(text[text.index("Theorem ldim :"):])
    Theorem ldim : is_ldim points concepts 2.
    ...
    """
    values = {"depth": proof.depth, "size": len(proof.shattered)}
    head = HEAD.format(
        claim=proof.claim,
        title=comment_text(title),
        concepts=plural(len(table), "concept"),
        points=plural(len(table.points), "point"),
    )
    tail = TAIL.format(
        **values,
        names="\n".join(f"(* {x}: {name} *)" for x, name in enumerate(point_names(table))),
        count=len(table.points),
        rows="\n".join(_rows(table)),
        tree=_tree(proof.tree),
        entries=";".join(f"\n  {_entry(*each)}" for each in enumerate(proof.entries)),
        shattered="; ".join(map(str, proof.shattered)),
    )
    return head + CHECKER.read_text("ascii") + tail


def _rows(table: PackedLabels) -> list[str]:
    """Return a line with the labels and the name of each concept."""
    count, points = len(table), len(table.points)
    lines = []
    for i, (row, name) in enumerate(zip(table.row_bits, concept_names(table), strict=True)):
        labels = "".join(str(row >> x & 1) for x in range(points))
        end = ";" if i < count - 1 else ""
        lines.append(f'  "{labels}"{end}  (* {name} *)')
    return lines


def _tree(points: tuple[int, ...], i: int = 0) -> str:
    """Return the subtree at a node."""
    if i >= len(points):
        return "leaf"
    return f"(node {points[i]} {_tree(points, 2 * i + 1)} {_tree(points, 2 * i + 2)})"


def _entry(number: int, entry: PlainEntry) -> str:
    given = "; ".join(f"({x}, {_bit(y)})" for x, y in entry.given)
    steps = "; ".join(
        f"Count {_bit(step.side)}"
        if step.entry is None
        else f"Below {_bit(step.side)} {step.entry - number}"
        for step in entry.steps
    )
    return f"Entry [{given}] {entry.fails} [{steps}]"


def _bit(y: Label) -> str:
    return "true" if y else "false"
