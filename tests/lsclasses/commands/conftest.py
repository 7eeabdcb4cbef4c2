"""What tests of commands have in common."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def csv_file(tmp_path: Path) -> Path:
    path = tmp_path / "class.csv"
    path.write_text("concept,a,b,c\nnone,0,0,0\nfirst,1,0,0\ntwo,1,1,0\nall,1,1,1\nagain,1,1,1\n")
    return path
