"""The dimensions of a concept class, one file for each topic, and the registry that lists them.

Every function of this package that takes a `Limit` raises `TooLarge` when the limit is reached.
"""

from lsclasses.dimensions.base import (
    DIMENSIONS,
    Answer,
    Dimension,
    Evidence,
    Value,
    Witness,
    dimension,
)

__all__ = ["DIMENSIONS", "Answer", "Dimension", "Evidence", "Value", "Witness", "dimension"]
