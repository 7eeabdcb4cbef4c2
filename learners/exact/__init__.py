"""The exact output distribution of a random program, with the probability of every branch.

`exact_distribution(run)` calls ``run(coins)`` once for every sequence of outcomes that its draws
can have. The program is the production code. Only the coins differ. Probabilities are rational
numbers if the probabilities of the draws are rational. Otherwise they are balls (python-flint's
`arb`) that contain the true value.

| file | content |
|---|---|
| `branches` | distributions of single draws, and coins that follow one branch after the other |
| `branch_estimates` | estimates of the number of branches |
| `draw_names` | names of draws in messages |
| `censored` | coins whose noise has few values, for runs that clip noisy numbers |
| `identity` | equal outcomes that a program can distinguish |
| `output_distributions` | the output distributions of whole runs |
| `uniform_values` | uniform floats that comparisons decide step by step |
| `python_random`, `numpy_random` | generators for programs that draw from Python or NumPy |
| `other_randomness` | detection of randomness from other sources |
| `state_keys` | keys of the whole state of an object |
| `stepwise` | the output distributions of programs that answer items one by one |
"""

from learners.exact.branch_estimates import branch_estimate
from learners.exact.branches import PRECISION, CannotEnumerate, ExactCoins, NotRepeated
from learners.exact.censored import CensoredCoins
from learners.exact.identity import better_twin, distinct, require_same
from learners.exact.numpy_random import EnumeratedGenerator
from learners.exact.other_randomness import refused_other_randomness
from learners.exact.output_distributions import (
    DEPTH,
    MAX_BRANCHES,
    TAIL,
    OutputDistribution,
    Weight,
    exact_distribution,
)
from learners.exact.python_random import EnumeratedRandom
from learners.exact.state_keys import state_key
from learners.exact.stepwise import HALTED, Program, StepLaws, Stepwise
from learners.exact.uniform_values import UniformValue

__all__ = [
    "DEPTH",
    "HALTED",
    "MAX_BRANCHES",
    "PRECISION",
    "TAIL",
    "CannotEnumerate",
    "CensoredCoins",
    "EnumeratedGenerator",
    "EnumeratedRandom",
    "ExactCoins",
    "NotRepeated",
    "OutputDistribution",
    "Program",
    "StepLaws",
    "Stepwise",
    "UniformValue",
    "Weight",
    "better_twin",
    "branch_estimate",
    "distinct",
    "exact_distribution",
    "refused_other_randomness",
    "require_same",
    "state_key",
]
