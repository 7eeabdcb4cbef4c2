"""Checks of the lower bounds on rows and mistakes, against exact optima and learners in tables."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from learners.claim_checks import ClaimCheck

__all__ = ["checks"]


def checks() -> list[ClaimCheck]:
    """Return the checks of every module of this package that has a function `checks`."""
    parts = (import_module(f"{__name__}.{part.name}") for part in iter_modules(__path__))
    return [check for part in parts if hasattr(part, "checks") for check in part.checks()]
