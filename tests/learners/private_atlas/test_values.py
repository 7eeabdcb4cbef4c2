"""The installed values of the private atlas against theorems, and their reading."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import exp

import pytest

from catalog.atlas import POINTS, classes
from catalog.atlas.private_values import (
    COLUMNS,
    EPSILONS,
    PrivateColumn,
    all_private_values,
    private_column,
    private_values,
    values_text,
)
from learners.private_atlas.computation import SIZES, Task, atlas_masks
from learners.private_atlas.value_comparisons import equals_cube, rank_correlation, valued
from lsclasses.brackets import Bracket
from lsclasses.errors import InvalidInput

SMALL = [each for n in POINTS for each in classes(n)]


def test_every_small_class_has_its_values() -> None:
    """Only M(3) of classes on four points of Littlestone dimension 1 or 2 may be missing."""
    for each in SMALL:
        known = private_values(each.points, each.mask)
        for quantity, size, fewest, most in SIZES:
            large = (quantity, size, each.points) == ("M", 3, 4) and each["ldim"] < 3
            if fewest <= each.points <= most and not large:
                for epsilon in EPSILONS.values():
                    assert PrivateColumn(quantity, size, epsilon) in known, (each.name, quantity)


def test_every_listed_class_on_five_points_has_its_error_from_one_row() -> None:
    for mask in atlas_masks(5):
        known = private_values(5, mask)
        assert {PrivateColumn("V", 1, epsilon) for epsilon in EPSILONS.values()} <= known.keys()


def test_bounds_are_as_close_as_promised() -> None:
    on_five = frozenset(atlas_masks(5))
    for points, mask, values in all_private_values():
        assert points < 5 or mask in on_five
        for column, value in values.items():
            task = Task(points, mask, column.quantity, column.size)
            assert 0 <= value.width <= task.tolerance, (str(task), column.name)
            assert value.upper <= (1 if column.quantity == "V" else column.size)


def test_privacy_and_rows_are_worth_something() -> None:
    """A larger epsilon and more rows lower the error, more rounds raise the mistakes."""
    for each in SMALL:
        known = private_values(each.points, each.mask)
        for (one, value), (other, smaller) in itertools.permutations(known.items(), 2):
            same = one.quantity == other.quantity
            if same and one.size == other.size and one.epsilon < other.epsilon:
                assert value.upper >= smaller.lower
            if same and one.epsilon == other.epsilon and one.size < other.size:
                first, second = (value, smaller) if one.quantity == "V" else (smaller, value)
                assert first.upper >= second.lower


def test_one_bit_has_its_closed_form() -> None:
    """V(m) of two concepts that differ at all points, here on one point."""
    for epsilon in EPSILONS.values():
        r, known = exp(epsilon), private_values(1, 0b11)
        for m in (1, 2, 3):
            exact = r ** (-m / 2) / 2 if m % 2 == 0 else r ** (-(m - 1) / 2) / (1 + r)
            value = known[PrivateColumn("V", m, epsilon)]
            assert float(value.lower) - 1e-9 <= exact <= float(value.upper) + 1e-9


def test_mistakes_are_half_of_the_rounds_up_to_the_littlestone_dimension() -> None:
    for each in SMALL:
        for column, value in private_values(each.points, each.mask).items():
            if column.quantity == "M" and each.mask.bit_count() > 1:
                half = Fraction(column.size, 2)
                assert value.lower <= half
                assert (value.upper >= half) == (column.size <= each["ldim"])


def test_doubled_points_change_no_value() -> None:
    """The last point of a class on n + 1 points is a copy of the point before."""
    for each in classes(2):
        doubled = sum(1 << (c | (c >> 1 & 1) << 2) for c in range(4) if each.mask >> c & 1)
        found = next(C for C in classes(3) if C.mask == _least(3, doubled))
        other = private_values(3, found.mask)
        for column, value in private_values(2, each.mask).items():
            if column in other:
                assert other[column].lower <= value.upper + Fraction(1, 10**6)
                assert other[column].upper >= value.lower - Fraction(1, 10**6)


def _least(points: int, mask: int) -> int:
    from lsclasses.isomorphism import canonical_form, class_mask, class_of_mask

    return class_mask(canonical_form(class_of_mask(points, mask))[0])


@pytest.mark.parametrize(("size", "points"), [(1, 3), (2, 3), (1, 4), (2, 4)])
def test_only_classes_with_uniform_labels_are_as_hard_as_the_cube(size: int, points: int) -> None:
    uniform, overlapping, others = equals_cube(
        valued(PrivateColumn("V", size, Fraction(1)), (points,)), size
    )
    assert uniform == overlapping > 0 == others


def test_names_and_text() -> None:
    assert [each.name for each in COLUMNS][:3] == ["V1_half", "V2_half", "V3_half"]
    assert private_column("M2_two") == PrivateColumn("M", 2, Fraction(2))
    with pytest.raises(InvalidInput, match="Got 'V9'"):
        private_column("V9")
    # Bounds are rounded outwards.
    bounds = {private_column("V1"): Bracket(Fraction(1, 3), Fraction(2, 3))}
    line = values_text([(1, 3, bounds)]).splitlines()[1]
    assert line == "1,3,,,,,,,,333333333+333333334,,,,,,,,,,,,,"


def test_correlation_of_ranks() -> None:
    assert rank_correlation([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert rank_correlation([1, 1, 2, 2], [4, 4, 3, 3]) == pytest.approx(-1)
