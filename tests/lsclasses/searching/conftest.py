"""The engines of the search, for tests that must hold on each."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

import pytest

from lsclasses.searching import engines

KERNEL: ModuleType | None = None
if engines.kernel_state() == "built":
    KERNEL = import_module("lsclasses.searching._kernel")

ENGINES = [
    pytest.param("native", marks=pytest.mark.skipif(KERNEL is None, reason="no kernel was built")),
    "numpy",
]


@pytest.fixture(params=ENGINES, scope="module")
def engine(request):
    """Each engine in turn, for all tests of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(engines.VARIABLE, request.param)
        yield request.param


def require_interruptible(
    search: Callable[[], object], seconds: float, handler: Callable[..., object] | None
) -> None:
    """A signal that comes after some seconds of a search is heard and leaves it, each within 0.2 s.

    Its handler calls the one that is given, which may raise, and raises `ZeroDivisionError`.
    """
    rang: list[float] = []

    def ring(number: int, frame: object) -> None:
        rang.append(time.process_time())
        if handler is not None:
            handler(number, frame)
        raise ZeroDivisionError

    # Processor time: others may keep the processor for themselves for a while.
    before, started = signal.signal(signal.SIGPROF, ring), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with pytest.raises(KeyboardInterrupt if handler else ZeroDivisionError):
            search()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert rang[0] - started < seconds + 0.2
    assert time.process_time() - rang[0] < 0.2
