"""Groups of options: dataclasses whose fields are options of several commands.

A command declares a group as one parameter, for example ``files: ModelFiles``. The command line
lists the fields of the group as options. The command receives an object of the dataclass, made from
the given values. So the constructor checks the values before the command runs. A field is annotated
with Typer's ``Option`` or with `lsclasses.options.Option`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from types import NoneType
from typing import Annotated, Any, get_origin, get_type_hints

import typer

from lsclasses.errors import InvalidInput
from lsclasses.options import Declaration, Option, marks_of
from lsclasses.specifications import Parameter, parameter_of


class OptionGroup:
    """Base of dataclasses whose fields are options of a command."""


def expand_groups(
    body: Callable[..., None],
    groups: Mapping[str, type] | None = None,
    declared: Mapping[str, Collection[Parameter]] | None = None,
) -> Callable[..., None]:
    """Return a command whose parameters are the options of its groups.

    Parameters
    ----------
    body : callable
        Command. A parameter that is annotated with a subclass of `OptionGroup` is a group.
    groups : mapping from str to type, optional
        Classes of further groups by the names of the parameters. They need not be imported where
        the command is defined.
    declared : mapping from str to collection of Parameter, optional
        Lists of declared options, by the names of parameters of the command. Such a parameter
        receives a mapping from the given options to their values.

    Raises
    ------
    InvalidInput
        If two groups declare options of the same name.
    """
    known, lists = groups or {}, declared or {}
    scope = inspect.unwrap(getattr(body, "func", body)).__globals__
    parameters: list[inspect.Parameter] = []
    owners: dict[str, str] = {}
    classes: dict[str, type] = {}
    for each in inspect.signature(body).parameters.values():
        if each.name in lists:
            options = [option_of(parameter) for parameter in lists[each.name]]
        else:
            kind = known.get(each.name) or _evaluated(each.annotation, scope)
            if not (
                each.name in known or (isinstance(kind, type) and issubclass(kind, OptionGroup))
            ):
                parameters.append(each.replace(annotation=kind))
                continue
            classes[each.name] = kind
            options = _options_of(kind)
        owners |= {option.name: each.name for option in options}
        parameters += options
    if not classes and not lists:
        return body
    names = [each.name for each in parameters]
    defaults = {each.name: each.default for each in parameters}
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InvalidInput(
            f"Two parameters of the command are named {twice!r}. Choose another name."
        )

    @functools.wraps(body)
    def run(**given: Any) -> None:
        parts: dict[str, dict[str, Any]] = {name: {} for name in (*classes, *lists)}
        for name, owner in owners.items():
            value = given.pop(name)
            # The default of a field may have another type than the default in the help.
            omitted = owner in classes and value == defaults[name]
            if value is not None and not omitted and not (owner in lists and value is False):
                parts[owner][name] = value
        made = {name: classes[name](**values) for name, values in parts.items() if name in classes}
        body(**given, **made, **{name: parts[name] for name in lists})

    del run.__wrapped__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _evaluated(annotation: Any, scope: dict[str, Any]) -> Any:
    """Return an annotation that may be a string."""
    return eval(annotation, scope) if isinstance(annotation, str) else annotation


def _options_of(group: type) -> list[inspect.Parameter]:
    """Return the fields of a group as options, in order."""
    hints = get_type_hints(group, include_extras=True)
    found = []
    for each in fields(group):
        if each.init:
            default = inspect.Parameter.empty if each.default is MISSING else each.default
            found.append(_field_option(each.name, hints[each.name], default))
    return found


def _field_option(name: str, hint: Any, default: Any) -> inspect.Parameter:
    """Return a field of a group as an option."""
    types, marks = marks_of(hint)
    declared = next((mark for mark in marks if isinstance(mark, Option)), None)
    if declared is None:
        return inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint
        )
    others = [mark for mark in marks if mark is not declared]
    kinds = [each for each in types if each is not NoneType]
    kind = kinds[0] if len(kinds) == 1 else str
    origin = get_origin(kind)
    several = isinstance(origin, type) and issubclass(origin, Collection)
    declaration = Declaration(declared, kind, NoneType in types)
    option = option_of(parameter_of(name, declaration, default or None), several=several)
    annotation = option.annotation
    for mark in others:
        annotation = Annotated[annotation, mark]
    return option.replace(annotation=annotation)


def option_of(parameter: Parameter, *, several: bool = False) -> inspect.Parameter:
    """Return a declared parameter as an option of the command line.

    Parameters
    ----------
    parameter : Parameter
    several : bool
        Whether users may give the option several times.
    """
    name, text, flag = parameter.name, parameter.sentence, f"--{parameter.name.replace('_', '-')}"
    default: object = False
    if parameter.is_flag:
        kind: object = Annotated[bool, typer.Option(flag, help=text)]
    elif several:
        option = typer.Option(flag, metavar=parameter.metavar, help=text)
        kind, default = Annotated[list[str] | None, option], None
    else:
        help_text = " ".join(filter(None, (text, parameter.limits)))
        kind = Annotated[str | None, typer.Option(metavar=parameter.metavar, help=help_text)]
        default = None if parameter.default is None else str(parameter.default)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
