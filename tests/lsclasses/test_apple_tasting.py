"""Apple tasting against the definition from histories, for more rounds than points."""

from __future__ import annotations

import itertools

import pytest

import catalog
from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.apple_tasting import AppleTastingGame, apple_tasting_mistakes
from tests.catalog.parameters.plain import apple_tasting


def test_two_constants_allow_one_mistake_in_any_number_of_rounds() -> None:
    """The learner predicts 1 in the first round and receives the label."""
    C = Table([[0], [1]])
    assert [apple_tasting_mistakes(C, rounds) for rounds in (0, 1, 2, 1000)] == [0, 1, 1, 1]


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 4, 5])
def test_the_recursion_gives_the_definition_on_two_points(rounds: int) -> None:
    """The classes are all 15 classes, and there are up to three rounds more than points."""
    labellings = list(itertools.product((0, 1), repeat=2))
    for size in range(1, 5):
        for rows in itertools.combinations(labellings, size):
            assert apple_tasting_mistakes(Table(rows), rounds) == apple_tasting(
                frozenset(rows), rounds
            )


def test_singletons_force_one_more_mistake_after_more_and_more_rounds() -> None:
    """Until the learner has received the label of every point."""
    C = catalog.build("points:n=4,empty=1")
    curve = [apple_tasting_mistakes(C, rounds) for rounds in range(12)]
    assert [curve.index(count) for count in range(5)] == [0, 1, 3, 5, 8]
    assert apple_tasting_mistakes(C, 10**6) == curve[-1] == 4


def test_zeros_are_more_expensive_than_ones() -> None:
    """A flip of all labels changes the value, because only the label 0 costs a mistake."""
    singles = catalog.build("points:n=4").to_table()
    flipped = Table(1 - singles.labels)
    assert [apple_tasting_mistakes(C, 20) for C in (singles, flipped)] == [3, 1]


def test_the_empty_class_has_the_value_of_an_empty_version_space() -> None:
    assert apple_tasting_mistakes(Table([], domain=[0]), 3) == -1


def test_negative_numbers_of_rounds_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"at least 0\. Got -1"):
        apple_tasting_mistakes(Table([[0], [1]]), -1)


def test_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match=r"at most 20 different columns\. Got 21"):
        AppleTastingGame(catalog.build("points:n=21").to_table())
    with pytest.raises(TooLarge, match="limit"):
        apple_tasting_mistakes(catalog.build("cube:n=9"), 9, limit=Limit(memory=1000))
    monkeypatch.setattr("lsclasses.apple_tasting.MOST_STATES", 10)
    with pytest.raises(TooLarge, match="more than 10 states"):
        apple_tasting_mistakes(catalog.build("cube:n=4"), 4)
