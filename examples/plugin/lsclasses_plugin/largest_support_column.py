"""The column of the atlas with the largest supports of all classes on few points."""

import numpy as np

from catalog.atlas.columns.batch import column


@column()
def largest_support(batch):
    """Return the largest number of 1s in the numbers of the present concepts."""
    sizes = np.array([number.bit_count() for number in range(len(batch.present))])
    return np.where(batch.present, sizes[:, None], 0).max(axis=0)
