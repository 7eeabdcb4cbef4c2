"""Specifications such as ``thresholds:n=16``, a grammar for objects with names and parameters.

Families of concept classes, adversaries, learners and audits are all written
``name:key=value,key=value``. A named object describes itself as a `Specified`, with a title and
`Parameter`s. A parameter has a type, a default and a meaning. All code that reads, checks, lists or
explains a specification uses these descriptions. An `Entry` describes an object that a function
builds, with the parameters of the function's signature.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from lsclasses.errors import InvalidInput, nearest
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import parse_number
from lsclasses.options import Bound, Declaration, Option, Options, Value, declaration, marks_of
from lsclasses.registry import Registry

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

POWER = re.compile(r"([0-9]{1,4})(?:\^|\*\*)([0-9]{1,3})")
"""Pattern of a large number that a specification contains as a power, such as ``2^64``."""


@dataclass(frozen=True)
class Parameter:
    """A parameter in a specification such as ``thresholds:n=7``, with its meaning and its range.

    Parameters
    ----------
    name : str
        Name in a specification, as in ``object:name=value``.
    doc : str
        Meaning of the parameter, in a few words.
    default : int, Fraction or str, optional
        Value if the specification omits the parameter. A parameter without default is required.
    minimum, maximum : int or Fraction, optional
        Allowed range of a number.
    choices : tuple of str
        Allowed words of a parameter that is not a number.
    rational : bool
        Whether fractions such as ``1/2`` are allowed.
    infinite : bool
        Whether ``inf`` is allowed.
    optional : bool
        Whether the parameter may be omitted although it has no default.
    text : bool
        Whether the value is any string instead of a number.
    declared : Option, optional
        The `Option` in the annotation of a function, if the parameter comes from a function.
    """

    name: str
    doc: str
    default: Value | None = None
    minimum: Bound = None
    maximum: Bound = None
    choices: tuple[str, ...] = ()
    rational: bool = False
    infinite: bool = False
    optional: bool = False
    text: bool = False
    declared: Option | None = field(default=None, compare=False, repr=False)

    @classmethod
    def flag(cls, name: str, doc: str, default: int = 0) -> Parameter:
        """Return a parameter with the values 0 and 1.

        In a specification, the values may also be written ``false`` and ``true``.
        """
        return cls(name, doc, default=default, minimum=0, maximum=1)

    @property
    def option(self) -> Option:
        """The meaning and the range of the parameter, as an `Option`."""
        return self.declared or Option(self.doc, minimum=self.minimum, maximum=self.maximum)

    @property
    def is_flag(self) -> bool:
        """Whether the parameter has exactly the values 0 and 1."""
        return (self.minimum, self.maximum, self.rational) == (0, 1, False)

    @property
    def allowed(self) -> str:
        """A description of the allowed values, for example ``an integer >= 1``."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.text:
            return "a text"
        kind = "a rational number" if self.rational else "an integer"
        if self.minimum is not None and self.maximum is not None:
            return f"{kind} from {self.minimum} to {self.maximum}"
        option = self.option
        signs = {">=": option.minimum, ">": option.above, "<=": option.maximum, "<": option.below}
        bounds = [f"{sign} {bound}" for sign, bound in signs.items() if bound is not None]
        kind = f"{kind} {' and '.join(bounds)}".rstrip()
        return f"{kind}, or inf" if self.infinite else kind

    @property
    def sentence(self) -> str:
        """The meaning of the parameter as a sentence, with a capital letter and a full stop."""
        return f"{self.doc[0].upper()}{self.doc[1:]}."

    @property
    def metavar(self) -> str:
        """The word for the value in help texts, for example INTEGER, FRACTION, NAME or VALUE."""
        if self.declared is not None and self.declared.metavar:
            return self.declared.metavar
        if self.choices:
            return "NAME"
        if self.text:
            return "VALUE"
        return "FRACTION" if self.rational else "INTEGER"

    @property
    def limits(self) -> str:
        """A sentence with the allowed words or range, or an empty string without a restriction."""
        if self.choices:
            return f"One of {', '.join(self.choices)}."
        return self.option.limits

    def read(self, owner: str, value: Any) -> Value:
        """Return the value that a given object or string represents.

        A string may contain a power such as ``2^64``. A float represents the decimal number that
        Python prints for it, so 0.1 is 1/10. Error messages contain the name `owner` of the object
        with the parameter.

        Raises
        ------
        InvalidInput
            If the value is not allowed.
        """
        problem = InvalidInput(
            f"The parameter {self.name!r} of {owner!r} must be {self.allowed}. Got {value!r}."
        )
        if self.choices:
            if value not in self.choices:
                raise problem
            return str(value)
        if self.text:
            return str(value)
        if isinstance(value, str):
            value = {"true": 1, "false": 0}.get(value.lower(), value)
        if self.infinite and value in ("inf", math.inf):
            return math.inf
        power = POWER.fullmatch(value) if isinstance(value, str) else None
        try:
            value = int(power[1]) ** int(power[2]) if power else value
            # A float is the decimal that it is written as: 1e-6 is 1/1000000.
            value = repr(value) if isinstance(value, float) else value
            number = parse_number(value, self.name) if isinstance(value, str) else Fraction(value)
        except (InvalidInput, TypeError, ValueError, OverflowError, ZeroDivisionError):
            raise problem from None
        if not self.rational and number.denominator != 1:
            raise problem
        if not self.option.contains(number):
            # An option with an open range states the range, and the reason for it, in words.
            closed = self.option.above is None and self.option.below is None
            raise problem if closed else self.option.refusal(number)
        return number if self.rational else int(number)


