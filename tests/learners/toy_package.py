"""The code of a package that plugs in a learner from samples."""

TOY = """
from typing import Annotated

from learners.pac.base import BatchLearner
from learners.pac.entries import SampleEntry
from lsclasses.hypothesis import Constant
from lsclasses.options import Option


class Always(BatchLearner):
    def __init__(self, C, label):
        self.of, self.label = C, label

    @property
    def domain(self):
        return self.of.domain

    def fit(self, sample, coins):
        self._require(sample.domain)
        return Constant(self.domain, self.label).canonical()


def build(C, rows, *, label: Annotated[bool, Option("the label")] = False):
    return Always(C, int(label))


def clashing(C, rows, *, noise: Annotated[bool, Option("the label")] = False):
    return Always(C, int(noise))


LEARNERS = (SampleEntry("always", "one label for all points", build),)
CLASHING = (SampleEntry("always", "one label for all points", clashing),)
"""
