"""Files for Coq in ``proof/exported``, which ``make proved`` compiles. This module writes them."""

from pathlib import Path

from lsclasses.certificates.coq_file import standalone_coq
from lsclasses.commands.certifying import file_stem, module_name
from lsclasses.commands.classes import load

ROOT = Path(__file__).parents[3]
EXPORTED = ROOT / "proof" / "exported"
EXAMPLES = ("thresholds:n=3", "subsets:n=6,k=2", "decision-lists:n=3")
"""A class without a failure DAG, a small failure DAG, and a failure DAG with references."""


def example_path(spec: str) -> Path:
    return EXPORTED / f"{module_name(file_stem(spec))}.v"


if __name__ == "__main__":
    EXPORTED.mkdir(exist_ok=True)
    for spec in EXAMPLES:
        text, claim = standalone_coq(load(spec).to_table(), spec)
        example_path(spec).write_text(text, "ascii")
        print(f"{example_path(spec).relative_to(ROOT)}: {claim}")
