"""What sharing work among processes or a cluster costs, and how far it scales.

``python -m benchmarks workers`` lets one, two and four processes of this machine do three kinds of
work: the Littlestone and VC dimensions of random tables, games of a private learner, and the checks
that ``verify`` makes of families. It prints the time by the wall clock, and the processor time of
all processes together, which other work on the machine does not lengthen, and which tells what
sharing costs: one process alone, with nothing to share, is the baseline, after all has been
imported. ``--dask`` has a local cluster of two processes do the same, which import it anew.

Then it measures what one piece of work costs the process that hands it out, and plays the code that
does so, `lsclasses.workers`, against a clock that is none: parts as long as those measured, drawn
from them with a seed, and as many workers as there may be. So what is said of more workers than
this machine has is simulated: list scheduling, with what pieces cost, and with no network.
"""

from __future__ import annotations

import heapq
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

import numpy as np

import catalog
from catalog.fact_checks import Check, checks
from learners.coins import SeededCoins
from learners.playing.adversaries import adversary
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from lsclasses import workers as pools
from lsclasses.limits import processors
from lsclasses.parallel import finished
from lsclasses.workers import Processes, Workers

WORKERS = (1, 2, 4)
SIMULATED = (1, 2, 4, 8, 16, 64, 256, 1024)
PARTS = 10_000
"""How many parts the simulated work has."""
PIECES = 1000
"""On how many pieces their cost is measured."""
START = 1.0
"""Seconds after which a worker begins, in the simulation: what it takes to import the library."""


def dimensions(seed: int) -> int:
    """The dimensions of a random table of 500 to 3000 concepts on 20 to 28 points."""
    concepts, points = 500 + 250 * (seed % 11), 20 + seed % 9
    C = catalog.build(f"random:m={concepts},n={points},seed={seed}").to_table()
    return C.ldim() + C.vcdim()


def game(seed: int) -> int:
    """The mistakes in a game of 500 rounds."""
    C = catalog.build("thresholds:n=31")
    learner = ONLINE_LEARNERS["pop"].learner(C, 500, epsilon=8, allow_weak_privacy=True)
    return play(learner, adversary("random", C), 500, SeededCoins(seed)).mistakes


def check(each: Check) -> int:
    """The rows of a check."""
    return len(each.rows())


def works() -> Iterator[tuple[str, Callable[[Any], int], list[Any]]]:
    """Kinds of work: a function and its parts."""
    yield "dimensions of random tables", dimensions, list(range(99))
    yield "games of POP", game, list(range(40))
    yield "checks of families", check, checks(["affine", "thresholds", "hamming-balls", "ltf"])


def timed(function: Callable[[Any], int], part: Any) -> tuple[float, int]:
    """The processor time of a part, and what it gives."""
    start = time.process_time()
    result = function(part)
    return time.process_time() - start, result


