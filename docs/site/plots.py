"""A bound and measured values, drawn as SVG in the colour of the surrounding text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from lsclasses.numbers import format_number

WIDTH, LEFT, RIGHT, TOP, STEP, BAR = 560, 90, 70, 34, 26, 14
"""Lengths in units of the drawing: its width, its margins, and the rows with their bars."""


def against(
    bound: Fraction | None, name: str, measured: Sequence[Fraction | int], most: int, each: str
) -> str:
    """Return a bar for each measured value, and a dashed line at the bound.

    Parameters
    ----------
    bound : Fraction or None
        Proved bound, or None. It has a line only if it is below `most`.
    name : str
        Text above the line, before the bound.
    measured : sequence of Fraction or int
        Measured values, at least one.
    most : int
        Upper limit of all values: the number of rounds, or 1 for an error.
    each : str
        Source of each value: a game or a sample.

    Returns
    -------
    str
        Element ``svg`` on one line.

    Examples
    --------
    >>> drawn = against(Fraction(3), "bound", [1, 2], 1000, "game")
    >>> drawn.count("<rect"), "bound 3" in drawn
    (2, True)
    >>> "stroke-dasharray" in against(Fraction(2000), "bound", [1, 2], 1000, "game")
    False
    """
    line = bound if bound is not None and bound < most else None
    end = max(*measured, 0 if line is None else line) or Fraction(1)
    bottom = TOP + STEP * len(measured)

    def at(value: Fraction | int) -> float:
        return round(LEFT + float(Fraction(value) / Fraction(end)) * (WIDTH - LEFT - RIGHT), 1)

    parts = [f'<path d="M{LEFT} {TOP - 4}V{bottom}" stroke="currentColor" fill="none"/>']
    for number, value in enumerate(measured):
        y = TOP + STEP * number + (STEP - BAR) // 2
        parts += [
            _text(LEFT - 8, y + BAR - 2, f"{each} {number + 1}", "end"),
            f'<rect x="{LEFT}" y="{y}" width="{round(at(value) - LEFT, 1)}" height="{BAR}" '
            'fill="currentColor" fill-opacity="0.45"/>',
            _text(at(value) + 6, y + BAR - 2, format_number(Fraction(value), 3), "start"),
        ]
    if line is not None:
        parts += [
            f'<path d="M{at(line)} {TOP - 8}V{bottom}" stroke="currentColor" stroke-width="2" '
            'stroke-dasharray="6 4" fill="none"/>',
            _text(
                min(at(line), WIDTH - 100), TOP - 14, f"{name} {format_number(line, 3)}", "middle"
            ),
        ]
    told = f"A bar for each {each}" + ("" if line is None else ", and a dashed line at the bound")
    return (
        f'<svg role="img" aria-label="{escape(told)}" viewBox="0 0 {WIDTH} {bottom + 8}" '
        f'width="{WIDTH}" style="max-width:100%;height:auto">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="13" fill="currentColor" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )
