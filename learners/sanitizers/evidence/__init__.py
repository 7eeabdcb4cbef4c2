"""Sanitizers: audits, what is found and returned by mistake, rounds, and errata."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from learners.claim_checks import ClaimCheck

__all__ = ["checks"]


def checks() -> list[ClaimCheck]:
    """Those of every module here that has some; a module that is added is found."""
    parts = (import_module(f"{__name__}.{part.name}") for part in iter_modules(__path__))
    return [check for part in parts if hasattr(part, "checks") for check in part.checks()]
