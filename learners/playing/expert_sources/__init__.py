"""Sources of experts. A source defines the experts of a game and their losses in each round.

In every round each expert has a loss in [0, 1]. An `ExpertSource` defines the number of experts and
their losses when a round is revealed. A `Tally` holds the losses of all experts so far, and draws
an expert by its weight. Losses are integers in units of 1/scale, and all draws are exact.

| source | experts | a round |
|---|---|---|
| `LossVectors` | numbers 0, ..., N - 1 | the vector of their losses |
| `TableExperts` | the concepts of a table, bit-packed | a labelled example |
| `ListedConcepts` | the concepts of a class that lists them, but not its points | the same |
| `HypothesisExperts` | hypotheses that are given | a labelled example |
| `ClassExperts` | the concepts of a class in closed form, in cells that agree so far | the same |
| `GroupedExperts` | a base for experts that come in groups, which split over time | anything |

The loss of an expert on a labelled example is whether it mislabels the point. `experts_of` finds a
source for a class.
"""

from learners.playing.expert_sources.base import Expert, ExpertSource, Revealed, Tally
from learners.playing.expert_sources.grouped import ClassExperts, GroupedExperts, experts_of
from learners.playing.expert_sources.listed import (
    HypothesisExperts,
    ListedConcepts,
    LossVectors,
    TableExperts,
)

__all__ = [
    "ClassExperts",
    "Expert",
    "ExpertSource",
    "GroupedExperts",
    "HypothesisExperts",
    "ListedConcepts",
    "LossVectors",
    "Revealed",
    "TableExperts",
    "Tally",
    "experts_of",
]
