"""How long searches go on after the time that a `Limit` allows them.

``python -m benchmarks limits`` asks for every dimension of all monotone functions of six variables
(7,828,354 concepts on 64 points), where one step of a search is a pass over millions of bits, and
prints what each search did after two seconds: by the wall clock, of which `Limit` speaks, and in
processor time, which other work on the machine does not lengthen. Every search has a process of its
own, with a fresh table, which is killed after `PATIENCE` seconds. Aimed at, in processor time: a
tenth of the limit and 0.3 s.

``python -m benchmarks.bench_limits ENGINE SPEC SECONDS DIMENSION ...`` asks for others. Needs
Linux, where one process can tell the processor time of another one.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path

import catalog
from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions import DIMENSIONS

SPEC = "monotone:n=6"
SECONDS = 2.0
PATIENCE = 60


def search(C: Table, name: str, seconds: float, tell: int) -> None:
    """Tell when the search begins, and how it ended, in a process that this function ends."""
    table = Table._of_distinct(C.domain, C.packed)
    os.write(tell, b"begins\n")
    try:
        ended = "answered"
        getattr(table, name)(limit=Limit(seconds=seconds))
    except TooLarge as error:
        ended = "stopped" if "limit of" in str(error) else "refused"
    os.write(tell, f"{ended}\n".encode())
    os._exit(0)


def processor_time(process: int) -> float:
    """What a process has used so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(C: Table, name: str, seconds: float) -> tuple[float, float, str]:
    """How long it took by the wall clock, what was used after the limit, and how it ended."""
    listen, tell = os.pipe()
    child = os.fork()
    if not child:
        search(C, name, seconds, tell)
    os.close(tell)
    os.read(listen, 7)
    begun = time.monotonic()
    before, ended = None, ""
    if not select.select([listen], [], [], seconds)[0]:
        before = processor_time(child)
        if not select.select([listen], [], [], PATIENCE)[0]:
            os.kill(child, signal.SIGKILL)
            ended = "killed"
    wall = time.monotonic() - begun
    ended = ended or os.read(listen, 20).decode().strip() or "failed"
    os.close(listen)
    _, _, used = os.wait4(child, 0)
    total = used.ru_utime + used.ru_stime
    # What the process did to end itself counts too.
    return wall, 0.0 if before is None else total - before, ended


def main(engine: str = "", spec: str = SPEC, seconds: str | float = SECONDS, *names: str) -> None:
    if engine:
        os.environ["LSCLASSES_ENGINE"] = engine
    seconds = float(seconds)
    allowed = seconds / 10 + 0.3
    C = catalog.build(spec).to_table()
    Table([[0, 1], [1, 0]] * 3).ldim()  # imports are not what is measured
    print(f"{spec}, {seconds:g} s, {engine or 'default'} engine; aimed at {allowed:.2g} s more\n")
    print("| dimension | wall clock | processor time after the limit | |")
    print("|---|---|---|---|")
    for name in names or DIMENSIONS:
        wall, more, ended = measured(C, name, seconds)
        late = ", TOO LATE" * (more > allowed)
        print(f"| {name} | {wall:.2f} s | {more:.2f} s | {ended}{late} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
