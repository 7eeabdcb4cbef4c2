"""Options: the type, the range, the default and the meaning of a value that a user chooses.

An option is declared once, in an annotation: ``Rounds = Annotated[int, Option("number of rounds",
minimum=1)]``. A field of a dataclass and the keyword of a function share such an alias.
`check_fields` and `check_arguments` check values that Python code passes.
`lsclasses.specifications` reads values from the command line and lists options in help texts.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import sys
from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache, cached_property, wraps
from importlib import import_module
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer, rational

Value = int | float | Fraction | str
"""Type of the value of an option. The only allowed float is infinity."""

Bound = int | Fraction | None

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Option:
    """The meaning and the range of a value that a user chooses, as part of its annotation.

    Attributes
    ----------
    doc : str
        Meaning, in a few words.
    default : int, Fraction or str, optional
        Default of all functions that share the annotation. A default in a signature has precedence.
    minimum, maximum : int or Fraction, optional
        Least and largest allowed number.
    choices : tuple of str
        Allowed words of an option that is not a number.
    infinite : bool
        Whether infinity is allowed.
    above, below : int or Fraction, optional
        Exclusive bounds: every allowed number is larger than `above` and smaller than `below`.
    noun : str
        Name of the value in messages. The default is `doc` up to its first full stop or comma.
    reason : str
        Clause after the range in messages, for example ``which a coin achieves``.
    metavar : str
        Type of the value in help texts, for example COLUMN. The default depends on the type.

    Examples
    --------
    >>> rounds = Option("number of rounds, such as 1000", minimum=1)
    >>> rounds.integer(7)
    7
    >>> rounds.integer(0)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The number of rounds must be at least 1. Got 0.
    >>> Option("failure probability", above=0, below=1).fraction(1)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The failure probability must lie strictly between 0 and 1. Got 1.
    """

    doc: str
    default: Value | None = None
    minimum: Bound = None
    maximum: Bound = None
    choices: tuple[str, ...] = ()
    infinite: bool = False
    above: Bound = None
    below: Bound = None
    noun: str = ""
    reason: str = ""
    metavar: str = ""

    @cached_property
    def name(self) -> str:
        """The name of the option's value in messages."""
        return self.noun or self.doc.partition(".")[0].partition(",")[0]

    def with_doc(self, doc: str, default: Value | None = None) -> Option:
        """Return a copy of the option with another meaning and default."""
        return replace(self, doc=doc, default=default, noun=self.name)

    def contains(self, number: int | Fraction) -> bool:
        """Return whether a number is in the range."""
        return not (
            (self.minimum is not None and number < self.minimum)
            or (self.maximum is not None and number > self.maximum)
            or (self.above is not None and number <= self.above)
            or (self.below is not None and number >= self.below)
        )

    @property
    def range(self) -> str:
        """The allowed range in words, for example ``at least 1``, or an empty string."""
        if self.above is not None and self.below is not None:
            return f"strictly between {self.above} and {self.below}"
        if self.minimum is not None and self.maximum is not None:
            return f"from {self.minimum} to {self.maximum}"
        bounds = {
            "at least": self.minimum,
            "greater than": self.above,
            "at most": self.maximum,
            "less than": self.below,
        }
        return " and ".join(f"{word} {b}" for word, b in bounds.items() if b is not None)

    @property
    def limits(self) -> str:
        """The allowed range as a sentence for a help text, for example ``At least 1.``.

        The string is empty for an option without a range.

        Examples
        --------
        >>> Option("delta", minimum=0, below=1).limits
        'At least 0 and less than 1.'
        """
        return f"{self.range.capitalize()}." if self.range else ""

    def refusal(self, number: int | Fraction, name: str = "") -> InvalidInput:
        """Return the error to raise for a number out of range."""
        where = "positive" if self.range == "greater than 0" else self.range
        why = f", {self.reason}" if self.reason else ""
        verb = "lie" if where.startswith(("strictly", "from")) else "be"
        return InvalidInput(f"The {name or self.name} must {verb} {where}{why}. Got {number}.")

    def integer(self, value: object, name: str = "") -> int:
        """Return a value as an integer if it is in the range.

        `name` is the name of the value in error messages.

        Raises
        ------
        InvalidInput
            If the value is not an integer or is out of range.
        """
        number = value if type(value) is int else integer(value, name or self.name)
        if not self.contains(number):
            raise self.refusal(number, name)
        return number

    def fraction(self, value: object, name: str = "") -> Fraction:
        """Return a value as a fraction if it is in the range. Floats raise an error.

        Raises
        ------
        InvalidInput
            If the value is a float, is not a rational number or is out of range.
        """
        number = value if type(value) is Fraction else rational(value, name or self.name)
        if not self.contains(number):
            raise self.refusal(number, name)
        return number

    def check(self, value: object, kind: type = int) -> Any:
        """Return a value converted exactly to the declared type: int, Fraction, bool or str.

        Raises
        ------
        InvalidInput
            If the value has another type or is not allowed.
        """
        if self.infinite and value == math.inf:
            return math.inf
        if kind is int:
            return self.integer(value)
        if kind is Fraction:
            return self.fraction(value)
        if self.choices and value not in self.choices:
            allowed = ", ".join(self.choices)
            raise InvalidInput(f"The {self.name} must be one of {allowed}. Got {value!r}.")
        if not isinstance(value, kind):
            expected = "True or False" if kind is bool else "a string"
            raise InvalidInput(f"The {self.name} must be {expected}. Got {value!r}.")
        return value


