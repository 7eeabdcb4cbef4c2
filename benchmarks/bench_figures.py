"""All figures of docs, from numbers that are kept or are computed in a moment.

``python -m benchmarks figures`` draws them anew; the same numbers give the same files. Where a
command of the library draws one, the page says which.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from benchmarks.kept import Drawings, write

HERE = Path(__file__).parent


@cache
def drawings() -> Drawings:
    """The figures that measurements draw."""
    found = {}
    for path in sorted(HERE.glob("bench_*.py")):
        if "\nFIGURES = " in path.read_text(encoding="utf-8"):
            found |= import_module(f"benchmarks.{path.stem}").FIGURES
    return found


def main() -> None:
    write(drawings())


if __name__ == "__main__":
    main()
