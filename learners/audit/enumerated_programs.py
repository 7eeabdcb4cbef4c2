"""The exact output distributions of audited programs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from learners.audit.outcomes import RaisedError, hashable_output
from learners.audit.program_sources import (
    KEEPS_STATE,
    Source,
    enumerated_source,
    require_unchanged,
    require_values,
    run_with,
    visible_state,
)
from learners.coins import Coins
from learners.exact import (
    CannotEnumerate,
    ExactCoins,
    NotRepeated,
    OutputDistribution,
    branch_estimate,
    exact_distribution,
)
from lsclasses.errors import InvalidInput, TooLarge

Program = Callable[..., Any]

Errors = Literal["raise", "output"]
"""Whether exceptions of a program end the audit or are outputs."""

FIRST_BRANCHES = 1 << 11
"""Number of branches after which the audit estimates the number of all branches."""
SURELY = 2
"""Factor by which the estimated number of branches must exceed the limit to stop an enumeration.
Estimates can be too large."""
MANY_DRAWS = 256
"""Number of draws in one run after which the audit warns that it can take long."""


def enumerated(
    run: Program, inputs: Sequence[Any], source: Source, errors: Errors, cut: dict[str, Any]
) -> list[OutputDistribution[Any]]:
    """Return the output distributions on the inputs, each checked by a second enumeration."""
    enumeration = _Enumeration(run, source, errors, cut)
    states = [visible_state(data) for data in inputs]

    def law_of(data: Any, state: Hashable | None) -> OutputDistribution[Any]:
        try:
            return enumeration.law(data)
        except NotRepeated:
            require_unchanged(data, state)
            raise

    laws = [law_of(data, state) for data, state in zip(inputs, states, strict=True)]
    for before, data, state in zip(laws, inputs, states, strict=True):
        again = law_of(data, state)
        if before.keys() != again.keys() or not all(
            before[outcome].overlaps(again[outcome]) for outcome in before
        ):
            require_unchanged(data, state)
            require_values(before, again)
            raise InvalidInput(KEEPS_STATE)
    return laws


@dataclass
class _Enumeration:
    """The enumeration of a program on several inputs."""

    run: Program
    source: Source
    errors: Errors
    cut: dict[str, Any]
    warned: bool = False
    estimated: bool = False

    def law(self, data: Any) -> OutputDistribution[Any]:
        """Return the exact output distribution, unless the program has too many branches."""
        most = self.cut["max_branches"]
        once = partial(self._output, data)
        try:
            # Neighbouring inputs have similar numbers of branches, so one estimate is enough.
            if most > FIRST_BRANCHES and not self.estimated:
                try:
                    return exact_distribution(once, **{**self.cut, "max_branches": FIRST_BRANCHES})
                except TooLarge:
                    self.estimated = True
                    estimate = self._estimate(once)
                if estimate > SURELY * most:
                    raise _too_many(most, f", about {estimate:.2g} or more")
            return exact_distribution(once, **self.cut)
        except TooLarge as problem:
            raise (problem if problem.limit is None else _too_many(most)) from None

    def _estimate(self, once: Callable[[Coins], Hashable]) -> float:
        """Return an estimate of the number of branches, or 0 if there is none."""
        try:
            return branch_estimate(once, **self.cut)
        except InvalidInput:
            # A program can draw after the end of an estimated path, for example in a finally
            # clause. The enumeration itself accepts such a program.
            return 0.0

    def _output(self, data: Any, coins: Coins) -> Hashable:
        """Return the output of a run in hashable form."""
        assert isinstance(coins, ExactCoins)
        given = enumerated_source(self.source, coins)
        try:
            found = hashable_output(
                run_with(self.source, given, lambda drawn: self.run(data, drawn))
            )
        except Exception as problem:
            coins.require_accepted()
            _require_no_effect(problem, self.source, self.errors)
            if self.errors == "raise":
                raise
            found = RaisedError(type(problem).__qualname__, str(problem))
        if coins.draws >= MANY_DRAWS and not self.warned:
            self.warned = True
            warnings.warn(
                f"A run of the program makes {coins.draws} draws, so the audit can take long. A "
                f"larger tail than {float(self.cut['tail']):.2g}, for example tail=1e-6, cuts "
                "loops earlier.",
                stacklevel=2,
            )
        return found


def _too_many(most: int, about: str = "") -> TooLarge:
    return TooLarge(
        f"The program has more than max_branches={most} branches{about}. A larger max_branches "
        "enumerates programs with more branches, and a smaller one samples sooner."
    )


def _require_no_effect(problem: Exception, source: Source, errors: Errors) -> None:
    """Refuse an error that the generator of the audit may have caused, but no real generator."""
    if source == "coins" or not isinstance(problem, TypeError):
        return
    if errors == "output" or "UniformValue" in str(problem):
        raise CannotEnumerate(
            f"The program uses a uniform random number in a function: {problem}."
        ) from None
