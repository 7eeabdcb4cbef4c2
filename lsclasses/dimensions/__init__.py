"""The dimensions of a concept class, one file for each topic, and the registry that lists them.

Whatever takes a `Limit` here raises `TooLarge` when that is reached.
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
