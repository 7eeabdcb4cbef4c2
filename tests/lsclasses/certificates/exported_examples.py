"""Files for proof assistants in ``proof/exported``, which ``make proved`` and ``make lean`` check.

``python -m tests.lsclasses.certificates.exported_examples`` writes these files.
"""

from collections.abc import Callable
from pathlib import Path

from lsclasses.certificates.coq_file import standalone_coq
from lsclasses.certificates.lean_file import standalone_lean
from lsclasses.certificates.plain_proofs import PlainProof
from lsclasses.commands.certifying import file_stem, module_name
from lsclasses.commands.classes import load
from lsclasses.table import Table

ROOT = Path(__file__).parents[3]
EXPORTED = ROOT / "proof" / "exported"
EXAMPLES = ("thresholds:n=3", "subsets:n=6,k=2", "decision-lists:n=3")
"""A class without a failure DAG, a small failure DAG, and a failure DAG of several levels."""
WRITERS: dict[str, Callable[[Table, str, PlainProof], str]] = {
    ".v": standalone_coq,
    ".lean": standalone_lean,
}


def exported(spec: str, suffix: str) -> str:
    """Return the file for a class."""
    table = load(spec).to_table()
    return WRITERS[suffix](table, spec, PlainProof.of(table))


def example_path(spec: str, suffix: str) -> Path:
    """Return the path of the recorded file for a class."""
    return EXPORTED / f"{module_name(file_stem(spec))}{suffix}"


if __name__ == "__main__":
    EXPORTED.mkdir(exist_ok=True)
    for spec in EXAMPLES:
        for suffix in WRITERS:
            example_path(spec, suffix).write_text(exported(spec, suffix), "utf-8")
            print(example_path(spec, suffix).relative_to(ROOT))
