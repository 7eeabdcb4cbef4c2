"""Run every benchmark of this folder: ``python -m benchmarks [NAME ...] [--FLAG ...]``."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main(names: list[str]) -> None:
    known = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    flags = [name for name in names if name.startswith("--")]
    for name in [name for name in names if name not in flags] or known:
        module = name if name.startswith("bench_") else f"bench_{name}"
        if module not in known:
            sys.exit(f"There is no benchmark {name!r}. Known: {', '.join(known)}.")
        print(f"\n## {module}\n", flush=True)
        import_module(f"benchmarks.{module}").main(*flags)


if __name__ == "__main__":
    main(sys.argv[1:])
