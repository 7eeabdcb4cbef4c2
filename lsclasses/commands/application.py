"""The command line application. It finds commands, and it reports errors with an exit status."""

from __future__ import annotations

import gc
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import TextIOWrapper
from typing import Annotated, Any, Literal, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from lsclasses import __version__
from lsclasses.commands import completion
from lsclasses.commands.option_groups import expand_groups
from lsclasses.commands.output import UNREAD, UNWRITTEN, Output, OutputLost, discard, note
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.installation import foreign_package
from lsclasses.numbers import format_number, parse_number
from lsclasses.outputs import Reads, check_files
from lsclasses.registry import Registry, instance_of

CONTRADICTED = 1
"""Exit status if a computation contradicts a statement, a claim or a proof."""
INVALID = 2
"""Exit status after wrong input."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, by the convention of shells."""

MARKUP: Literal["markdown"] = "markdown"
"""Markup mode of help texts. Other modes keep the line breaks of docstrings."""

CLASSES, TEACHING, LEARNING, TABLES, CHECKING, READING = PANELS = (
    "Concept classes",
    "Teaching",
    "Online and PAC learners",
    "Private tables",
    "Verification",
    "Reference",
)
"""Headings in the list of all commands, one for each group of commands."""


T = TypeVar("T")


@dataclass(frozen=True)
class Command:
    """A command of the command line, listed in ``names.toml`` or by a plug-in.

    Parameters
    ----------
    body : callable or typer.Typer
        A function with arguments and options as Typer reads them, or a group of functions.
    panel : str
        Heading in the list of all commands, one of `PANELS`.
    """

    body: Callable[..., None] | typer.Typer
    panel: str


def command(panel: str) -> Callable[[Callable[..., None] | typer.Typer], Command]:
    """Return a decorator that makes a function a command, listed under a heading.

    The command checks its files before it runs, see `lsclasses.outputs.check_files`. Its groups of
    options become options, see `lsclasses.commands.option_groups`.
    """
    return lambda body: Command(body, panel)


COMMANDS = Registry(
    "commands",
    "command",
    instance_of(
        Command, "A command is made by the decorator lsclasses.commands.application.command."
    ),
    first=(
        *("dims", "tree", "convert", "report", "catalog", "atlas"),
        *("play", "exercises"),
        *("run", "pac", "compare", "rows", "sample", "stability", "frontier"),
        *("schema", "learn", "predict", "card", "histogram", "sanitize", "budget"),
        *("verify", "check", "audit", "refute", "database"),
        *("explain", "cite"),
    ),
)
"""Every command of the command line, by name."""


