"""Write the pages on what is recomputed and on errata: ``python -m learners.papers docs [FILE]``.

With a file in which ``lsclasses verify --resume`` kept what it found, the numbers on the page are
from there; those that it has not, and all without it, are what they were.
"""

from __future__ import annotations

import sys
from pathlib import Path

from catalog.results import Results
from learners.papers import coverage
from lsclasses.installation import sources_digest


def write(docs: Path, results: Path | None) -> None:
    """Write both pages anew."""
    covered, errata = docs / "coverage.md", docs / "errata.md"
    evidence = None
    if results is not None:
        sources = sources_digest("catalog", "learners", "lsclasses")
        evidence = coverage.measured(Results(results, sources))
    text = coverage.coverage_page(covered.read_text(encoding="utf-8"), evidence)
    covered.write_text(text, encoding="utf-8")
    errata.write_text(coverage.errata_page(errata.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    folder, *file = map(Path, sys.argv[1:])
    write(folder, file[0] if file else None)
