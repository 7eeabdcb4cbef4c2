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
    """A group with a command for each entry of a registry, built on demand.

    Parameters
    ----------
    find : callable
        Imports the registry; the list of all commands does not need the learners.
    build : callable
        Makes a command of a thing; see `command_for`.
    told : callable
        The help of that command.
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
    """A group with a command for each learner of a registry; without one, all are listed.

    Parameters
    ----------
    find, build, told : callable
        As in `named_group`.
    name : str
        Of the group.
    rows : str
        What a learner learns from, in usage lines.
    text : str
        The help of the group.
    listing : callable, optional
        Prints the list, if it has more than the learners; as JSON if its argument is true.
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
        Its parameters become options.
    body : callable
        ``body(entry, options, **others)``, where `options` has what was given of these.
    text : str
        What the command does, for its help.
    last : int
        The number of parameters of the body that come behind those of the thing.
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
    """A declared parameter as an option of the command line."""
    name, text = parameter.name, parameter.doc[0].upper() + parameter.doc[1:]
    if parameter.is_flag:
        kind: object = Annotated[bool, typer.Option(written(parameter), help=f"{text}.")]
        default: object = False
    else:
        allowed = "" if parameter.text else f" ({parameter.allowed})"
        kind = Annotated[str | None, typer.Option(metavar="VALUE", help=f"{text}{allowed}.")]
        default = None if parameter.default is None else str(parameter.default)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def written(parameter: Parameter) -> str:
    """The option of a parameter."""
    return f"--{parameter.name.replace('_', '-')}"
