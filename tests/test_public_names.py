"""The names that the packages offer, and what a name loads."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import catalog
import learners
import learners.tables
import lsclasses
from learners.audit import audit
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS


@pytest.mark.parametrize("package", [lsclasses, catalog, learners, learners.tables])
def test_packages_list_their_public_names_only(package: ModuleType) -> None:
    further = set(dir(package)) - set(package.__all__)
    assert further <= {"Binarizer", "PrivateLogisticRegression", "joined_model"} | {
        name for name in further if name.endswith("Classifier")
    }
    assert set(package.__all__) <= set(dir(package)) and list(package.__all__) == sorted(
        package.__all__
    )
    assert all(getattr(package, name) is not None for name in dir(package))
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = package.nonsense


def test_names_of_learners_load_their_modules_when_they_are_used() -> None:
    code = "import sys, learners; print({'numpy', 'lsclasses', 'catalog'} & set(sys.modules))"
    assert python(code) == "set()"
    assert python(f"{code}; learners.Budget; print('sklearn' in sys.modules)") == "set()\nFalse"


SOURCES = {"greedy-cover": "decision-lists:n=2", "voting": "points:n=3"}
"""Classes of learners that refuse thresholds."""


def test_every_class_of_a_registered_learner_is_a_public_name() -> None:
    for registry, options in ((ONLINE_LEARNERS, (50,)), (BATCH_LEARNERS, (50,))):
        for name, entry in registry.items():
            if entry.build.__module__.startswith("learners."):
                source = SOURCES.get(name, "thresholds:n=3")
                few = (3,) if name == "optimal-predictor" else options
                learner = entry.learner(source, *few)
                assert getattr(learners, type(learner).__name__) is type(learner), name
                assert len(repr(learner)) < 180, name
                assert type(learner).__name__ in repr(learner)
    assert learners.audit_mechanism is audit


def test_estimators_without_scikit_learn_name_the_extra() -> None:
    code = (
        "import sys; sys.modules['sklearn'] = None; import learners\n"
        "try: learners.PrivateRuleListClassifier\n"
        "except ImportError as error: print(error)"
    )
    assert "pip install 'lsclasses[sklearn]'" in python(code)


def test_all_names_are_imported_without_scikit_learn() -> None:
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from learners import *\nfrom learners.tables import *\nimport learners\n"
        "print('POP' in dir() and 'OnlineClassifier' in dir(learners))"
    )
    assert python(code) == "True"


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()
