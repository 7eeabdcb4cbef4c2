"""The largest support, a dimension."""

from lsclasses.dimensions import dimension


@dimension("largest support", symbol="w", reference="by definition", of_empty=0, flips_change=True)
def largest_support(table, *, limit=None, progress=None):
    """Return the largest number of points at which a concept is 1."""
    return max(map(int.bit_count, table.row_bits))
