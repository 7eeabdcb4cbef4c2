"""No test and no doctest sees the atlas of five points that its user may have."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["LSCLASSES_ATLAS"] = str(Path(__file__).with_name("build") / "no-atlas.parquet")
