"""Which classes answer when an engine is chosen."""

from __future__ import annotations

import pytest

from lsclasses.searching import engines
from lsclasses.searching.numpy_depths import NumpyDepths
from lsclasses.searching.numpy_engine import NumpyEngine


def test_new_engines_are_of_the_kind_that_was_chosen(engine):
    """Both kinds of search, and none of them shared."""
    makers = [engines.new_engine, lambda: engines.new_depth_engine(3)]
    if engine == "numpy":
        wanted = [NumpyEngine, NumpyDepths]
    else:
        native = pytest.importorskip("lsclasses.searching.native_engine")
        wanted = [native.NativeEngine] * 2
    for make, kind in zip(makers, wanted, strict=True):
        made = [make(), make()]
        assert [type(one) for one in made] == [kind, kind]
        assert made[0] is not made[1]
