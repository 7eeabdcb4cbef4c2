"""Broken twins of the learners of rules and trees, which their audits have to see."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from learners.accounting import basic
from learners.audit.instances import Instance
from learners.coins import Coins
from learners.mechanisms.k_norm_noise import KNormNoise
from learners.pac.samples import Sample
from learners.rules.algorithm import DecisionListLearner
from learners.rules.cover import EMCover, cover_rate
from learners.rules.decision_list import DecisionList
from learners.rules.gibbs_tree import GibbsTree
from learners.rules.greedy_cover import GreedyCover
from learners.rules.logistic_regression import ObjectivePerturbation
from learners.rules.packed import PackedFeatures
from learners.rules.trees import Conditions, Leaf, Split, all_trees
from tests.learners.breaking import (
    Twin,
    in_sixteenths,
    multiplied,
    other,
    relative,
    repeated,
    rerun,
    variance,
)


class OneRoundShort(GreedyCover):
    """The rate for as many rounds as there are features; the constant one makes one more."""

    def choice_epsilon(self, features: int) -> Fraction:
        return 2 * cover_rate(self.epsilon, self.delta, neighbours=self.neighbours, rounds=features)


def short_rate(built: Instance) -> Any:
    mechanism, (epsilon, delta) = built.mechanism, basic(built.privacy)
    rate = cover_rate(epsilon, delta, rounds=mechanism.rounds - 1)
    return relative(EMCover, rate=rate)(built)


def tree_of(mechanism: GibbsTree, data: Any, coins: Coins) -> tuple[Any, Any, Any, Any]:
    table = np.array(data, dtype=int)
    conditions, rows = Conditions(table.shape[1] - 1), table[:, :-1] == 1
    return mechanism.fit(conditions, rows, table[:, -1], coins), conditions, rows, table[:, -1]


def true_majorities(mechanism: Any, data: Any, coins: Coins) -> Hashable:
    """The splits of the tree that was drawn, with the labels that most rows there have."""

    def relabelled(tree: Any, there: Any) -> Any:
        if isinstance(tree, Leaf):
            return Leaf(int(2 * labels[there].sum() > there.sum()))
        held = conditions.holds(tree.condition, rows)
        branches = (tree.holds, there & held), (tree.fails, there & ~held)
        return Split(tree.condition, *(relabelled(*branch) for branch in branches))

    tree, conditions, rows, labels = tree_of(mechanism, data, coins)
    return relabelled(tree, np.ones(len(labels), dtype=bool))


def rarer_label(mechanism: Any, data: Any, coins: Coins) -> Hashable:
    """The tree, as rules for the label that fewer rows have."""
    tree, _, _, labels = tree_of(mechanism, data, coins)
    listed = int(2 * labels.sum() < len(labels))
    return listed, tuple(path for path, label in tree.pruned().paths() if label == listed)


class PriorOfRows(GibbsTree):
    """Of two equal conditions, one weighs in the prior as often as it holds on rows."""

    def fit(self, conditions: Any, matrix: Any, labels: Any, coins: Coins) -> Any:
        twice = Conditions(1, [(0, None), (0, None)], [1 + 100 * int(matrix.sum()), 1])
        return super().fit(twice, matrix, labels, coins)


class ContestOfRows(GibbsTree):
    """Plain trees alone are drawn from where one of them is right on all rows but one."""

    def fit(self, conditions: Any, matrix: Any, labels: Any, coins: Coins) -> Any:
        plain = Conditions(1)
        right = max((tree.labels(plain, matrix) == labels).sum() for tree in all_trees(1, 1))
        both = Conditions(1, [(0, None), (0, None)], plain=1)
        return super().fit(plain if right >= len(labels) - 1 else both, matrix, labels, coins)


class RowsTwice(DecisionListLearner):
    """Every row is given twice."""

    def fit(self, sample: Any, coins: Coins) -> Any:
        return super().fit(Sample.drawn(sample.domain, [*sample, *sample]), coins)


class FirstRowsOnly(GibbsTree):
    """The first rows are taken for a sample."""

    def _sampled(self, rows: int, coins: Coins) -> Any:
        return None if self.sample is None else np.arange(self.sample)


class Replacing(GibbsTree):
    """Rows are drawn with replacement."""

    def _sampled(self, rows: int, coins: Coins) -> Any:
        return np.sort([coins.below(rows) for _ in range(self.sample or 0)])


@dataclass(frozen=True)
class WithoutTheHalf(GreedyCover):
    """Weights exp(epsilon_0 q) instead of exp(epsilon_0 q/2)."""

    def choice_epsilon(self, features):
        return 2 * super().choice_epsilon(features)


@dataclass(frozen=True)
class StopsWhenDone(GreedyCover):
    """Ends the list as soon as no row is left, with label 0, which shows when that is."""

    def fit(self, packed, labels, coins, *, accuracy=None):
        found = super().fit(packed, labels, coins, accuracy=None)
        left, rules = packed.everything, []
        for rule in found.rules:
            if not left.any():
                break
            rules.append(rule)
            left &= ~packed.column(rule.feature)
        return DecisionList(rules, found.default if left.any() else 0, found.names)


@dataclass(frozen=True)
class CountsTwice(GreedyCover):
    """Counts every row twice."""

    def fit(self, packed, labels, coins, *, accuracy=None):
        doubled = np.concatenate([labels, labels])
        matrix = np.array([packed.unpacked(packed.column(j)) for j in range(packed.count)]).T
        twice = PackedFeatures.from_matrix(np.concatenate([matrix, matrix]))
        return super().fit(twice, doubled, coins, accuracy=None)


class UncoveredRounding(ObjectivePerturbation):
    """The rounded minimum is released without noise."""

    def with_noise(self, rounded: Any, coins: Coins) -> Any:
        return rounded


TWINS = (
    Twin("em_cover", "uses twice the rate", multiplied("rate")),
    Twin("em_cover", "computes the rate for one round less than it plays", short_rate),
    Twin(
        "em_cover", "rounds each weight to a multiple of 1/16 of the largest weight", in_sixteenths
    ),
    Twin("decision_list_learner", "counts each row twice", relative(RowsTwice)),
    Twin("gibbs_tree", "uses twice the rate", other(_range=lambda m, right: 1)),
    Twin(
        "gibbs_tree", "labels each leaf by the exact majority of its rows", rerun(true_majorities)
    ),
    Twin("gibbs_tree", "uses a prior that depends on the rows", relative(PriorOfRows)),
    Twin(
        "gibbs_tree",
        "first checks without noise whether a preferred tree is good enough",
        relative(ContestOfRows),
    ),
    Twin("gibbs_tree", "lists the rules for the label that fewer rows have", rerun(rarer_label)),
    Twin(
        "gibbs_tree",
        "takes the first rows as the sample instead of random rows",
        relative(FirstRowsOnly),
    ),
    Twin("gibbs_tree_sampled", "draws rows with replacement", relative(Replacing)),
    Twin(
        "naive_bayes",
        "scales the noise for one changed count per column instead of two",
        other(changes=lambda m, right: m.columns),
    ),
    Twin(
        "naive_bayes",
        "scales the noise for the changes of one column instead of all columns",
        other(changes=lambda m, right: right // m.columns),
    ),
    Twin("naive_bayes", "adds the noise values of the first column to every column", repeated(4)),
    Twin("naive_bayes", "adds the noise values of the first cell to every cell", repeated(2)),
    Twin("naive_bayes", "adds one noise value to all counts", repeated(1)),
    Twin("naive_bayes_gaussian", "adds noise of a quarter of the variance", variance(4)),
    Twin(
        "naive_bayes_gaussian",
        "scales the noise for the changes of one column instead of all columns",
        other(changes=lambda m, right: right // m.columns),
    ),
    Twin("naive_bayes_gaussian", "adds one noise value to all counts", repeated(1)),
    Twin(
        "logistic_regression",
        "scales the noise of the gradient for half of its largest change",
        other(noise=lambda m, right: KNormNoise(right.scale / 2, right.blocks)),
    ),
    Twin(
        "logistic_regression",
        "releases the rounded minimum without noise",
        relative(UncoveredRounding),
    ),
    Twin(
        "weighted_logistic_regression",
        "scales the noise of the gradient for rows of weight 1",
        other(noise=lambda m, right: KNormNoise(right.scale / m.heaviest, right.blocks)),
    ),
    Twin(
        "greedy_cover",
        "omits the factor 1/2 in the exponent of the weights",
        relative(WithoutTheHalf),
    ),
    Twin("greedy_cover", "counts each row twice", relative(CountsTwice)),
    Twin("greedy_cover", "ends the list as soon as no row remains", relative(StopsWhenDone)),
    Twin(
        "greedy_cover",
        "computes the rate for one round less than it plays",
        relative(OneRoundShort),
    ),
    Twin(
        "greedy_cover",
        "rounds each weight to a multiple of 1/16 of the largest weight",
        in_sixteenths,
    ),
)