class Specified:
    """Base of named objects whose parameters get their values from a specification.

    Attributes
    ----------
    name : str
        Name in specifications.
    title : str
    parameters : tuple of Parameter
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]

    def _check(self, *args: Any, **values: Any) -> None:
        """Raise `InvalidInput` if values are incompatible, although each is allowed.

        A subclass overrides the hook. It receives the values by name, after `Parameter.read`.
        """

    def values(self, /, **given: Any) -> dict[str, Value]:
        """Return the value of each parameter by name: the given value, or else the default.

        The method checks the values. It omits optional parameters that have neither a given value
        nor a default.

        Raises
        ------
        InvalidInput
            If a parameter is unknown, missing, or has a value that is not allowed.
        """
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                hint = nearest(name, known) if known else "It has none."
                raise InvalidInput(f"{self.name!r} has no parameter {name!r}. {hint}")
        values: dict[str, Value] = {}
        for parameter in self.parameters:
            value = given.get(parameter.name, parameter.default)
            if value is None and parameter.optional:
                continue
            if value is None:
                raise InvalidInput(
                    f"{self.name!r} needs the parameter {parameter.name!r} "
                    f"({parameter.doc}), {parameter.allowed}: {self.usage()}."
                )
            values[parameter.name] = parameter.read(self.name, value)
        self._check(**values)
        return values

    def values_in(self, text: str) -> dict[str, str]:
        """Return the values in a string ``name=value,name=value`` by name, as unchecked strings.

        Raises
        ------
        InvalidInput
            If the string does not have this form or gives a parameter twice.
        """
        given: dict[str, str] = {}
        for part in text.split(",") if text.strip() else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not (key and equals and value):
                raise InvalidInput(
                    f"A parameter has the form name=value. Got {part!r} in {text!r}. The form is "
                    f"{self.usage()}."
                )
            if key in given:
                raise InvalidInput(f"The parameter {key!r} is given twice in {text!r}.")
            given[key] = value
        return given

    def usage(self) -> str:
        """Return the general form ``name:p=<p>,q=1`` of specifications of this object.

        The form contains the default of each parameter that has a default.
        """
        shown = ",".join(
            f"{p.name}={'<' + p.name + '>' if p.default is None else p.default}"
            for p in self.parameters
            if p.default is not None or not p.optional
        )
        return f"{self.name}:{shown}" if shown else self.name

    def spec(self, **given: Any) -> str:
        """Return the specification ``name:p=...,q=...`` with the values of all parameters.

        The values are the given values, or else the defaults.
        """
        values = self.values(**given)
        if not values:
            return self.name
        return f"{self.name}:" + ",".join(f"{name}={value}" for name, value in values.items())


def _parts(given: inspect.Parameter) -> Options | None:
    _, marks = marks_of(given.annotation)
    return next((mark for mark in marks if isinstance(mark, Options)), None)


def _named(build: Callable[..., Any]) -> list[inspect.Parameter]:
    signature = inspect.signature(build, eval_str=True)
    return [each for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY]


def parameters_of(build: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the keyword-only parameters of a function, in the order of its signature.

    A parameter of the type bool is a flag. A ``Fraction`` is a rational number, and a ``Literal``
    is one of its words. A str is one of the choices, or any string without choices. A parameter
    that may be None is optional. An argument that `Options` make is replaced by these options.

    Parameters
    ----------
    build : callable
        Function whose keyword-only parameters are annotated with an `Option` or with `Options`.

    Raises
    ------
    InvalidInput
        If an annotation is missing.

    Examples
    --------
    >>> from typing import Annotated
    >>> def build(source, *, rows: Annotated[int | None, Option("of the table", minimum=1)] = None,
    ...           exact: Annotated[bool, Option("count each row")] = False):
    ...     return source
    >>> [(each.name, each.allowed, each.optional) for each in parameters_of(build)]
    [('rows', 'an integer >= 1', True), ('exact', 'an integer from 0 to 1', False)]
    """
    parameters: list[Parameter] = []
    for each in _named(build):
        parts = _parts(each)
        parameters += parameters_of(parts.build) if parts else [_parameter(each)]
    return tuple(parameters)


