"""The family of the arcs of a circle."""

from catalog import Fact, Family, Parameter
from lsclasses import Table


class Arcs(Family):
    """The sets of points that lie side by side on a circle."""

    name = "arcs"
    title = "Arcs of a circle of n points"
    definition = "Points 0, ..., n-1 on a circle. A concept is 1 on k points side by side."
    reference = "an example"
    parameters = (Parameter("n", "number of points", minimum=1),)
    facts = (
        Fact("size", "n*(n - 1) + 2", source="n starts and n - 1 lengths, none, all"),
        Fact("vcdim", "3", when="n >= 3", source="no arc has only the 1st and 3rd of four points"),
    )

    def _shape(self, *, n):
        return n * (n - 1) + 2, n

    def _table(self, *, n):
        arcs = {frozenset((a + i) % n for i in range(k)) for a in range(n) for k in range(n + 1)}
        return Table.from_sets(range(n), sorted(arcs, key=sorted))

    def instances(self):
        yield from ({"n": n} for n in range(1, 8))
