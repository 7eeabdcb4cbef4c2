"""``lsclasses audit``, which lives with the learners; they are imported when it runs."""

from __future__ import annotations

from learners.cli import audit
from lsclasses.cli.frame import app

__all__ = ["audit"]

app.command()(audit)
