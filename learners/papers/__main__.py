"""``python -m learners.papers docs``: write the pages on what is recomputed and on errata."""

from __future__ import annotations

import sys
from pathlib import Path

from learners.papers import coverage, errata_page

if __name__ == "__main__":
    docs = Path(sys.argv[1])
    docs.joinpath("coverage.md").write_text(coverage.page(), encoding="utf-8")
    errata = docs / "errata.md"
    errata.write_text(errata_page.written(errata.read_text(encoding="utf-8")), encoding="utf-8")
