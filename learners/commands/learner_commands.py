"""A command for each learner of a registry, with the options that the learner declares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from lsclasses.commands.application import AsJson, Registered, RegisteredGroup, single
from lsclasses.commands.output import print_json, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput
from lsclasses.outputs import check_files
from lsclasses.registry import Registry
from lsclasses.specifications import Parameter, Specified

S = TypeVar("S")
L = TypeVar("L", bound=Specified)


def named_group(
    find: Callable[[], Registry[S]],
    build: Callable[[S], TyperCommand],
    describe: Callable[[S], str],
) -> type[RegisteredGroup]:
    """Return a group with a command for each entry of a registry, built on demand.

    Parameters
    ----------
    find : callable
        Function that imports the registry. The list of all commands does not need the learners.
    build : callable
        Builder of the command of an entry, see `command_for`.
    describe : callable
        Help of the command of an entry.
    """

    class Named(RegisteredGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            del self.commands

        @cached_property
        def commands(self) -> Registered:  # type: ignore[override]
            return Registered(find(), build, describe)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            known = find()
            if not args[0].startswith("-") and args[0] not in known:
                raise InvalidInput(
                    f"There is no {known.noun} {args[0]!r}. {known.nearest(args[0])}"
                )
            return super().resolve_command(ctx, args)

    return Named


def learner_group(
    find: Callable[[], Registry[L]],
    build: Callable[[L], TyperCommand],
    describe: Callable[[L], str],
    *,
    name: str,
    rows: str,
    text: str,
    listing: Callable[[bool], None] | None = None,
) -> typer.Typer:
    """Return a group with a command for each learner. Without a learner, it lists all learners.

    Parameters
    ----------
    find, build, describe : callable
        Arguments of `named_group`.
    name : str
        Name of the group.
    rows : str
        Input of a learner, in usage lines.
    text : str
        Help of the group.
    listing : callable, optional
        Printer of the list if it contains more than learners. A true argument requests JSON.
    """
    group = typer.Typer(
        cls=named_group(find, build, describe),
        invoke_without_command=True,
        add_completion=False,
        subcommand_metavar=f"LEARNER {rows} [OPTIONS]",
        help=text,
    )

    @group.callback()
    def _list(context: typer.Context, as_json: AsJson = False) -> None:
        if context.invoked_subcommand is not None:
            return
        if listing is not None:
            listing(as_json)
        elif as_json:
            print_json(entries_json(find().values()))
        else:
            terminal().print(entries_grid("learner", find().values()))
            say(f"\n'lsclasses {name} LEARNER --help' explains the options of one.")

    return group


def command_for(entry: Specified, body: Callable[..., None], text: str, last: int) -> TyperCommand:
    """Build the command of one entry.

    Parameters
    ----------
    entry : Specified
        Entry whose parameters become options.
    body : callable
        Function ``body(entry, options, **others)`` with the given options of the entry.
    text : str
        Description of the command, for its help.
    last : int
        Number of parameters of the body that follow the parameters of the entry.
    """
    shared = list(inspect.signature(body, eval_str=True).parameters.values())[2:]
    declared = [_option(parameter) for parameter in entry.parameters]
    taken = {each.name for each in shared}
    twice = [each.name for each in declared if each.name in taken]
    if twice:
        raise InvalidInput(
            f"{entry.name!r} declares the parameter {twice[0]!r}, which the command has already. "
            "Choose another name."
        )
    parameters = [*shared[:-last], *declared, *shared[-last:]]

    def run(**given: object) -> None:
        options: Mapping[str, object] = {each.name: given.pop(each.name) for each in declared}
        body(entry, {k: v for k, v in options.items() if v not in (None, False)}, **given)

    run.__doc__ = text
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    built: TyperCommand = single(check_files(run), entry.name)
    return built


def entries_json(entries: Iterable[Specified]) -> list[dict[str, object]]:
    """The JSON listing of entries with their options."""
    return [
        {
            "name": each.name,
            "title": each.title,
            "options": [parameter.name for parameter in each.parameters],
        }
        for each in entries
    ]


def entries_grid(noun: str, entries: Iterable[Specified]) -> Grid:
    """The table of entries with their options."""
    grid = Grid(noun, "what it does", "options")
    for each in entries:
        grid.add_row(each.name, each.title, " ".join(map(written, each.parameters)))
    return grid


def _option(parameter: Parameter) -> inspect.Parameter:
    """Return a declared parameter as an option of the command line."""
    name, text = parameter.name, parameter.sentence
    if parameter.is_flag:
        kind: object = Annotated[bool, typer.Option(written(parameter), help=text)]
        default: object = False
    else:
        help_text = " ".join(filter(None, (text, parameter.limits)))
        kind = Annotated[str | None, typer.Option(metavar=parameter.metavar, help=help_text)]
        default = None if parameter.default is None else str(parameter.default)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def written(parameter: Parameter) -> str:
    """Return the option of a parameter."""
    return f"--{parameter.name.replace('_', '-')}"