def _parameter(given: inspect.Parameter) -> Parameter:
    declared = declaration(given.annotation)
    if declared is None:
        raise InvalidInput(
            f"The meaning of the parameter {given.name!r} must be in its annotation, for example "
            f"Annotated[int, Option('how many rows there are')]. Got {given.annotation!r}."
        )
    default = None if given.default is given.empty else given.default
    return parameter_of(given.name, declared, default)


def parameter_of(name: str, declared: Declaration, default: Any = None) -> Parameter:
    """Return the parameter that an annotation declares.

    Parameters
    ----------
    name : str
        Name of the parameter.
    declared : Declaration
    default : object
        Default of the function or of the field. If it is None, the default of `declared.option`
        applies.
    """
    option, kind = declared.option, declared.kind
    default = option.default if default is None else default
    if kind is bool:
        return Parameter.flag(name, option.doc, int(default or 0))
    return Parameter(
        name,
        option.doc,
        default,
        option.minimum,
        option.maximum,
        option.choices,
        rational=kind is Fraction,
        infinite=option.infinite,
        optional=declared.optional,
        text=kind not in (int, Fraction) and not option.choices,
        declared=option,
    )


@dataclass(frozen=True)
class Entry(Specified):
    """A named object that a function builds. The signature of the function declares the options.

    Attributes
    ----------
    name, title : str
    build : callable
        Function whose keyword-only parameters can be chosen (`parameters_of`).
    parameters : tuple of Parameter
        Parameters of `build`.
    """

    name: str
    title: str
    build: Callable[..., Any]
    parameters: tuple[Parameter, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        set_frozen_fields(self, parameters=parameters_of(self.build))

    def built(self, *fixed: Any, **given: Any) -> Any:
        """Return the object that `build` returns for the checked values.

        Flags are passed as True or False. An omitted optional parameter has the default of the
        function.

        Raises
        ------
        InvalidInput
            If a parameter is unknown, missing, or has a value that is not allowed.
        """
        flags = {each.name for each in self.parameters if each.is_flag}
        values = self.values(**given)
        read: dict[str, Any] = {k: bool(v) if k in flags else v for k, v in values.items()}
        for each in _named(self.build):
            if parts := _parts(each):
                names = [part.name for part in parameters_of(parts.build)]
                read[each.name] = parts.build(**{k: read.pop(k) for k in names if k in read})
        return self.build(*fixed, **read)


def split(specification: str) -> tuple[str, str]:
    """Return the two parts of a specification: the name, and the string of the parameters.

    Examples
    --------
    >>> split("thresholds:n=16")
    ('thresholds', 'n=16')
    """
    name, _, rest = specification.partition(":")
    return name.strip(), rest


class SpecifiedFamily(Protocol):
    """Protocol of the methods of a family that commands use, for example of `catalog.Family`."""

    def values_in(self, text: str) -> dict[str, str]:
        """Return the parameters in the string ``name=value,name=value``."""
        ...

    def concept_class(self, **given: Any) -> ConceptClass:
        """Return the concept class with the given parameters."""
        ...

    def stated(self, **given: Any) -> Sequence[Any]:
        """Return the catalog's statements about the class, as `catalog.family.FactInstance`."""
        ...


def instantiate(kind: object) -> SpecifiedFamily:
    """Return the family that a Python class defines.

    Raises
    ------
    InvalidInput
        If the class is not a complete subclass of `catalog.Family`.
    """
    if not (isinstance(kind, type) and hasattr(kind, "instantiate")):
        raise InvalidInput(f"A family must be a subclass of catalog.Family. Got {kind!r}.")
    found: SpecifiedFamily = kind.instantiate()
    return found


FAMILIES = Registry("families", "family", instantiate)
"""Every family by name, with the families of plug-ins."""
