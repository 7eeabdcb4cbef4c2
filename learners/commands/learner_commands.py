"""A command for each learner of a registry, with the options that the learner declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

import typer
from typer.core import TyperCommand

from lsclasses.commands.application import AsJson, Registered, RegisteredGroup, single
from lsclasses.commands.option_groups import expand_groups
from lsclasses.commands.output import print_json, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput
from lsclasses.outputs import check_files
from lsclasses.registry import Registry
from lsclasses.specifications import Parameter, Specified

S = TypeVar("S")
L = TypeVar("L", bound=Specified)

LEARNER_GROUPS = ("run", "pac", "learn")
"""Commands with a command for each learner."""


class OtherCommand(NamedTuple):
    """A command of a group that is not a learner.

    Attributes
    ----------
    build : callable
        Builder of the command.
    text : str
        Help of the command.
    """

    build: Callable[[], TyperCommand]
    text: str


class _WithOthers(Registered):
    """The commands of learners, and further commands."""

    def __init__(
        self,
        registry: Registry[Any],
        build: Callable[[Any], TyperCommand],
        describe: Callable[[Any], str],
        others: Mapping[str, OtherCommand],
    ) -> None:
        super().__init__(registry, build, describe)
        self._others = others

    def __getitem__(self, name: str) -> Any:
        return self._others[name].build() if name in self._others else super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        yield from self._others

    def __len__(self) -> int:
        return super().__len__() + len(self._others)

    def listed(self) -> dict[str, Any]:
        """Return commands with the names and helps for listings. These commands cannot run."""
        learners = Registered.__iter__(self)
        found = {name: self._describe(self._registry[name]) for name in learners}
        found |= {name: other.text for name, other in self._others.items()}
        return {name: TyperCommand(name, help=text) for name, text in found.items()}


def named_group(
    find: Callable[[], Registry[S]],
    build: Callable[[S], TyperCommand],
    describe: Callable[[S], str],
    others: Mapping[str, OtherCommand] | None = None,
) -> type[RegisteredGroup]:
    """Return a group with a command for each entry of a registry, built on demand.

    Parameters
    ----------
    find : callable
        Function that imports the registry. It is called late, because the list of all commands does
        not need the learners.
    build : callable
        Builder of the command of an entry, see `command_for`.
    describe : callable
        Help of the command of an entry.
    others : mapping from str to OtherCommand, optional
        Further commands of the group, listed after the entries.
    """
    further = others or {}

    class Named(RegisteredGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            del self.commands

        @cached_property
        def commands(self) -> Registered:  # type: ignore[override]
            return _WithOthers(find(), build, describe, further)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            known = find()
            if not args[0].startswith("-") and args[0] not in known and args[0] not in further:
                group = _other_group(ctx, args[0])
                other = f"Did you mean 'lsclasses {group} {args[0]}'?"
                answer = other if group else known.nearest(args[0])
                raise InvalidInput(f"There is no {known.noun} {args[0]!r}. {answer}")
            return super().resolve_command(ctx, args)

    return Named


def _other_group(ctx: Any, name: str) -> str | None:
    """Return the name of another group of learners with a command of this name, or None."""
    for group in LEARNER_GROUPS:
        if group != ctx.info_name and ctx.parent is not None:
            other = ctx.parent.command.get_command(ctx.parent, group)
            if name in getattr(other, "commands", ()):
                return group
    return None


def learner_group(
    find: Callable[[], Registry[L]],
    build: Callable[[L], TyperCommand],
    describe: Callable[[L], str],
    *,
    name: str,
    rows: str,
    text: str,
    listing: Callable[[bool], None] | None = None,
    others: Mapping[str, OtherCommand] | None = None,
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
        Function that prints the list, if the list contains more than learners. A true argument
        requests JSON.
    others : mapping from str to OtherCommand, optional
        Further commands of the group.
    """
    group = typer.Typer(
        cls=named_group(find, build, describe, others),
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
            say(f"\n'lsclasses {name} LEARNER --help' explains the options of a learner.")

    return group


def command_for(
    entry: Specified, body: Callable[..., None], text: str, **groups: type
) -> TyperCommand:
    """Build the command of one entry.

    Parameters
    ----------
    entry : Specified
        Entry whose parameters become options.
    body : callable
        Function ``body(entry, **others)``. Its parameter ``options`` receives the given options of
        the entry, and it determines their place in the help.
    text : str
        Description of the command, for its help.
    groups : type
        Groups of options by the names of parameters, see `expand_groups`.
    """
    try:
        run = expand_groups(partial(body, entry), groups, {"options": entry.parameters})
    except InvalidInput as problem:
        raise InvalidInput(f"The learner {entry.name!r} cannot be a command. {problem}") from None
    run.__doc__ = text
    built: TyperCommand = single(check_files(run), entry.name)
    return built


def entries_json(entries: Iterable[Specified]) -> list[dict[str, object]]:
    """Return the listing of entries with their options as JSON values."""
    return [
        {
            "name": each.name,
            "title": each.title,
            "options": [parameter.name for parameter in each.parameters],
        }
        for each in entries
    ]


def entries_grid(noun: str, entries: Iterable[Specified]) -> Grid:
    """Return the table of entries with their options, for a terminal."""
    grid = Grid(noun, "what it does", "options")
    for each in entries:
        grid.add_row(each.name, each.title, " ".join(map(written, each.parameters)))
    return grid


def written(parameter: Parameter) -> str:
    """Return the name of the command-line option of a parameter."""
    return f"--{parameter.name.replace('_', '-')}"
