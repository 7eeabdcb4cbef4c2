"""Where modules are since each learner has a folder of its own, for plug-ins that import them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = {
    "batch": "pac",
    "boolean": "rules",
    "claims.sanitizers": "sanitizers.evidence",
    "estimators": "tables",
    "online": "",
}
"""Packages that were renamed or dissolved. Modules that `MOVED` does not name kept their names."""

MOVED = {
    "auditable": "audit.registry",
    "batch.trainable": "pac.entries",
    "boolean.learner": "rules.algorithm",
    "claims.agnostic_pop": "pop.evidence.agnostic_claims",
    "claims.boolean": "rules.evidence.claims",
    "claims.constructed_experts": "experts.evidence.constructed_claims",
    "claims.experts": "experts.evidence.claims",
    "claims.experts_private": "experts.evidence.private_claims",
    "claims.forest": "forest.evidence.claims",
    "claims.greedy_cover": "rules.evidence.cover_claims",
    "claims.layered": "layers.evidence.claims",
    "claims.pop": "pop.evidence.claims",
    "claims.private_pac": "pac.evidence.claims",
    "claims.soa": "playing.evidence.claims",
    "claims.sparse_majority": "majorities.evidence.claims",
    "claims.stability": "pac.evidence.stability_claims",
    "claims.winnow": "winnow.evidence.claims",
    "estimators.tables": "tables.records",
    "instances": "audit.instances",
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
"""The new place of each module that was moved, within `learners`."""


class _MovedModules:
    """An import hook that refuses moved modules, with a sentence that names the new place.

    Python imports what `importlib.util.find_spec` finds, by the same call: who asks it for the spec
    of a module that was moved gets one, and the sentence when that module is loaded.
    """

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec that cannot be loaded for what was moved; nothing else is found."""
        package, _, room = name.partition(".")
        known = package == "learners" and (room in PACKAGES or room in MOVED)
        return ModuleSpec(name, cls) if known else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Raise the error with which the import is refused."""
        room = spec.name.partition(".")[2]
        now = MOVED.get(room) or PACKAGES[room]
        where = f"It is learners.{now} now." if now else "Each learner has a folder of its own."
        others = " learners.MOVED says where each of its modules is." if room in PACKAGES else ""
        # With the module's name in it, `from learners import online` would pass over the error.
        raise ModuleNotFoundError(f"There is no module {spec.name!r} any more. {where}{others}")

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Required of a loader by Python; never called."""


# The first of all: a folder that held a package, and only compiled files now, would be a namespace.
sys.meta_path.insert(0, _MovedModules)
