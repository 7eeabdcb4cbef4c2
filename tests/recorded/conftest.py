"""Collect each file of ``refused/`` as a test.

For example, ``pytest tests/recorded/refused/tables.txt`` runs one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.recorded.refusals import ACCEPTED, REFUSED, answers


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """Collect the text files of the folder ``refused/``."""
    if file_path.parent != REFUSED or file_path.suffix != ".txt":
        return None
    file: pytest.File = _Refused.from_parent(parent, path=file_path)
    return file


class _Refused(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield _Words.from_parent(self, name="in_these_words")


class _Words(pytest.Item):
    """The test that the recorded error messages are those of today.

    After an intended change, regenerate the messages with ``python -m tests.recorded``.
    """

    def runtest(self) -> None:
        with TemporaryDirectory() as folder:
            found = [each for each in answers(self.path.name, Path(folder)) if each[1]]
        assert [(e.code, said) for e, said in found] == [(e.code, e.sentence) for e, _ in found]
        assert found and not any(said.startswith(ACCEPTED) for _, said in found)

    def repr_failure(self, excinfo: Any) -> Any:
        excinfo.traceback = excinfo.traceback.cut(path=__file__)
        return super().repr_failure(excinfo)
