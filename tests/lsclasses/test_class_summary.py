"""Summaries of classes, and names under which pickles of earlier releases find objects."""

from __future__ import annotations

import pickle

import pytest

from lsclasses import Table
from lsclasses.class_summary import Summary, SummaryRow


@pytest.mark.parametrize("found", [Summary, SummaryRow])
def test_pickles_of_earlier_releases_find_the_classes_of_summaries(found):
    # The opcode c imports a name, and the opcode . ends the pickle.
    assert pickle.loads(f"clsclasses.dimension_methods\n{found.__name__}\n.".encode()) is found


def test_a_summary_maps_names_to_exact_values_and_survives_a_pickle():
    summary = Table([[0, 0], [0, 1], [1, 1]]).summary(["ldim", "vcdim"])
    assert dict(summary) == {"ldim": 1, "vcdim": 1}
    assert pickle.loads(pickle.dumps(summary)) == summary
    bounds = SummaryRow("ldim", "Littlestone dimension", "1 to 2", "limit reached", 1, 2)
    assert Summary("C", (bounds,))["ldim"] is None
    with pytest.raises(KeyError):
        summary["star_number"]
