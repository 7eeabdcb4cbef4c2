"""What a search for expected depths counts against a limit is what its engine keeps."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses import Limit, Table, TooLarge
from lsclasses.limits import Meter
from lsclasses.searching.engines import new_depth_engine
from lsclasses.searching.expected_depth import ExpectedDepthSearch


def test_nothing_is_counted_but_what_the_engine_keeps(engine):
    space = Table(np.random.default_rng(3).integers(0, 2, (100, 7)))._space
    meter = Meter(None)
    value = new_depth_engine(7).expected_depth(space, meter)
    search = ExpectedDepthSearch(7)
    assert search.depth(space) == value
    assert search._used == meter.used > 0
    if engine == "numpy":
        # To the byte: the kernel counts the memory as well in which it works.
        assert ExpectedDepthSearch(7).depth(space, Limit(memory=meter.used)) == value
        with pytest.raises(TooLarge, match="bytes"):
            ExpectedDepthSearch(7).depth(space, Limit(memory=meter.used - 1))
