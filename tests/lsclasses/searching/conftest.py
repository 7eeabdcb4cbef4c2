"""The engines of the search, for tests that must hold on each."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType, SimpleNamespace

import pytest

from lsclasses import limits
from lsclasses.searching import engines

KERNEL: ModuleType | None = None
if engines.kernel_state() == "built":
    KERNEL = import_module("lsclasses.searching._kernel")

LEVELS = () if KERNEL is None else KERNEL.LEVELS
"""The instructions that the kernel may use here, the fastest first."""
NATIVE = [
    pytest.param("native", marks=pytest.mark.skipif(KERNEL is None, reason="no kernel was built")),
]
ENGINES = [*NATIVE, "numpy"]


@pytest.fixture(params=ENGINES, scope="module")
def engine(request):
    """Each engine in turn, for all tests of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(engines.VARIABLE, request.param)
        yield request.param


MOST_UNHEARD = 2
"""One look may be under way when a signal is sent, and one more before the system delivers it."""


def require_interruptible(
    search: Callable[..., object], looks: int, handler: Callable[..., object] | None
) -> None:
    """A signal that comes after some looks of a search at the clock is heard, and leaves it.

    Another thread sends it while the search goes on. It is heard before the third look after that;
    once its handler has raised, whatever it raises, the search does not look again. (The handler
    calls the one that is given, which may raise, and raises `ZeroDivisionError`.) How much work
    lies between two looks is asked in `test_native_engine`. A search without a limit on time has no
    clock to look at, so that it is given one, on a clock that stands still.
    """
    seen, over = 0, False
    sent: list[int] = []
    rang: list[int] = []
    due, main = threading.Event(), threading.get_ident()
    sending = threading.Lock()

    def look() -> float:
        nonlocal seen
        with sending:
            seen += 1
        if seen == looks:
            due.set()
        if sent and seen > sent[0] + MOST_UNHEARD:
            raise AssertionError("the search goes on after a signal")
        return 0.0

    def ring(number: int, frame: object) -> None:
        rang.append(seen)
        if handler is not None:
            handler(number, frame)
        raise ZeroDivisionError

    def send() -> None:
        due.wait()
        with sending:
            if not over:
                sent.append(seen)
                signal.pthread_kill(main, signal.SIGPROF)

    before, sender = signal.signal(signal.SIGPROF, ring), threading.Thread(target=send)
    sender.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(limits, "time", SimpleNamespace(monotonic=look))
            with pytest.raises(KeyboardInterrupt if handler else ZeroDivisionError):
                search(limit=limits.Limit(seconds=60))
    finally:
        over = True
        due.set()
        sender.join()
        signal.signal(signal.SIGPROF, before)
    assert looks <= sent[0] <= rang[0] == seen
