"""Sweeping, an adversary that contradicts the learner at every point if a concept allows it."""

from learners.playing.adversaries import THIS, AdversaryRun, NamedAdversary, StreamAdversary


class Sweeping(StreamAdversary):
    """Presents the points in order, and contradicts the prediction if some concept allows it."""

    sees = THIS
    realizable = True

    def __init__(self, C):
        self.C = C

    @property
    def domain(self):
        return self.C.domain

    def __str__(self):
        return "the points in order, contradicted as long as a concept allows it"

    def begin(self, coins):
        return Run(self.C)


class Run(AdversaryRun):
    """One game, with the remaining concepts and the remaining points."""

    def __init__(self, C):
        self.left, self.points = C, iter(C.domain)

    def pose(self):
        self.point = next(self.points, None)
        return None if self.point is None else (self.point, None)

    def reveal(self, label, coin):
        other = self.left.restrict(self.point, 1 - label)
        self.left = self.left.restrict(self.point, label) if other.is_empty else other
        return label if other.is_empty else 1 - label

    @property
    def concept(self):
        return self.left.sample(0)


ADVERSARIES = (NamedAdversary("sweeping", "contradicts at every point once", (), Sweeping),)
