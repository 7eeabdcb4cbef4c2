"""``lsclasses lower-bound``: numbers of the library, in words and as JSON, and refusals."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from learners.lower_bounds.point_bounds import mistakes_at_least
from learners.lower_bounds.threshold_theorem import threshold_bound
from tests.lsclasses.commands.test_cli import run


@pytest.mark.parametrize("points", [None, 4, 1000])
def test_mistakes_are_rounded_down(points: int | None) -> None:
    given = [] if points is None else ["--points", str(points)]
    options = ["--rounds", "20", *given, "--epsilon", "1/2", "--delta", "1/1000"]
    found = json.loads(run("lower-bound", *options, "--json").stdout)
    bound = mistakes_at_least(points or 21, 20, Fraction(1, 2), Fraction(1, 1000))
    assert bound.value - Fraction(1, 10**9) < Fraction(found["mistakes"]) <= bound.value
    assert (found["argument"], found["events"]) == (bound.argument, bound.events)
    text = run("lower-bound", *options).stdout
    assert f"functions on {points or 21} points" in " ".join(text.split())


def test_thresholds_as_a_tower() -> None:
    found, bound = (
        json.loads(run("lower-bound", "--rows", "6", "--json").stdout),
        threshold_bound(6),
    )
    assert found["tower"] == str(bound.points) and found["height"] == 6
    assert int(found["homogeneous"]) == bound.homogeneous == 12
    text = " ".join(run("lower-bound", "--rows", "6").stdout.split())
    assert "from 6 examples" in text and "2^2^2^2^2^2^" in text and "gives 12 points" in text
    assert "gives 2^1306 points" in " ".join(run("lower-bound", "--rows", "30").stdout.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Got neither"),
        (("--rows", "2", "--rounds", "2"), "Got both"),
        (("--rows", "3"), "must be even"),
        (("--rows", "2", "--points", "3"), "Use it with --rounds"),
        (("--rounds", "2", "--error", "1/8"), "Use it with --rows"),
        (("--rows", "4", "--epsilon", "3"), "does not cover"),
        (("--rounds", "3", "--points", "1"), "integer >= 2"),
    ],
)
def test_refusals(options: tuple[str, ...], message: str) -> None:
    assert message in " ".join(run("lower-bound", *options, status=2).stderr.split())


def test_a_tiny_epsilon_has_nearly_the_bound_of_epsilon_0() -> None:
    tiny = json.loads(run("lower-bound", "--rounds", "100", "--epsilon", "1e-400", "--json").stdout)
    small = json.loads(run("lower-bound", "--rounds", "100", "--epsilon", "1e-9", "--json").stdout)
    assert abs(tiny["mistakes"] - small["mistakes"]) < 1e-3
    text = " ".join(run("lower-bound", "--rounds", "1").stdout.split())
    assert "1 round." in text and "1 example with" in text