def processor_time() -> float:
    """What this process and those that it has ended have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(
    function: Callable[[Any], int], parts: Sequence[Any], start: Callable[[], Any]
) -> tuple[dict[int, tuple[float, int]], float, float]:
    """The time and result of each part, and the wall and processor time of everything."""
    wall, used = time.monotonic(), processor_time()
    with start() as executor:
        found = dict(finished(partial(timed, function), parts, executor))
    return found, time.monotonic() - wall, processor_time() - used


# ---- what a piece costs, and a clock that is none


class OneByOne(Workers):
    """Workers that are given one part at a time."""

    most = 1

    def __init__(self, inner: Workers) -> None:
        self.submit = inner.submit  # type: ignore[method-assign]
        self.workers = inner.workers


def cost(executor: Workers) -> float:
    """Processor time of this process for one piece of work, in seconds."""
    list(finished(abs, range(PIECES // 4), OneByOne(executor)))
    start = time.process_time()
    list(finished(abs, range(PIECES), OneByOne(executor)))
    return (time.process_time() - start) / PIECES


class Simulated(Workers):
    """Workers whose parts are numbers of seconds, and who take no time.

    Half of what a piece costs is paid when it is sent, the other half when it comes back.
    """

    def __init__(self, workers: int, cost: float) -> None:
        self.workers, self._cost = workers, cost
        self.now = 0.0
        self._free = [START] * workers
        self._ends: list[tuple[float, int, Future[Any], Any]] = []
        self._count = 0

    def submit(self, fn: Any, function: Any, parts: Any) -> Future[Any]:  # type: ignore[override]
        """The worker that is free first has the piece."""
        self.now += self._cost / 2
        begin = max(self.now, heapq.heappop(self._free))
        until = np.searchsorted(np.cumsum(parts), pools.PIECE, side="right") + 1
        done = parts[: int(until)]
        heapq.heappush(self._free, begin + sum(done))
        future: Future[Any] = Future()
        end = (begin + sum(done), self._count, future, (done, None, sum(done)))
        heapq.heappush(self._ends, end)
        self._count += 1
        return future

    def wait(self, *_: object) -> tuple[set[Future[Any]], set[Future[Any]]]:
        """The piece that ends first."""
        end, _, future, found = heapq.heappop(self._ends)
        self.now = max(self.now, end) + self._cost / 2
        future.set_result(found)
        return {future}, set()


def simulated(seconds: Sequence[float], workers: int, cost: float) -> float:
    """How long some parts take."""
    simulation, wait = Simulated(workers, cost), pools.wait
    pools.wait = simulation.wait  # type: ignore[assignment]
    try:
        for _ in finished(float, seconds, simulation):
            pass
    finally:
        pools.wait = wait
    return simulation.now


# ---- what is printed


@contextmanager
def local_cluster() -> Iterator[Executor]:
    """A dask cluster of two processes."""
    from distributed import LocalCluster

    from lsclasses.workers import Cluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Cluster(cluster.scheduler_address) as executor,
    ):
        yield executor


def main(*flags: str) -> None:
    """Print what was measured, then what was simulated."""
    ways: dict[str, Callable[[], Any]] = {"alone": nullcontext}
    ways |= {f"--jobs {n}": partial(Processes, n) for n in WORKERS}
    if "--dask" in flags:
        ways["--dask, 2 workers"] = local_cluster
    print(f"{processors()} processors\n")
    print("| work | parts | who works | wall, s | processor time, s |\n|---|--:|---|--:|--:|")
    times: dict[str, list[float]] = {}
    for name, function, parts in works():
        results = None
        function(parts[0])
        for who, start in ways.items():
            found, wall, used = measured(function, parts, start)
            print(f"| {name} | {len(parts)} | {who} | {wall:.1f} | {used:.1f} |", flush=True)
            here = [found[number][1] for number in range(len(parts))]
            assert results in (None, here), "results depend on who computes them"
            results = here
            times.setdefault(name, [found[number][0] for number in range(len(parts))])
    costs = {}
    for who, start in list(ways.items())[-1:1:-1]:
        with start() as executor:
            costs.setdefault(who.partition(" ")[0].rstrip(","), cost(executor))
    print()
    for who, each in costs.items():
        print(f"A piece of work costs {1000 * each:.2f} ms of the process that shares it: {who}.")
    rng = np.random.default_rng(0)
    print(f"\nSimulated, {PARTS} parts drawn from those measured: times faster than alone.\n")
    head = " | ".join(map(str, SIMULATED))
    print(f"| work | longest part, s | all, s | who works | {head} |")
    print("|---|--:|--:|---" + "|--:" * len(SIMULATED) + "|")
    for name, seconds in times.items():
        drawn = rng.choice(seconds, PARTS).tolist()
        for who, each in costs.items():
            gains = [sum(drawn) / simulated(drawn, workers, each) for workers in SIMULATED]
            said = " | ".join(f"{gain:.3g}" for gain in gains)
            print(f"| {name} | {max(drawn):.2f} | {sum(drawn):.0f} | {who} | {said} |")


if __name__ == "__main__":
    main()
