"""Files for Lean 4 that state and prove Ldim and VCdim of a small table, without other files.

`checker.lean` contains the definitions, the checker and the proof that the checker is sound. A file
consists of `checker.lean`, a table, the evidence of a `PlainProof` and two theorems. Lean proves
the theorems by evaluating the checker. The file uses neither tactics nor notation of Lean's core
library, so a small part of the core library suffices to check it.
"""

from __future__ import annotations

from collections.abc import Iterable
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
-- lsclasses: {claim} of {title}, {concepts} on {points}.
-- Check this file: lean FILE.lean (Lean 4, without mathlib).

"""
TAIL = """
/-! ## Table -/

{names}
def points : Nat := {count}
def concepts : List Nat :=
{rows}

/-! ## Evidence -/

def shatteredTree : Tree :=
  {tree}
def failureDag : List Entry :=
{entries}
def shatteredPoints : Nat → Bool := label {shattered}

/-! ## Theorems -/

set_option maxRecDepth 100000
set_option maxHeartbeats 0

theorem ldim : IsLdim points concepts {depth} :=
  checkLdim_sound (t := shatteredTree) (dag := failureDag) rfl
theorem vcdim : IsVcdim points concepts {size} := checkVcdim_sound (X := shatteredPoints) rfl

#print axioms ldim
#print axioms vcdim

end Exported
"""
CHECKER = resources.files(__package__).joinpath("checker.lean")
"""Lean source of the definitions, the checker and its proof, which every file contains."""


def standalone_lean(table: PackedLabels, title: str, proof: PlainProof) -> str:
    """Return a file for Lean 4 that states and proves Ldim and VCdim of a small table.

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
    >>> text = standalone_lean(table, "thresholds:n=3", PlainProof.of(table))
    >>> print(text[text.index("theorem ldim :"):])
    theorem ldim : IsLdim points concepts 2 :=
    ...
    """
    count = len(table.points)
    head = HEAD.format(
        claim=proof.claim,
        title=comment_text(title),
        concepts=plural(len(table), "concept"),
        points=plural(count, "point"),
    )
    tail = TAIL.format(
        names="\n".join(f"-- {x}: {name}" for x, name in enumerate(point_names(table))),
        count=count,
        rows=_lines(
            (_binary(row, count) for row in table.row_bits),
            [f"  -- {name}" for name in concept_names(table)],
        ),
        tree=_tree(proof.tree),
        entries=_lines(
            (_entry(*each) for each in enumerate(proof.entries)), [""] * len(proof.entries)
        ),
        shattered=_binary(sum(1 << x for x in proof.shattered), count),
        depth=proof.depth,
        size=len(proof.shattered),
    )
    return head + CHECKER.read_text("utf-8") + tail


def _binary(bits: int, count: int) -> str:
    return f"0b{bits:0{count}b}"


def _lines(terms: Iterable[str], comments: list[str]) -> str:
    """Return a list with a line for each term."""
    lines = [f"  .cons {term} ({comment}" for term, comment in zip(terms, comments, strict=True)]
    return "\n".join([*lines, f"  .nil{')' * len(lines)}"])


def _list(terms: Iterable[str]) -> str:
    found = list(terms)
    return "".join(f"(.cons {term} " for term in found) + ".nil" + ")" * len(found)


def _tree(points: tuple[int, ...], i: int = 0) -> str:
    """Return the subtree at a node."""
    if i >= len(points):
        return ".leaf"
    return f"(.node {points[i]} {_tree(points, 2 * i + 1)} {_tree(points, 2 * i + 2)})"


def _entry(number: int, entry: PlainEntry) -> str:
    given = _list(f"⟨{x}, {_bit(y)}⟩" for x, y in entry.given)
    steps = _list(
        f"(.count {_bit(step.side)})"
        if step.entry is None
        else f"(.below {_bit(step.side)} {step.entry - number})"
        for step in entry.steps
    )
    return f"⟨{given}, {entry.fails}, {steps}⟩"


def _bit(y: Label) -> str:
    return ".true" if y else ".false"
