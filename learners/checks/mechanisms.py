"""Checks of mechanisms on the small instances that are declared next to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from learners.accounting import basic
from learners.audit import PairFinding
from learners.audit.instances import AuditEntry, GameInstance, Instance
from learners.checks.values import (
    _check_event,
    _check_ledger,
    _hash,
    _require_equal,
    no_other_randomness,
)
from learners.coins import SeededCoins
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

REPEATS = 16
"""Number of seeds, with each of which a mechanism is run twice."""
TAIL = Fraction(1, 2**24)
RESOLUTION = Fraction(1, 10**5)
"""Resolution of audits, which is much smaller than the effect of a mistake in a mechanism."""


def check_mechanism(
    audits: AuditEntry | Instance | GameInstance | Iterable[AuditEntry | Instance | GameInstance],
    *,
    tail: Fraction = TAIL,
    resolution: Fraction = RESOLUTION,
) -> tuple[PairFinding, ...]:
    """Check that a mechanism satisfies the rules of the ledger, audits and states.

    The check uses each small instance that is declared next to the mechanism.

    * The mechanism states its cost. ``privacy`` is an event of the ledger with a total, and the
      instance claims at least this privacy.
    * The mechanism is a value. Two mechanisms built with the same parameters are equal and have
      equal hashes. Its parameters cannot be set, and a run does not change it.
    * With the same coins it releases the same output, and it uses no other generator.
    * Its exact output distributions on all neighbouring inputs of the instance satisfy the claim.

    Parameters
    ----------
    audits : AuditEntry, Instance, or several
        Declared audits, such as the ``AUDITS`` of its module. Parameters are at their defaults.
    tail, resolution : Fraction
        The arguments of `learners.audit.audit`.

    Returns
    -------
    tuple of PairFinding
        One finding for each instance, with the used part of the claim and the worst pair.

    Raises
    ------
    InvalidInput
        If the mechanism breaks a rule. The message states the rule.
    TooLarge
        If an instance is too large to be enumerated.

    Examples
    --------
    >>> from learners.audit.audit_registry import instance
    >>> from learners.audit.instances import Instance
    >>> good = instance("discrete_laplace")
    >>> (found,) = check_mechanism(good)
    >>> found.verdict, round(float(found.least_epsilon), 6)
    ('holds', 0.5)

    With half of the noise that the claim needs:

    >>> def run(count, coins): return count + coins.laplace(Fraction(1, 2))
    >>> check_mechanism(Instance(good.mechanism, lambda mechanism: run, good.pairs, good.privacy))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: DiscreteLaplace is not as private as it states. For the \
neighbours 0 and 1, delta(1/2) is 0.684, and the claim is (epsilon, delta) = (1/2, 0).
    """
    return tuple(_audited(built, tail, resolution) for built in _checked_values(audits))


def check_value(
    audits: AuditEntry | Instance | GameInstance | Iterable[AuditEntry | Instance | GameInstance],
) -> None:
    """Run all checks of `check_mechanism` except the output distributions, which may take long.

    Raises
    ------
    InvalidInput
        If an audit or its mechanism breaks a rule. The message states the rule.

    Examples
    --------
    >>> from learners.audit.audit_registry import AUDITABLE
    >>> check_value(AUDITABLE["discrete_laplace"])
    """
    for _ in _checked_values(audits):
        pass


def _checked_values(
    audits: AuditEntry | Instance | GameInstance | Iterable[AuditEntry | Instance | GameInstance],
) -> Iterator[Instance | GameInstance]:
    """The instances, each checked to have a mechanism that is a value and draws by its coins."""
    entries = (
        (audits,) if isinstance(audits, AuditEntry | Instance | GameInstance) else tuple(audits)
    )
    if not entries:
        raise InvalidInput("A mechanism needs at least one small instance to be audited on.")
    for entry in entries:
        if isinstance(entry, AuditEntry):
            built, twin = (entry.instance() for _ in "ab")
            _require_equal(built.mechanism, twin.mechanism, f"Building {entry.name!r}")
        elif isinstance(entry, Instance | GameInstance):
            built = entry
        else:
            raise InvalidInput(
                "A mechanism is checked on the audits declared next to it. Expected an AuditEntry "
                f"or an Instance. Got {entry!r}."
            )
        _check_value(built)
        yield built


def _check_value(built: Instance | GameInstance) -> None:
    mechanism, name = built.mechanism, type(built.mechanism).__name__
    claimed = _check_event(built.privacy, f"The instance of {name}")
    # The cost of a column or a feature depends on its use. In these cases `privacy` is a method.
    if not callable(getattr(mechanism, "privacy", None)):
        stated = _check_ledger(mechanism, "mechanism")
        if claimed[0] > stated[0] or claimed[1] > stated[1]:
            raise InvalidInput(
                f"The instance of {name} claims (epsilon, delta) = {_pair(claimed)}. This is "
                f"weaker than the statement of the mechanism, {_pair(stated)}."
            )
    if not built.inputs:
        raise InvalidInput(f"The instance of {name} has no neighbouring inputs to compare.")
    _check_frozen(mechanism, name)
    with _unchanged(mechanism):
        for data in built.inputs:
            _check_repeated(built, data, name)


def _audited(built: Instance | GameInstance, tail: Fraction, resolution: Fraction) -> PairFinding:
    with _unchanged(built.mechanism):
        found = built.audit(tail=tail, resolution=resolution)
    if found.verdict != Verdict.HOLDS:
        zero, one = found.pair
        measured = found.measured.str(3, radius=False)
        violated = found.verdict == Verdict.VIOLATED
        said = "is not as private as it states" if violated else "is undecided"
        raise InvalidInput(
            f"{type(built.mechanism).__name__} {said}. For the neighbours {zero!r} and {one!r}, "
            f"delta({found.epsilon}) is {measured}, and the claim is (epsilon, delta) = "
            f"{_pair(basic(built.privacy))}."
        )
    return found


@contextmanager
def _unchanged(mechanism: object) -> Iterator[None]:
    """Refuse a call that changes a mechanism or draws from the global generators."""
    name = type(mechanism).__name__
    number, snapshot = _hash(mechanism), deepcopy(mechanism)
    _require_equal(mechanism, snapshot, f"Copying {name}")
    with no_other_randomness("mechanism"):
        yield
    if _hash(mechanism) != number or mechanism != snapshot:
        raise InvalidInput(
            f"Running {name} changed it. The changing part of a run must be a state that is passed "
            "in and out."
        )


def _check_repeated(built: Instance | GameInstance, data: Any, name: str) -> None:
    for seed in range(REPEATS):
        released = [built.run(data, SeededCoins(seed)) for _ in "ab"]
        if released[0] != released[1]:
            raise InvalidInput(
                f"Run twice on {data!r} with the same coins, {name} released {released[0]!r} and "
                f"{released[1]!r}. All randomness must come from the coins."
            )
        _hash(released[0])


def _check_frozen(mechanism: object, name: str) -> None:
    if is_dataclass(mechanism):
        names = [entry.name for entry in fields(mechanism)]
    else:
        names = list(getattr(mechanism, "__dict__", ()))
    for parameter in names:
        try:
            setattr(mechanism, parameter, getattr(mechanism, parameter))
        except AttributeError:
            continue
        raise InvalidInput(
            f"{name}.{parameter} can be set after the mechanism was made, and its ledger with it. "
            "Make it a frozen dataclass."
        )


def _pair(claim: tuple[Fraction, Fraction]) -> str:
    return f"({claim[0]}, {claim[1]})"
