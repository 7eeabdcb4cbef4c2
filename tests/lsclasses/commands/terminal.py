"""Python in a process of its own, at a terminal that the test types at."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any


class Terminal:
    """A process that was started with these words, at a terminal of so many columns.

    Its streams are the terminal unless given.
    """

    def __init__(self, *words: object, columns: int = 70, **streams: Any) -> None:
        self._ours, theirs = pty.openpty()
        # The parent of the tests may ignore the signal, and children inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [sys.executable, *map(str, words)],
            **{"stdin": theirs, "stdout": theirs, "stderr": theirs, **streams},
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns)},
        )
        signal.signal(signal.SIGINT, before)
        os.close(theirs)
        self.shown = ""
        self._told = 0

    def until(self, text: str) -> str:
        """Read until this is shown; what is new since the last call, up to there."""
        start = self._told
        while text not in self.shown[start:]:
            assert self._read(), self.shown
        self._told = self.shown.index(text, start) + len(text)
        return self.shown[start : self._told]

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def interrupt(self) -> None:
        """Send what Ctrl-C sends, again if it came just before the process began to wait."""
        while True:
            self.process.send_signal(signal.SIGINT)
            if select.select([self._ours], [], [], 1)[0]:
                return

    def end(self) -> tuple[int, str]:
        """The exit status and what was shown at the end."""
        while self._read():
            pass
        os.close(self._ours)
        assert "Traceback" not in self.shown
        return self.process.wait(60), self.shown[self._told :]

    def _read(self) -> bool:
        """Whether something came within a minute."""
        if not select.select([self._ours], [], [], 60)[0]:
            return False
        more = b""
        with suppress(OSError):  # so says Linux when nobody writes to a terminal any more
            more = os.read(self._ours, 4096)
        self.shown += more.decode(errors="replace").replace("\r\n", "\n")
        return bool(more)
