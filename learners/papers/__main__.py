"""Write the pages on coverage and on errata: ``python -m learners.papers docs [FILE]``.

FILE contains the results of ``lsclasses verify --resume``. The page takes its numbers from FILE and
keeps numbers that FILE lacks. Without FILE, the page keeps all numbers. If FILE contains a finished
run with ``--slow``, the page also states its day.
"""

from __future__ import annotations

import sys
from pathlib import Path

from catalog.fact_checks import REQUEST, SLOW_DAY
from learners.papers import coverage
from lsclasses.installation import sources_digest
from lsclasses.results_file import ResultsFile


def write(docs: Path, results: Path | None) -> None:
    """Rewrite both pages."""
    covered, errata = docs / "coverage.md", docs / "errata.md"
    evidence, slow = None, ""
    if results is not None:
        sources = sources_digest("catalog", "learners", "lsclasses")
        found = ResultsFile(results, sources, REQUEST)
        evidence, slow = coverage.measured(found), found.get(SLOW_DAY, str) or ""
    text = coverage.coverage_page(covered.read_text(encoding="utf-8"), evidence, slow)
    covered.write_text(text, encoding="utf-8")
    errata.write_text(coverage.errata_page(errata.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    folder, *file = map(Path, sys.argv[1:])
    write(folder, file[0] if file else None)
