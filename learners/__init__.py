"""Learners that run on any concept class.

A package of the distribution lsclasses.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType

PACKAGES = {"online": "", "batch": "pac", "boolean": "rules", "estimators": "tables"}
MOVED = {
    "batch.trainable": "pac.entries",
    "boolean.learner": "rules.algorithm",
    "estimators.tables": "tables.records",
    "online.adversaries": "playing.adversaries",
    "online.agnostic_experts": "experts.agnostic",
    "online.agnostic_pop": "pop.agnostic",
    "online.base": "playing.base.state",
    "online.base_learners": "playing.base.named",
    "online.bound_guard": "playing.bound_guard",
    "online.confident_winnow": "winnow.confident",
    "online.constructed_experts": "experts.constructed",
    "online.copies": "playing.copies",
    "online.dartboard": "experts.dartboard",
    "online.decision_lists": "playing.base.decision_lists",
    "online.doubling": "playing.doubling",
    "online.dp_winnow": "winnow.algorithm",
    "online.expert_sources": "playing.expert_sources",
    "online.experts": "playing.base.soa_experts",
    "online.features": "playing.features",
    "online.forest_parameters": "forest.plan",
    "online.forest_soa": "forest.algorithm",
    "online.forest_tree": "forest.tree",
    "online.halving": "playing.base.halving",
    "online.hedge": "experts.hedge",
    "online.layer_laws": "layers.laws",
    "online.layered": "layers.algorithm",
    "online.layered_parameters": "layers.plan",
    "online.learner": "playing.learner",
    "online.leaves": "majorities.leaves",
    "online.loss_adversaries": "playing.loss_adversaries",
    "online.loss_learner": "playing.loss_learner",
    "online.majority_certificates": "majorities.certificates",
    "online.margins": "winnow.margins",
    "online.play": "playing.play",
    "online.pop": "pop.algorithm",
    "online.pop_parameters": "pop.plan",
    "online.proper_soa": "playing.base.proper_soa",
    "online.rerun_forest": "forest.rerun",
    "online.runnable": "playing.entries",
    "online.sanitized": "experts.batched_online",
    "online.sparse_experts": "experts.sparse",
    "online.sparse_halving": "majorities.halving",
    "online.sparse_majority": "majorities.algorithm",
    "online.subclasses": "playing.base.subclasses",
    "online.transcript": "playing.transcript",
    "online.winnow": "playing.base.winnow",
    "online.winnow_parameters": "winnow.plan",
}
"""Where modules are since each learner has a folder of its own, for plug-ins that import them.

Where a package was renamed, its other modules have kept their names.
"""


class _MovedModules:
    """Says where a package is now that is not found where it was."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        """Nothing is ever found; what was moved is refused with a sentence."""
        package, _, room = name.partition(".")
        if package == "learners" and room in PACKAGES:
            now = PACKAGES[room]
            where = f"it is learners.{now} now" if now else "each learner has a folder of its own"
            raise ModuleNotFoundError(
                f"There is no package {name!r} any more: {where}. "
                "learners.MOVED says where each of its modules is.",
                name=name,
            )


if _MovedModules not in sys.meta_path:
    sys.meta_path.append(_MovedModules)
