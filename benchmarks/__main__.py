"""Run every benchmark of this folder: ``python -m benchmarks [NAME ...] [--FLAG [NUMBER] ...]``."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

USAGE = "python -m benchmarks [NAME ...] [--FLAG [NUMBER] ...]"


def main(names: list[str]) -> None:
    known = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    if {"-h", "--help"} & set(names):
        listed = "\n".join(f"  {name.removeprefix('bench_')}" for name in known)
        print(f"Usage: {USAGE}\n\nRun benchmarks, by default all of them:\n{listed}")
        return
    flags: list[str] = []
    chosen: list[str] = []
    for name in names:
        if name.startswith("--"):
            flags.append(name)
        elif name.isdecimal() and flags:
            flags[-1] += f"={name}"
        else:
            chosen.append(name)
    modules = [name if name.startswith("bench_") else f"bench_{name}" for name in chosen or known]
    for module in modules:
        if module not in known:
            name = module.removeprefix("bench_")
            sys.exit(f"There is no benchmark {name!r}. Known: {', '.join(known)}.")
    for module in modules:
        print(f"\n## {module}\n", flush=True)
        import_module(f"benchmarks.{module}").main(*flags)


if __name__ == "__main__":
    main(sys.argv[1:])
