"""Hidden states of the mechanism in a game, and what may follow from each, explored once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from flint import arb

from learners.audit.claims import require_repeated
from learners.exact import Law, better_twin, require_same


@dataclass(frozen=True)
class _Met:
    """A hidden state that was met, and one that equals it: another object, if there was one."""

    state: Any
    twin: Any

    def and_(self, other: _Met) -> _Met:
        """The same, with what was met of an equal one."""
        require_same(self.state, other.state)
        twin = self.twin
        for each in (other.state, other.twin):
            twin = better_twin(self.state, twin, each)
        return self if twin is self.twin else _Met(self.state, twin)


Mass = dict[Any, tuple[_Met, arb]]
"""Hidden states with their weights."""


@dataclass
class _Step:
    """What may follow from a hidden state and an item: states, answers, weights; what was cut."""

    hidden: _Met
    branches: list[tuple[_Met, Hashable, arb]]
    cut: arb | None
    again: Callable[[Any], Law[Any]]
    repeated: _Met | None = None
    """What it was computed anew for."""

    def require_repeated(self) -> None:
        """Compute it anew, from an equal state if one was met: what is shown follows one law.

        Another claim leads to the same states, and they are not tried twice.
        """
        if self.repeated is self.hidden:
            return
        shown: list[dict[Hashable, arb]] = [{}, {}]
        again = _met(self.again(self.hidden.twin))
        for found, branches in zip(shown, (self.branches, again), strict=True):
            for met, answer, weight in branches:
                key = answer, met.state is None
                found[key] = found.get(key, arb(0)) + weight
        require_repeated(*shown)
        self.repeated = self.hidden


def _met(law: Law[Any]) -> list[tuple[_Met, Hashable, arb]]:
    """The branches of a law of (hidden state, what is shown)."""
    return [
        (_Met(outcome[0], law.twin(outcome)[0]), outcome[1], weight)
        for outcome, weight in law.items()
    ]


Steps = dict[tuple[Any, Hashable, bool, int | None], _Step]


ENDED = _Met(None, None)
"""What is left of hidden states at the end of the game."""


def _gather(mass: Mass, met: _Met, weight: arb) -> None:
    """Add weight to a hidden state."""
    known = mass.get(met.state)
    mass[met.state] = (met, weight) if known is None else (known[0].and_(met), known[1] + weight)
