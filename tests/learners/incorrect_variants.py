"""Broken twins: mechanisms that make a mistake, which the audits that ship have to see.

`TWINS` collects them from the folders, a line each: the audit, the mistake, and what runs in the
place of the right mechanism. A twin violates the claim of the default instance, unless the audit
declares that its default instance does not show this mistake
(`learners.audit.instances.UndetectedVariant`); then it violates the claim of the instance that is
declared beside it, if there is one. `tests/learners/test_audit_controls.py` holds them against the
audits, and the table in ``docs/privacy.md`` is written from them (`tests/learners/audit_table.py`).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.learners.breaking import Twin

__all__ = ["TWINS"]

FOLDERS = sorted(path.parent.name for path in Path(__file__).parent.glob("*/incorrect_variants.py"))

TWINS: tuple[Twin, ...] = tuple(
    twin
    for name in FOLDERS
    for twin in import_module(f"tests.learners.{name}.incorrect_variants").TWINS
)
