"""The range of each option of a registered learner is the range that its class enforces."""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass
from fractions import Fraction
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

import catalog
import learners
from learners.budget import Budget
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS
from learners.tables.task import TaskOptions
from lsclasses import InvalidInput
from lsclasses.options import _evaluated, declared_fields
from lsclasses.specifications import Parameter

WITH = {"coverage": {"sequences": 1 << 10}, "beta": {"theorem": True}}
"""Options without which a learner refuses another option."""

BUDGET = ("epsilon", "delta", "allow_weak_privacy")
"""Options of which the builder makes a `Budget`."""


REGISTRIES = {"online": ONLINE_LEARNERS, "sample": BATCH_LEARNERS}


def numbers() -> list[tuple[str, str, str]]:
    """Return the registered learners, each with the names of its options that are numbers."""
    return [
        (setting, name, each.name)
        for setting, registry in REGISTRIES.items()
        for name in sorted(registry)
        for each in registry[name].parameters
        if not (each.text or each.choices or each.is_flag)
    ]


def outside(parameter: Parameter) -> list[Any]:
    """Return values just outside the range, or a negative value if there is no lower bound."""
    option = parameter.option
    step = Fraction(1, 10**9) if parameter.rational else 1
    found = [
        *([] if option.minimum is None else [option.minimum - step]),
        *([] if option.maximum is None else [option.maximum + step]),
        *([] if option.above is None else [option.above]),
        *([] if option.below is None else [option.below]),
    ]
    return [Fraction(each) if parameter.rational else int(each) for each in found]


def built(setting: str, name: str, option: str, value: Any) -> Any:
    """Call the builder of a learner without the checks of its entry."""
    entry = REGISTRIES[setting][name]
    known = {each.name: each for each in entry.parameters}
    given = {
        each.name: each.default
        for each in entry.parameters
        if each.default is not None and not each.is_flag
    }
    given |= {key: set_to for key, set_to in WITH.get(option, {}).items() if key in known}
    given |= {option: value}
    if "epsilon" in known:
        spent = {key: given.pop(key) for key in BUDGET if key in given}
        given["budget"] = Budget(**spent, allow_weak_privacy=True)
    for each in inspect.signature(entry.build).parameters.values():
        if each.kind is each.KEYWORD_ONLY and each.default is each.empty:
            given.setdefault(each.name, False)
    C = catalog.build("points:n=3" if name == "voting" else "thresholds:n=3")
    return entry.build(C, 60 if setting == "online" else None, **given)


@pytest.mark.parametrize("setting, name, option", numbers())
def test_values_outside_the_range_are_refused(setting: str, name: str, option: str) -> None:
    entry = REGISTRIES[setting][name]
    parameter = next(each for each in entry.parameters if each.name == option)
    found = outside(parameter)
    assert found, f"{name} does not declare the range of {option}"
    for value in found:
        with pytest.raises(InvalidInput):
            parameter.read(name, value)
        with pytest.raises(InvalidInput):
            built(setting, name, option, value)


def modules() -> list[ModuleType]:
    """Return the modules of learners, except commands, whose options are strings to be read."""
    names = (each.name for each in walk_packages(learners.__path__, "learners."))
    return [import_module(each) for each in names if not each.startswith("learners.commands")]


def classes() -> list[type]:
    return [
        kind
        for module in modules()
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]


def test_every_class_checks_the_options_that_it_declares() -> None:
    """A constructor that does not call `check_fields` would skip the declared ranges."""
    # The options of a task are strings and files, except a share that it checks by itself.
    declaring = [
        each
        for each in classes()
        if is_dataclass(each) and not issubclass(TaskOptions, each) and declared_fields(each)
    ]
    assert len(declaring) > 40
    for kind in declaring:
        sources = [
            inspect.getsource(each.__dict__["__post_init__"])
            for each in kind.__mro__
            if "__post_init__" in each.__dict__
        ]
        assert any("check_fields(self)" in each for each in sources), kind


def declares(function: Any) -> bool:
    """Return whether a public function has an option among its arguments."""
    return any(
        "Option(doc=" in repr(_evaluated(each.annotation, function.__module__, {}))
        for each in inspect.signature(function).parameters.values()
        if each.annotation is not each.empty
    )


def test_every_public_function_checks_the_options_that_it_declares() -> None:
    public = [
        getattr(value, "__func__", value)
        for space in [*modules(), *classes()]
        for name, value in vars(space).items()
        if not name.startswith("_")
    ]
    functions = [
        each
        for each in public
        if inspect.isfunction(each) and each.__module__.startswith("learners.")
    ]
    declaring = [each for each in functions if declares(each)]
    assert len(declaring) > 60
    trusting = [each for each in declaring if not hasattr(each, "__wrapped__")]
    assert not trusting
