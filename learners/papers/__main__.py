"""``python -m learners.papers FILE``: write the page on what is recomputed."""

from __future__ import annotations

import sys
from pathlib import Path

from learners.papers.coverage import page

if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