class _QuickParsing:
    """Parsing that passes values through if they already have the type of their option.

    Typer builds a Pydantic validator for every option, even for an option that is not given.
    Importing Pydantic takes about 100 modules and as long as importing NumPy.
    """

    def parse_args(self: Any, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line into the values of the context."""
        for parameter in self.get_params(ctx):
            _pass_values_through(parameter)
        return super().parse_args(ctx, args)  # type: ignore[no-any-return, misc]

    def make_parser(self: Any, ctx: Any) -> Any:
        """Return a parser that refuses a repeated option, which would replace the first value."""
        parser = super().make_parser(ctx)  # type: ignore[misc]
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Any:
            found = parse(args=args)
            _refuse_repeated(found[2])
            return found

        parser.parse_args = parse_once
        return parser


def _refuse_repeated(order: Sequence[Any]) -> None:
    """Refuse an option with one value that is given several times.

    Parameters
    ----------
    order : sequence of parameters
        The parameters as they occur on the command line.
    """
    for parameter in order:
        single = parameter.param_type_name == "option" and not parameter.multiple
        if single and not getattr(parameter, "is_flag", False) and order.count(parameter) > 1:
            raise InvalidInput(
                f"The option {parameter.opts[0]} takes one value. Got {order.count(parameter)} "
                "values. Give the option once."
            )


def _pass_values_through(parameter: Any) -> None:
    """Convert the values of a parameter only if they do not have its type."""
    convert = parameter.process_value
    annotation = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    several = parameter.multiple or parameter.nargs == -1

    def process(context: Any, value: Any) -> Any:
        # Typer converts a default, too. A bool is an int, so `isinstance` would be wrong.
        plain = annotation is str or parameter.get_default(context) == value
        if value is None and not (parameter.required or several):
            found = value
        elif parameter.multiple and not value and parameter.get_default(context) is None:
            found = None
        elif value and several and annotation == list[str]:
            found = list(value)
        elif plain and type(value) is annotation and annotation in (str, int, float, bool):
            found = value
        else:
            return convert(context, value)
        return parameter.callback(context, parameter, found) if parameter.callback else found

    # Another release of Typer may describe its types differently. Then it converts all values.
    if annotation is not None and convert.__name__ != "process":
        parameter.process_value = process


LISTS: dict[str, Callable[[], str]] = {}
"""Functions that return the lists of names in help texts, by placeholders such as ``{dimensions}``.

The lists contain names of plug-ins. Only `-h` should take the time to find the plug-ins.
"""


def help_text(parameter: Any) -> str:
    """Return the help of an option or an argument, with lists of names for its placeholders."""
    text: str = getattr(parameter, "help", None) or ""
    for placeholder, names in LISTS.items():
        if placeholder in text:
            text = text.replace(placeholder, names())
    return text


def _explain(parameters: Iterable[Any]) -> None:
    """Complete the help of parameters with lists of names, and remove needless types."""
    for parameter in parameters:
        if text := help_text(parameter):
            parameter.help = text
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        if parameter.param_type_name == "argument":
            # The name of an argument, such as FILE, is its type.
            parameter.display_type_rich = lambda ctx: None


class QuickCommand(_QuickParsing, TyperCommand):
    """A command that imports Pydantic only if its options need conversion."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the command, with lists of names for its placeholders."""
        _explain(self.get_params(ctx))
        super().format_help(ctx, formatter)


def single(body: Callable[..., None], name: str) -> Any:
    """Return a function as a command of the command line, with the given name."""
    app = typer.Typer(add_completion=False, rich_markup_mode=MARKUP)
    app.command(name, cls=QuickCommand)(body)
    return typer.main.get_command(app)


def _build(found: Command) -> Any:
    built: Any = (
        typer.main.get_command(found.body)
        if isinstance(found.body, typer.Typer)
        else single(check_files(expand_groups(found.body)), "")
    )
    return built


def _help(found: Command) -> str:
    body = found.body
    return str(body.info.help) if isinstance(body, typer.Typer) else inspect.getdoc(body) or ""


class Registered(MutableMapping[str, Any]):
    """Commands that are built from the entries of a registry, each at its first use.

    Parameters
    ----------
    registry : Registry
    build : callable
        Function that builds the command of an entry.
    describe : callable
        Function that returns the help of the command. Lists show the first paragraph of the help.
    """

    def __init__(
        self, registry: Registry[T], build: Callable[[T], Any], describe: Callable[[T], str]
    ) -> None:
        self._registry: Registry[Any] = registry
        self._build, self._describe = build, describe
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            if name not in self._registry:
                raise KeyError(name)
            built = self._build(self._registry[name])
            built.name = name
            self._built[name] = built
        return self._built[name]

    def __setitem__(self, name: str, built: Any) -> None:
        self._built[name] = built

    def __delitem__(self, name: str) -> None:
        del self._built[name]

    def __iter__(self) -> Iterator[str]:
        names = self._registry.names()
        return iter(sorted(names, key=lambda name: _place(self._registry[name])))

    def __len__(self) -> int:
        return len(self._registry.names())

    def listed(self) -> dict[str, Any]:
        """Return placeholder commands for listings, which have names and helps but cannot run."""
        things = {name: self._registry[name] for name in self}
        return {
            name: TyperCommand(
                name, help=self._describe(thing), rich_help_panel=getattr(thing, "panel", None)
            )
            for name, thing in things.items()
        }


def _place(found: Any) -> int:
    """Return the rank of a command's group in lists. Entries without a group have rank 0."""
    return PANELS.index(found.panel) if isinstance(found, Command) else 0


class _ExplainedGroup(TyperGroup):
    """A group whose help shows flags without a type."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _explain(self.get_params(ctx))
        super().format_help(ctx, formatter)


class RegisteredGroup(_QuickParsing, TyperGroup):
    """A group of commands built from a registry. A listing builds no command.

    Building the options of a command takes most of its start-up time.
    """

    commands: Any

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the list."""
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the group, with its list of commands."""
        _explain(self.get_params(ctx))
        built = self.commands
        self.commands = built.listed()
        try:
            super().format_help(ctx, formatter)
        finally:
            self.commands = built


COMPLETE = "_LSCLASSES_COMPLETE"
"""Name of the environment variable by which a shell requests completions."""

STARTING_POINTS = """\
Littlestone classes and private learners. Three starting points:

  Theory: dimensions of a class, with certificates
    lsclasses dims thresholds:n=7
    lsclasses dims FILE --certificate FOLDER
  Teaching: a tree, exercises with solutions, and a game
    lsclasses exercises thresholds:n=7 --sheet sheet.html --solutions solutions.html
    lsclasses play thresholds:n=7
  Private rules: a model from a table with one row per person
    lsclasses schema FILE --out schema.toml
    lsclasses learn best FILE --schema schema.toml

'lsclasses -h' lists all commands. 'lsclasses COMMAND -h' explains a command."""
"""Text that ``lsclasses`` prints without arguments."""


class _Application(RegisteredGroup):
    """The group of all commands. Only this group turns errors into a message and an exit status."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Registered(COMMANDS, _build, _help)

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
            if not (sys.argv[1:] if args is None else args) and COMPLETE not in os.environ:
                typer.echo(STARTING_POINTS)
                status: Any = INVALID
            else:
                status = super().main(
                    args, prog_name, complete_var, False, windows_expand_args, **extra
                )
        except LsclassesError as error:
            note(f"lsclasses: {error}")
            status = INVALID
        except OutputLost as lost:
            status = lost.report()
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
                end = "" if problem.endswith("?") else "."
                note(f"lsclasses: {problem}{end} '{command} --help' explains the command.")
            status = INVALID
        status = status if isinstance(status, int) else 0
        if standalone_mode:
            sys.exit(status)
        return status


Body = TypeVar("Body", bound=Callable[..., None])


class Commands(typer.Typer):
    """A group of commands that check their files before they run (`check_files`).

    The function `command` makes the group one command with subcommands.
    """

    def __init__(self, **options: Any) -> None:
        form: dict[str, Any] = {"rich_markup_mode": MARKUP, "add_completion": False}
        super().__init__(**{**form, "cls": _ExplainedGroup, **options})

    def command(self, *args: Any, **options: Any) -> Callable[[Body], Body]:
        """Register a function as a subcommand, and return the function unchanged."""
        register = super().command(*args, **{"cls": QuickCommand, **options})

        def registered(body: Body) -> Body:
            register(check_files(body))
            return body

        return registered


app = typer.Typer(
    name="lsclasses",
    cls=_Application,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    help="Exact dimensions of concept classes, with certificates that can be checked.",
)


Classes = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC|FILE...",
        help="Classes: specifications such as thresholds:n=16 (see 'lsclasses catalog'), or files "
        "with a table or a set system (formats: docs/files.md). The argument - reads standard "
        "input.",
        autocompletion=completion.CLASS,
    ),
    Reads(),
]
OneClass = Annotated[
    str,
    typer.Argument(
        metavar="SPEC|FILE",
        help="A class: a specification such as thresholds:n=16, or a file with a table or a set "
        "system. The argument - reads standard input.",
        autocompletion=completion.CLASS,
    ),
    Reads(),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print only JSON on standard output.")]
Force = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Replace existing output files. Without --force, the command replaces a file only "
        "if lsclasses wrote the file and the file has the type of the new output. The command "
        "never replaces a write-protected file or a budget file.",
    ),
]


