"""Detection of randomness that a program draws from another source than its coins."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from learners.exact.branches import current_coins
from lsclasses.errors import InvalidInput

_lock = threading.Lock()
_originals: dict[tuple[Any, str], Any] = {}
_users: list[object] = []
"""One entry for each ``with`` statement that uses the replaced functions."""


def _other(source: str) -> InvalidInput:
    return InvalidInput(
        f"The program draws from {source}. All its randomness must come from the source that it is "
        "given. A program with a source of its own can be sampled with source='internal'."
    )


@contextmanager
def refused_other_randomness() -> Iterator[None]:
    """Return a context that raises an error if a program draws from other sources than the coins.

    In the context, the program must not change the states of the global generators of Python and
    NumPy. During an enumeration, it must also not draw from the operating system. Programs draw
    from it by `secrets`, `random.SystemRandom`, `uuid.uuid4`, and unseeded generators of Python and
    NumPy. The context does not detect other sources, such as the clock, addresses of objects, or a
    function ``os.urandom`` that was imported by its name.

    Raises
    ------
    InvalidInput
        If the program draws from a detected source. The states of the global generators are
        compared at the end of the context.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> with refused_other_randomness():
    ...     law = exact_distribution(lambda coins: random.SystemRandom().randrange(2))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The program draws from the operating system. All its randomness \
must come from the source that it is given. A program with a source of its own can be sampled with \
source='internal'.
    """
    before = _global_states()
    _install()
    try:
        yield
    except InvalidInput:
        # A program that does not repeat itself may draw from a global generator. Name this cause.
        _require_unchanged(before)
        raise
    finally:
        _restore()
    _require_unchanged(before)


def _require_unchanged(before: dict[str, object]) -> None:
    for name, state in _global_states().items():
        if state != before[name]:
            raise _other(f"the global generator of {name}")


def _global_states() -> dict[str, object]:
    """Return the states of the global generators in comparable form."""
    kind, keys, *rest = np.random.get_state(legacy=True)  # noqa: NPY002
    return {"Python": random.getstate(), "NumPy": (kind, bytes(keys.data), *rest)}  # type: ignore[union-attr]


def _install() -> None:
    with _lock:
        _users.append(None)
        if len(_users) > 1:
            return
        # `secrets`, `random.SystemRandom` and NumPy draw by the function that `random` imported.
        for module, name in ((random, "_urandom"), (os, "urandom")):
            _originals[module, name] = getattr(module, name)
            setattr(module, name, _watched(getattr(module, name)))
        original = random.Random.seed
        _originals[random.Random, "seed"] = original

        def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
            if a is None:
                _refuse()
            original(self, a, version)

        random.Random.seed = seed  # type: ignore[method-assign]


def _restore() -> None:
    with _lock:
        _users.pop()
        if not _users:
            for (owner, name), original in _originals.items():
                setattr(owner, name, original)
            _originals.clear()


def _watched(original: Callable[[int], bytes]) -> Callable[[int], bytes]:
    def urandom(size: int, /) -> bytes:
        _refuse()
        return original(size)

    return urandom


def _refuse() -> None:
    """Refuse a draw in a run of an exploration of this thread."""
    coins = current_coins()
    if coins is not None:
        coins.refuse(_other("the operating system"))
