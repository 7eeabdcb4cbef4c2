"""The command line: ``lsclasses COMMAND ...``; every command has ``--help`` and ``--json``.

Results go to standard output, everything else (progress, notes, errors) to standard error. Errors
of the input are one sentence and exit status 2; an interruption prints what is known by then and
exits with 130. Importing a module of commands registers them.
"""

from lsclasses.cli import audit, catalog, dims, evidence, learn, online, run, verify
from lsclasses.cli.frame import app, main

__all__ = [
    "app",
    "audit",
    "catalog",
    "dims",
    "evidence",
    "learn",
    "main",
    "online",
    "run",
    "verify",
]