@dataclass(frozen=True)
class Options:
    """Annotation of a function argument that is built from the values of several options.

    Attributes
    ----------
    build : callable
        Function that makes the argument from its keyword-only parameters, each with an `Option`.
    """

    build: Callable[..., Any]


@dataclass(frozen=True)
class Declaration:
    """An option with its type, as an annotation declares it.

    Attributes
    ----------
    option : Option
    kind : type
        One of int, Fraction, bool and str.
    optional : bool
        Whether the value may be None.
    """

    option: Option
    kind: type
    optional: bool

    def check(self, value: object) -> Any:
        """Return a value converted exactly to the declared type.

        If the option is optional, the value None is returned unchanged.

        Raises
        ------
        InvalidInput
            If the value is not allowed.
        """
        return None if self.optional and value is None else self.option.check(value, self.kind)


def marks_of(annotation: Any) -> tuple[list[Any], list[Any]]:
    """Return the types in an annotation, and the objects that annotate them, inner objects first.

    Examples
    --------
    >>> marks_of(Annotated[Annotated[int, "number of rounds"] | None, "at most 5"])
    ([<class 'int'>, <class 'NoneType'>], ['number of rounds', 'at most 5'])
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *outer = get_args(annotation)
        types, marks = marks_of(inner)
        return types, marks + outer
    if origin in (Union, UnionType):
        parts = [marks_of(part) for part in get_args(annotation)]
        return [t for types, _ in parts for t in types], [m for _, marks in parts for m in marks]
    return [annotation], []


def declaration(annotation: Any) -> Declaration | None:
    """Return the option that an annotation declares, or None if it declares no option.

    A string in the annotation is a further sentence of the help, for example about a default. The
    type ``Fraction | int`` stands for Fraction, because an integer is a fraction.

    Examples
    --------
    >>> Copies = Annotated[int, Option("number of copies", minimum=1)]
    >>> found = declaration(Annotated[Copies | None, "By default, one copy per round"])
    >>> found.option.doc, found.option.minimum, found.kind, found.optional
    ('number of copies. By default, one copy per round', 1, <class 'int'>, True)
    """
    types, marks = marks_of(annotation)
    option = next((mark for mark in marks if isinstance(mark, Option)), None)
    if option is None:
        return None
    kinds = [each for each in types if each is not NoneType]
    if len(kinds) != 1 and set(kinds) != {int, Fraction}:
        raise InvalidInput(f"An option must have one type. Got {annotation}.")
    kind = Fraction if Fraction in kinds else kinds[0]
    if get_origin(kind) is Literal:
        option, kind = replace(option, choices=get_args(kind)), str
    if kind not in (int, Fraction, bool, str):
        raise InvalidInput(
            f"An option must be an int, a Fraction, a bool or a str. Got {annotation}."
        )
    notes = [mark for mark in marks if isinstance(mark, str)]
    if notes:
        option = replace(option, doc=". ".join([option.doc, *notes]), noun=option.name)
    return Declaration(option, kind, NoneType in types)


def check_fields(instance: Any) -> None:
    """Check and normalize the fields of a frozen dataclass that declare an `Option`.

    Call the function in ``__post_init__``.

    Raises
    ------
    InvalidInput
        If a value is not allowed.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Game:
    ...     rounds: Annotated[int, Option("number of rounds", minimum=1)]
    ...     share: Annotated[Fraction | None, Option("share", above=0, below=1)] = None
    ...
    ...     def __post_init__(self) -> None:
    ...         check_fields(self)
    >>> Game(3, "0.5")
    Game(rounds=3, share=Fraction(1, 2))
    >>> Game(0)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The number of rounds must be at least 1. Got 0.
    """
    for name, check in _field_checks(type(instance)):  # type: ignore[arg-type]
        given = getattr(instance, name)
        value = check(given)
        if value is not given:
            object.__setattr__(instance, name, value)


def declared_fields(kind: type) -> dict[str, Declaration]:
    """Return the declared options of the fields of a dataclass, by name.

    Raises
    ------
    TypeError
        If an annotation cannot be evaluated.
    """
    annotations: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        for name, annotation in inspect.get_annotations(each).items():
            annotations[name] = (annotation, each.__module__, vars(each))
    found = {
        each.name: declaration(_evaluated(*annotations[each.name]))
        for each in fields(kind)
        if each.init
    }
    return {name: each for name, each in found.items() if each is not None}


@cache
def _field_checks(kind: type) -> tuple[tuple[str, Callable[[object], Any]], ...]:
    return tuple((name, each.check) for name, each in declared_fields(kind).items())


def check_arguments(function: F) -> F:
    """Return a function that checks and normalizes its arguments before it runs.

    Only arguments whose annotations declare an `Option` are checked. Defaults are not checked.

    Examples
    --------
    >>> @check_arguments
    ... def half(rounds: Annotated[int, Option("number of rounds", minimum=1)]) -> Fraction:
    ...     return Fraction(rounds, 2)
    >>> half(3)
    Fraction(3, 2)
    >>> half(0)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The number of rounds must be at least 1. Got 0.
    """

    @cache
    def checks() -> tuple[tuple[int, str, Callable[[object], Any]], ...]:
        found = []
        for index, each in enumerate(inspect.signature(function).parameters.values()):
            annotation = _evaluated(each.annotation, function.__module__, {})
            if declared := declaration(annotation):
                place = sys.maxsize if each.kind is each.KEYWORD_ONLY else index
                found.append((place, each.name, declared.check))
        return tuple(found)

    @wraps(function)
    def checked(*given: Any, **named: Any) -> Any:
        values = list(given)
        for place, name, check in checks():
            if place < len(values):
                values[place] = check(values[place])
            elif name in named:
                named[name] = check(named[name])
        return function(*values, **named)

    return checked  # type: ignore[return-value]


def _evaluated(annotation: Any, module: str, local: Any) -> Any:
    """Return the type of an annotation, with names that are imported for type checkers only.

    Such names are imported here, because an alias such as ``Rounds`` could be among them.
    """
    if not isinstance(annotation, str):
        return annotation
    home = sys.modules[module]
    hidden: dict[str, Any] = {}
    while True:
        try:
            names = ChainMap(dict(local), hidden, vars(home), vars(builtins))
            return eval(annotation, {}, names)
        except NameError as error:
            imported = _typing_imports(home)
            if error.name not in imported:
                raise TypeError(f"Cannot evaluate the annotation {annotation!r}: {error}") from None
            hidden[error.name] = _imported(*imported[error.name])


def _imported(module: str, name: str) -> Any:
    try:
        found = import_module(module)
    except ImportError:
        return Any  # a type of an optional package
    return getattr(found, name) if name else found


@cache
def _typing_imports(home: ModuleType) -> dict[str, tuple[str, str]]:
    """Return the module and the name of each import under TYPE_CHECKING."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(ast.parse(inspect.getsource(home))):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for each in node.body:
                if isinstance(each, ast.ImportFrom) and each.module:
                    found |= {a.asname or a.name: (each.module, a.name) for a in each.names}
                elif isinstance(each, ast.Import):
                    found |= {a.asname or a.name: (a.name, "") for a in each.names}
    return found
