"""Statements on all classes of the atlas: once a combination of values, against once a class."""

from __future__ import annotations

import time

from catalog import atlas
from catalog.refuting import Statement, survey

STATEMENTS = (
    "vcdim <= ldim",
    "randomized_ldim <= log2(size)/2",
    "recursive_teaching_dim <= vcdim when vcdim <= 1",
    "hollow_star_number <= star_number + 1",
)


def loop(statement: Statement) -> int:
    """The baseline: both sides computed for each class."""
    fails = 0
    for points in atlas.POINTS:
        for C in atlas.classes(points):
            values = {name: C[name] for name in statement.names if name not in ("size", "points")}
            values |= {"size": C.mask.bit_count(), "points": points}
            sides = statement.sides(values)
            fails += sides is not None and not sides.holds
    return fails


def main() -> None:
    for points in atlas.POINTS:
        atlas.classes(points)
    print("| statement | classes | combinations | survey | loop over at most 4 points (ratio) |")
    print("|---|---|---|---|---|")
    for text in STATEMENTS:
        statement = Statement(text)
        list(survey(statement))
        start = time.perf_counter()
        found = list(survey(statement))
        taken = time.perf_counter() - start
        small = [each for each in found if each.points <= atlas.POINTS[-1]]
        start = time.perf_counter()
        fails = loop(statement)
        plain = time.perf_counter() - start
        assert fails == sum(each.count("fails") for each in small)
        classes = sum(len(each.values) for each in found)
        combinations = sum(len(each.sides) for each in found)
        print(
            f"| `{text}` | {classes} | {combinations} | {taken * 1e3:.3g} ms | "
            f"{plain * 1e3:.3g} ms ({plain / taken:.2g}) |"
        )


if __name__ == "__main__":
    main()