LONGEST = Fraction(10**9)
"""Longest time limit that an option accepts, in seconds: about 30 years.

The shortest time limit is 1 second divided by this number.
"""


def read_seconds(text: str, option: str = "--seconds") -> float:
    """Return the number of seconds in the value of an option."""
    value = parse_number(text, f"option {option}")
    if not 1 / LONGEST <= value <= LONGEST:
        raise InvalidInput(f"{option} is a number from 10^-9 to 10^9. Got {format_number(value)}.")
    return float(value)


def main() -> None:
    """Run the command line on ``sys.argv``. This is the console script ``lsclasses``."""
    # Imports create 40,000 permanent objects. Repeated searches for cycles among these objects
    # would take a quarter of the time of a short command.
    gc.set_threshold(50_000)
    status: str | int | None = None
    try:
        # A terminal without Unicode shows escapes instead of ending in a traceback.
        if isinstance(sys.stderr, TextIOWrapper):
            sys.stderr.reconfigure(errors="backslashreplace")
        sys.stdout = Output.instead_of(sys.stdout)
        if problem := foreign_package():
            if "--version" in sys.argv[1:]:
                _say_version()
            note(f"lsclasses: {problem}")
            sys.exit(INVALID)
        app(prog_name="lsclasses")
    except OutputLost as lost:
        status = lost.report()
    except SystemExit as ended:
        status = ended.code
    if status in (UNREAD, UNWRITTEN):
        discard(1)
    gc.freeze()
    sys.exit(status)


def _say_version() -> None:
    from lsclasses.searching.engines import engine_text

    typer.echo(f"{__version__} (search: {engine_text()})")


def _print_version(wanted: bool) -> None:
    if wanted:
        _say_version()
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
