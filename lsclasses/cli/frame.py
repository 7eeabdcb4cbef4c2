"""What all commands share: the group they belong to, exit statuses, common arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from lsclasses import __version__
from lsclasses.cli.output import note
from lsclasses.errors import LsclassesError
from lsclasses.outputs import Reads, checked

__all__ = [
    "INTERRUPTED",
    "INVALID",
    "AsJson",
    "Classes",
    "Commands",
    "Force",
    "OneClass",
    "app",
    "main",
]

INVALID = 2
"""Exit status after wrong input."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


Command = TypeVar("Command", bound=Callable[..., None])


class _Group(TyperGroup):
    """The group of commands; it alone turns errors into a sentence and an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        try:
            status = super().main(
                args, prog_name, complete_var, False, windows_expand_args, **extra
            )
        except LsclassesError as error:
            note(f"lsclasses: {error}")
            status = INVALID
        except ZeroDivisionError:
            raise
        except (ArithmeticError, MemoryError) as error:
            reason = f" ({error})" if str(error) else ""
            note(f"lsclasses: A number is too large, or too small, to compute with{reason}.")
            status = INVALID
        except Exception as error:
            # Typer's own usage errors, whose base class moved between its releases.
            if not hasattr(error, "format_message"):
                raise
            context = getattr(error, "ctx", None)
            command = "lsclasses" if context is None else context.command_path
            problem = error.format_message().strip().rstrip(".")
            if problem:
                note(f"lsclasses: {problem}. '{command} --help' tells what is right.")
            status = INVALID
        status = status if isinstance(status, int) else 0
        if standalone_mode:
            sys.exit(status)
        return status


class Commands(typer.Typer):
    """Commands that check the files they are given before they run, as `checked` does."""

    def command(self, *args: Any, **options: Any) -> Callable[[Command], Command]:
        """Register a function as a command; it stays what it was."""
        register = super().command(*args, **options)

        def registered(command: Command) -> Command:
            register(checked(command))
            return command

        return registered


app = Commands(
    name="lsclasses",
    cls=_Group,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="Exact dimensions of concept classes, with certificates that can be checked.",
)

Classes = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC|FILE...",
        help="Classes: specifications such as thresholds:n=16 (see 'lsclasses catalog'), or "
        "tables in CSV, JSON, NPY or NPZ files.",
        show_default=False,
    ),
    Reads(),
]
OneClass = Annotated[
    str,
    typer.Argument(
        metavar="SPEC|FILE",
        help="A class: a specification such as thresholds:n=16, or a table in a file.",
        show_default=False,
    ),
    Reads(),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace files that this program did not write, too.")
]


def main() -> None:
    """Run the command line on ``sys.argv``; the console script ``lsclasses``."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A terminal without Unicode shows escapes instead of ending in a traceback.
            reconfigure(errors="backslashreplace")
    app(prog_name="lsclasses")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass
