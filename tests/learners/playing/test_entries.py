"""Learners that can be run by name: what a declaration is asked."""

from __future__ import annotations

import pickle

from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS
from learners.tables.entries import TRAININGS


def test_entries_are_pickled_for_workers() -> None:
    for registry in (ONLINE_LEARNERS, BATCH_LEARNERS, TRAININGS):
        for entry in registry.values():
            assert pickle.loads(pickle.dumps(entry)).parameters == entry.parameters
