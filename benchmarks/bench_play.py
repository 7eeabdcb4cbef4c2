"""What a round costs beside the learner: the harness, and each adversary."""

from __future__ import annotations

import time
from typing import Any

import catalog
from learners.coins import SeededCoins
from learners.playing.adversaries import NAMED, FixedStream, StreamAdversary, adversary
from learners.playing.learner import OnlineLearner
from learners.playing.play import play

ROUNDS = 100_000
REPETITIONS = 3


class Constant(OnlineLearner):
    """The cheapest learner there is."""

    def start(self, coins: Any) -> int:
        return 0

    def _predict(self, state: int, point: Any, coins: Any) -> tuple[int, int]:
        return state, 0

    def _learn(self, state: int, point: Any, label: int, coins: Any) -> int:
        return state


def microseconds(opponent: StreamAdversary) -> float:
    seconds = []
    for seed in range(REPETITIONS):
        before = time.process_time()
        play(Constant(), opponent, ROUNDS, SeededCoins(seed))
        seconds.append(time.process_time() - before)
    return 1e6 * min(seconds) / ROUNDS


def main() -> None:
    print("| adversary | class | microseconds a round |\n|---|---|---|")
    fixed = FixedStream([(i % 100, i % 2) for i in range(ROUNDS)])
    print(f"| a fixed stream | none: the harness alone | {microseconds(fixed):.2f} |")
    for spec in ("points:n=2^64", "thresholds:n=2^64", "affine:q=2,n=32,k=4"):
        C = catalog.build(spec)
        for name in NAMED.names():
            print(f"| {name} | {spec} | {microseconds(adversary(name, C)):.2f} |", flush=True)


if __name__ == "__main__":
    main()
