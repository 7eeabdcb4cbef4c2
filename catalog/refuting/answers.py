"""Output of ``lsclasses refute`` about constructed classes and open constants."""

from __future__ import annotations

from typing import Any

from catalog.refuting.joint import Joint, JointTrial
from catalog.refuting.open_constants import (
    Constraint,
    LeastConstants,
    OpenStatement,
    least_constants,
)
from catalog.refuting.operations import JointRefutation, refute_joint
from catalog.refuting.surveying import table_rows
from lsclasses.commands.output import print_json, progress_line, say
from lsclasses.files.tables import label_rows
from lsclasses.numbers import plural
from lsclasses.table import Table


def answer_joint(text: str, seconds: float, seed: int, *, as_json: bool) -> None:
    """Print the result of a search for classes C and D that refute a statement about them."""
    with progress_line() as show:
        found = refute_joint(Joint(text), seconds=seconds, seed=seed, show=show)
    if as_json:
        print_json(_joint_json(found))
        return
    trial = found.counterexample
    if trial is None:
        decided = "no counterexample" if found.tried or found.others else "not decided on any class"
        say(f"{found.statement}: {decided}.")
    else:
        assert trial.sides is not None
        at = f" at {found.statement.point} = {trial.x}" if trial.x is not None else ""
        if found.statement.quantifier == "exists":
            at = f" at every {found.statement.point};{at}"
        say(f"{found.statement} is false{at}: {trial.sides.left} against {trial.sides.right}.")
        for name, made in _named(trial).items():
            counted = f"{plural(len(made), 'concept')} on {plural(len(made.points), 'point')}"
            say(f"{name}: {counted}", indent="  ")
            for row in table_rows(made):
                say(row, indent="      ")
    pairs = found.statement.pairs
    what = ("pair", "pairs") if pairs else ("class", "classes")
    order = "fewest points in total" if pairs else "fewest points"
    end = f", {order} and then fewest concepts first" if found.smallest else ""
    were = "was" if found.tried == 1 else "were"
    each = " each" * pairs
    say(
        f"{plural(found.tried, *what)} on at most {plural(found.points, 'point')}{each} {were} "
        f"tried{end}, and {plural(found.others, 'other')}.",
        indent="  ",
    )
    if open_ones := found.undecided + found.undecided_others:
        say(f"{plural(open_ones, *what)} could not be decided: not counted above.", indent="  ")


def _named(trial: JointTrial) -> dict[str, Table]:
    return {"C": trial.C} | ({} if trial.D is None else {"D": trial.D})


def _joint_json(found: JointRefutation) -> dict[str, Any]:
    trial = found.counterexample
    shown: dict[str, Any] | None = None
    if trial is not None:
        assert trial.sides is not None
        shown = {name: label_rows(made) for name, made in _named(trial).items()} | {
            "x": trial.x,
            "left": str(trial.sides.left),
            "right": str(trial.sides.right),
            "smallest": found.smallest,
        }
    return {
        "statement": found.statement.text,
        "answer": "no counterexample" if trial is None else "counterexample",
        "counterexample": shown,
        "all": {"points": found.points, "tried": found.tried, "undecided": found.undecided},
        "others": {"tried": found.others, "undecided": found.undecided_others},
    }


def answer_constants(text: str, seconds: float, *, as_json: bool) -> None:
    """Print the least constants for which an open statement is true on all visited classes."""
    asked = OpenStatement(text)
    with progress_line() as show:
        found = least_constants(asked, seconds=seconds, show=show)
    if as_json:
        print_json(_constants_json(found))
        return
    if found.impossible:
        say(f"{asked.statement}: no nonnegative {_names(asked)} suffices on all tried classes.")
        if len(found.impossible) == 1:
            say("No such constants satisfy the inequality of this class:", indent="  ")
        else:
            say("The inequalities of these classes contradict each other:", indent="  ")
        for each in found.impossible:
            _say_class(f"{_inequality(each, asked)} for", each)
    elif not found.met:
        say(f"{asked.statement}: not decided on any class.")
    else:
        say(f"{asked.statement}: on all tried classes, the least constants are")
        for corner in found.corners:
            named = zip(asked.constants, corner.values, strict=True)
            say(", ".join(f"{name} = {value}" for name, value in named), indent="  ")
            for each in corner.because:
                _say_class("needed for", each)
        if found.bounding is not None:
            say("Some larger constants violate the inequality of this class:", indent="  ")
            _say_class(f"{_inequality(found.bounding, asked)} for", found.bounding)
    more = "; other classes may need more" if found.corners and found.met else ""
    say(
        f"{found.classes} classes on at most {plural(found.points, 'point')} and "
        f"{plural(found.others, 'other')} were tried{more}.",
        indent="  ",
    )
    if found.undecided:
        undecided = plural(found.undecided, "class", "classes")
        say(f"{undecided} could not be decided: not counted above.", indent="  ")


def _names(asked: OpenStatement) -> str:
    return " and ".join(asked.constants)


def _say_class(what: str, each: Constraint) -> None:
    counted = f"{plural(len(each.table), 'concept')} on {plural(len(each.table.points), 'point')}"
    say(f"{what} {each.name}: {counted}", indent="    ")


def _inequality(each: Constraint, asked: OpenStatement) -> str:
    """Return the inequality that a class demands of the constants, such as ``2*c - d >= 1``."""
    left = ""
    for name, weight in zip(asked.constants, each.weights, strict=True):
        if weight:
            sign = ("-" if weight < 0 else "") if not left else " - " if weight < 0 else " + "
            left += sign + (name if abs(weight) == 1 else f"{abs(weight)}*{name}")
    return f"{left or 0} >= {each.least}"


def _constants_json(found: LeastConstants) -> dict[str, Any]:
    return {
        "statement": found.statement.statement.text,
        "constants": list(found.statement.constants),
        "corners": [
            {
                "values": [str(value) for value in corner.values],
                "because": [_class_json(each) for each in corner.because],
            }
            for corner in found.corners
        ],
        "impossible": [_class_json(each) for each in found.impossible],
        "bounding": None if found.bounding is None else _class_json(found.bounding),
        "all": {"points": found.points, "classes": found.classes},
        "others": found.others,
        "undecided": found.undecided,
        "met": found.met,
    }


def _class_json(each: Constraint) -> dict[str, Any]:
    return {"name": each.name, "labels": label_rows(each.table)}
