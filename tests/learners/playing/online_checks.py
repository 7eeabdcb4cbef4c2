"""What every mistake-bounded learner must satisfy, tried by exhaustive adversaries and streams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsclasses import Table

__all__ = ["check_stream", "most_mistakes"]


def most_mistakes(learner: Any, table: Table) -> int:
    """The mistakes that the strongest adversary forces, over all realizable sequences.

    On the way it checks that no state promises fewer mistakes than can still be forced. A
    conservative learner ignores what it predicts, and gets nothing else to see.
    """
    known: dict[tuple[Any, tuple[int, ...]], int] = {}

    def forced(state: Any, left: Table) -> int:
        key = (state, tuple(sorted(left.row_bits)))
        if key not in known:
            # A state that is reached again on the way would mean endlessly many mistakes.
            known[key] = 10**9
            most = 0
            for x in left.points:
                rest = left.restrict(x, 1 - state.predict(x))
                if not rest.is_empty:
                    most = max(most, 1 + forced(state.observe(x, 1 - state.predict(x)), rest))
            assert state.mistake_bound is not None
            assert most <= state.mistake_bound, (state, left, most)
            known[key] = most
        return known[key]

    return forced(learner, table)


def check_stream(learner: Any, stream: Iterable[tuple[Any, int]]) -> Any:
    """Along a realizable stream the mistakes stay within every bound that was promised."""
    least = learner.mistake_bound
    made = 0
    state = learner
    for x, y in stream:
        predicted = state.predict(x)
        assert predicted == state.hypothesis(x)
        after = state.observe(x, y)
        if predicted == y:
            assert after.mistakes == state.mistakes
        else:
            made += 1
        state = after
        assert state.mistakes == made
        assert state.mistake_bound is not None
        least = min(least, made + state.mistake_bound)
        assert made <= least
    assert made <= least <= learner.mistake_bound
    return state
