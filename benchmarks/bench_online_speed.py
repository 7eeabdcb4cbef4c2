"""Private online learning at astronomical sizes: processor time and memory of whole games.

Trees and sequences in one state are one count, so that what is paid for is what examples have made
different. Every game is a process of its own; memory is what it took beyond what was loaded before.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from fractions import Fraction
from multiprocessing.connection import Connection
from typing import Any

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.forest.algorithm import ForestSOA
from learners.forest.plan import ForestParameters
from learners.layers.algorithm import LayeredSOA
from learners.layers.plan import LayeredParameters
from learners.playing.adversaries import adversary
from learners.playing.play import play
from lsclasses.concept_class import ConceptClass
from lsclasses.soa import ConservativeSOA

EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
ADVERSARIES = ("repeating", "random:points=balanced")
POINTS, STAIRS, LONG = "points:n=2^64", "thresholds:n=3", "thresholds:n=2^16"


def forest(rounds: int, **options: Any) -> ForestParameters:
    return ForestParameters.from_theorem(Budget(EPSILON, DELTA), 1, rounds, **options)


def trees(rounds: int) -> ForestParameters:
    return ForestParameters(4, 10**4, Fraction(1, 2), 2, EPSILON, DELTA, rounds)


def theorem(rounds: int) -> LayeredParameters:
    return LayeredParameters.from_theorem(Budget(EPSILON, DELTA), 1, rounds)


def layers(sequences: int, depth: int) -> Callable[[int], LayeredParameters]:
    return lambda rounds: LayeredParameters.within(Budget(EPSILON, DELTA), sequences, depth, rounds)


CASES: tuple[tuple[str, str, int, Callable[[int], Any]], ...] = (
    ("ForestSOA, theorem, k_1 = 4", POINTS, 10**5, forest),
    ("ForestSOA, theorem, k_1 = 16", POINTS, 10**5, lambda T: forest(T, leaves=16)),
    ("ForestSOA, as printed, k_1 = 32", POINTS, 10**5, lambda T: forest(T, printed=True)),
    ("ForestSOA, 10^4 trees, k_1 = 4", LONG, 10**5, trees),
    ("LayeredSOA, Theorem P", POINTS, 10**6, theorem),
    ("LayeredSOA, N_0 = 4.3e6", POINTS, 10**5, layers(4_300_000, 1)),
    ("LayeredSOA, N_0 = 2^17", STAIRS, 10**5, layers(1 << 17, 2)),
)


def learner(C: ConceptClass, parameters: Any) -> Any:
    kind: Any = ForestSOA if isinstance(parameters, ForestParameters) else LayeredSOA
    return kind(ConservativeSOA(C), parameters)


def game(sender: Connection, case: int, opponent: str) -> None:
    _, spec, rounds, make = CASES[case]
    C = catalog.build(spec)
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = time.process_time()
    parameters = make(rounds)
    transcript = play(
        learner(C, parameters),
        adversary(opponent, C),
        rounds,
        SeededCoins(0),
        keep_points=False,
    )
    seconds = time.process_time() - before
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - loaded
    size = parameters.trees if isinstance(parameters, ForestParameters) else parameters.sequences
    sender.send((size, transcript.mistakes, seconds, used / 1024))


def main() -> None:
    print(
        "| learner | class | size | T | adversary | mistakes | seconds | MB |\n" + "|---" * 8 + "|"
    )
    for case, (label, spec, rounds, _) in enumerate(CASES):
        for opponent in ADVERSARIES:
            receiver, sender = multiprocessing.Pipe(duplex=False)
            process = multiprocessing.Process(target=game, args=(sender, case, opponent))
            process.start()
            size, mistakes, seconds, used = receiver.recv()
            process.join()
            shown = f"2^{size.bit_length() - 1}" if size >= 1 << 40 else f"{size}"
            cells = label, f"`{spec}`", shown, f"{rounds:.0e}", opponent.partition(":")[0]
            print(f"| {' | '.join(cells)} | {mistakes} | {seconds:.1f} | {used:.0f} |", flush=True)


if __name__ == "__main__":
    main()
