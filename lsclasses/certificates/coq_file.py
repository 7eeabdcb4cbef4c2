"""Files for Coq that state and prove Ldim and VCdim of a small table, without other files.

`checker.v` contains the definitions, the checker and the proof that the checker is sound. The file
for a table consists of `checker.v`, the table, the evidence of a `PlainProof` and two theorems, which
Coq proves by evaluating the checker.
"""

from __future__ import annotations

import re
from importlib import resources

from lsclasses.certificates.plain_proofs import PlainEntry, PlainProof
from lsclasses.limits import Limit
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, to_json

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
Proof. apply (check_ldim_sound _ _ shattered_tree failure_dag). vm_cast_no_check (eq_refl true). Qed.

Theorem vcdim : is_vcdim points concepts {size}.
Proof. apply (check_vcdim_sound _ _ shattered_points). vm_cast_no_check (eq_refl true). Qed.

Print Assumptions ldim.
Print Assumptions vcdim.
"""
CHECKER = resources.files(__package__).joinpath("checker.v")
"""Definitions, checker and proof of soundness, which every file contains."""
NAME_LENGTH = 200
"""Longest name of a point, a concept or the class in a comment."""


def standalone_coq(
    table: PackedLabels, title: str, *, limit: Limit | None = None
) -> tuple[str, str]:
    """Return a file for Coq with the two dimensions of a small table as theorems, and its claim.

    Parameters
    ----------
    table : Table
    title : str
        Name of the class, for the comment in the first line.
    limit : Limit, optional
        Limit of the search for the proof.

    Raises
    ------
    InvalidInput
        If the table is empty.
    TooLarge
        If the table or its proof is too large for Coq, or the limit is reached.

    Examples
    --------
    >>> import catalog
    >>> table = catalog.build("thresholds:n=3").to_table()
    >>> text, claim = standalone_coq(table, "thresholds:n=3")
    >>> claim
    'Ldim = 2 and VCdim = 1'
    >>> print(text[text.index("Theorem ldim :"):])
    Theorem ldim : is_ldim points concepts 2.
    ...
    """
    proof = PlainProof.of(table, limit=limit)
    claim = f"Ldim = {proof.depth} and VCdim = {len(proof.shattered)}"
    values = {"depth": proof.depth, "size": len(proof.shattered)}
    head = HEAD.format(
        claim=claim,
        title=comment_text(title),
        concepts=plural(len(table), "concept"),
        points=plural(len(table.points), "point"),
    )
    tail = TAIL.format(
        **values,
        names="\n".join(
            f"(* {x}: {comment_text(to_json(point))} *)" for x, point in enumerate(table.points)
        ),
        count=len(table.points),
        rows="\n".join(_rows(table)),
        tree=_tree(proof.tree),
        entries=";".join(f"\n  {_entry(*each)}" for each in enumerate(proof.entries)),
        shattered="; ".join(map(str, proof.shattered)),
    )
    return head + CHECKER.read_text("ascii") + tail, claim


def comment_text(value: object) -> str:
    """Return a name for a comment, without characters that end a comment or begin a string.

    Examples
    --------
    >>> comment_text("thresholds:n=3"), comment_text('*) "x'), comment_text((0, "a"))
    ('thresholds:n=3', '_) _x', "(0, 'a')")
    """
    return re.sub(r"[^ -~]|[\"*\\]", "_", str(value))[:NAME_LENGTH]


def _rows(table: PackedLabels) -> list[str]:
    """Return a line for each concept: its labels and its name."""
    count, points = len(table), len(table.points)
    names = range(count) if table.concept_names is None else table.concept_names
    lines = []
    for i, (row, name) in enumerate(zip(table.row_bits, names, strict=True)):
        labels = "".join(str(row >> x & 1) for x in range(points))
        end = ";" if i < count - 1 else ""
        lines.append(f'  "{labels}"{end}  (* {comment_text(name)} *)')
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
