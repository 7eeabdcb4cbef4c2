"""Audit instances of the learners of rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    Margin,
    Run,
    UndetectedVariant,
    clipped,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.exact import CensoredCoins
from learners.pac.base import FewRows
from learners.pac.samples import Example, Sample
from learners.playing.features import ShortConjunctions
from learners.rules.algorithm import DecisionListLearner
from learners.rules.cover import EMCover, cover_rate
from learners.rules.gibbs_tree import GibbsTree
from learners.rules.greedy_cover import GreedyCover
from learners.rules.naive_bayes import NaiveBayes, Tables
from learners.rules.packed import PackedFeatures
from learners.rules.trees import Conditions, Tree
from lsclasses.options import Option

# ---- rules


def _listed(learner: DecisionListLearner) -> Callable[[Sequence[Example], Coins], str]:
    """Return the published list for some rows, far fewer than bounds need."""

    def run(rows: Sequence[Example], coins: Coins) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewRows)
            found = learner.fit(Sample(learner.domain, rows), coins)
        return found.decision_list.text().replace("\n", ", ")

    return run


def _rules_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    rows: Annotated[int, Option("number of rows of the sample", minimum=1, maximum=8)] = 8,
) -> Instance:
    """Return all neighbouring samples of two points that one feature distinguishes."""
    features = ShortConjunctions(1, 1, monotone=True)
    learner = DecisionListLearner(features, GreedyCover(epsilon, delta))
    pairs = neighbouring_tables(list(product(features.domain, (0, 1))), rows, "replace_one")
    return Instance(learner, _listed, pairs)


# ---- cover


SETS = (*(("a", copy) for copy in range(8)), ("b", 0), ("b", 1), ("", 0))
"""Candidates of the audit of covering, by the covered letter: eight cover "a", two cover "b", and
one covers no letter."""


def _score(word: Sequence[str], candidate: tuple[str, int], chosen: object) -> int:
    return -word.count(candidate[0])


def _covers(candidate: tuple[str, int], item: str) -> bool:
    return candidate[0] == item


def _available(chosen: object) -> Sequence[tuple[str, int]]:
    return SETS


def _cover_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    rounds: Annotated[int, Option("number of chosen sets", minimum=1, maximum=4)] = 2,
    items: Annotated[int, Option("number of letters of a word", minimum=1, maximum=8)] = 6,
) -> Instance:
    """Return all neighbouring words of the letters a, b and c, where no set covers c.

    Most sets cover "a", so one of them is chosen nearly as often in each round, with or without an
    "a" in the word. This is close to the worst probabilities of the proof.
    """
    mechanism = EMCover(
        rate=cover_rate(epsilon, delta, rounds=rounds),
        delta=delta,
        rounds=rounds,
        score=_score,
        covers=_covers,
        available=_available,
    )
    pairs = neighbouring_tables("abc", items, mechanism.neighbours)
    return Instance(mechanism, lambda cover: cover.release, pairs)


# ---- gibbs tree


def _gibbs_tree_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    depth: Annotated[int, Option("number of conditions on a row", minimum=1, maximum=3)] = 1,
    features: Annotated[int, Option("number of columns of the table", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=6)] = 4,
    sample: Annotated[
        int, Option("number of rows in the secret sample, 0 for all rows", minimum=0, maximum=6)
    ] = 0,
    bonus: Annotated[
        int,
        Option(
            "bonus in correct rows for trees without a copy of the last feature, 0 for no copy",
            minimum=0,
            maximum=6,
        ),
    ] = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables of a small size."""
    mechanism = GibbsTree(
        epsilon,
        depth,
        neighbours=relation(add_remove),
        rows=rows if sample else None,
        sample=sample or None,
        bonus=bonus,
    )
    kinds = list(product((0, 1), repeat=features + 1))
    pairs = neighbouring_tables(kinds, rows, mechanism.neighbours)
    listed: list[tuple[int, int | None]] = [(j, None) for j in range(features)]
    conditions = (
        Conditions(features, [*listed, listed[-1]], plain=features)
        if bonus
        else Conditions(features)
    )
    return Instance(mechanism, _released(conditions), pairs)


def _sampled(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=6)] = 4,
    sample: Annotated[int, Option("number of rows in the secret sample", minimum=1, maximum=6)] = 3,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables of rows without the feature, which differ by their labels.

    The tables have three rows of one label and one row of the other. The tree has one condition and
    the rate for a sample of three rows. The loss is about the loss that the proof allows.
    """
    mechanism = GibbsTree(epsilon, 1, neighbours=relation(add_remove), rows=rows, sample=sample)
    pairs = neighbouring_tables([(0, 0), (0, 1)], rows, mechanism.neighbours)
    return Instance(mechanism, _released(Conditions(1)), pairs)


def _released(conditions: Conditions) -> Callable[[GibbsTree], Run]:
    def release(learner: GibbsTree) -> Run:
        def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> Tree:
            table = np.array(data, dtype=int).reshape(len(data), conditions.features + 1)
            return learner.fit(conditions, table[:, :-1] == 1, table[:, -1], coins)

        return run

    return release


# ---- greedy cover


def _greedy_cover_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    features: Annotated[int, Option("number of columns of the table", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=8)] = 8,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables of a small size."""
    mechanism = GreedyCover(epsilon, delta, relation(add_remove))

    def release(learner: GreedyCover) -> Callable[[tuple[tuple[int, ...], ...], Coins], str]:
        def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> str:
            table = np.array(data, dtype=int).reshape(len(data), features + 1)
            packed = PackedFeatures.from_matrix(table[:, :-1])
            found = learner.fit(packed, table[:, -1], coins, accuracy=None)
            return found.text().replace("\n", ", ")

        return run

    kinds = list(product((0, 1), repeat=features + 1))
    pairs = neighbouring_tables(kinds, rows, mechanism.neighbours)
    return Instance(mechanism, release, pairs)


# ---- naive bayes


Row = tuple[int, ...]
"""The cell of a row in each column, and the label of the row."""

Columns = Annotated[int, Option("number of columns of the table", minimum=1, maximum=3)]
Cells = Annotated[int, Option("number of cells of the first column", minimum=1, maximum=2)]
OtherCells = Annotated[int, Option("number of cells of each other column", minimum=1, maximum=2)]


def _counts(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(0),
    columns: Columns = 2,
    cells: Cells = 2,
    others: OtherCells = 1,
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=4)] = 1,
    margin: Margin = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables of a small size, with noisy counts clipped to a range.

    The range contains all possible counts and a margin on both sides. Clipping is post-processing.
    For independent Laplace noise, clipping does not reduce the loss between two tables, because the
    loss is constant beyond the range of the true counts. For Gaussian noise, and for noise that
    several counts share, clipping may reduce the loss.
    """
    mechanism = NaiveBayes(epsilon, columns, delta or None, neighbours=relation(add_remove))
    sizes = (cells, *(others,) * (columns - 1))

    def release(learner: NaiveBayes) -> Callable[[tuple[Row, ...], Coins], Tables]:
        def run(data: tuple[Row, ...], coins: Coins) -> Tables:
            places, labels = _arrays(data, columns)
            noisy = CensoredCoins(coins, rows + margin)
            found = learner.release(places, sizes, labels, noisy)
            tables: Tables = clipped(found, -margin, rows + margin)
            return tables

        return run

    return Instance(mechanism, release, _tables(sizes, rows, mechanism.neighbours))


def _gaussian_counts(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 20),
    columns: Columns = 2,
    cells: Cells = 1,
    others: OtherCells = 1,
    margin: Margin = 2,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables with one row, with a delta for discrete Gaussian noise."""
    return _counts(
        epsilon=epsilon,
        delta=delta,
        columns=columns,
        cells=cells,
        others=others,
        margin=margin,
        add_remove=add_remove,
    )


def _arrays(data: tuple[Row, ...], columns: int) -> tuple[list[NDArray[Any]], NDArray[Any]]:
    """Return the cells of each column, and the labels."""
    table = np.array(data, dtype=int).reshape(len(data), columns + 1)
    return list(table.T[:-1]), table[:, -1]


def _tables(sizes: tuple[int, ...], rows: int, neighbours: str) -> Any:
    """Return all neighbouring tables with these numbers of cells."""
    return neighbouring_tables(list(product(*map(range, sizes), (0, 1))), rows, neighbours)


AUDITS = (
    AuditEntry(
        "decision_list_learner",
        "a decision list from a sample of points that have features",
        _rules_instance,
    ),
    AuditEntry(
        "em_cover",
        "sets that cover few items, chosen one after the other",
        _cover_instance,
    ),
    AuditEntry(
        "gibbs_tree",
        "a decision tree from a table of features and labels; rows replaced, or added",
        _gibbs_tree_instance,
        unseen=(
            UndetectedVariant(
                "takes the first rows as the sample instead of random rows",
                "the default instance reads all rows and takes no sample",
                "gibbs_tree_sampled",
            ),
        ),
    ),
    AuditEntry(
        "gibbs_tree_sampled",
        "a decision tree from a secret random sample of the rows",
        _sampled,
    ),
    AuditEntry(
        "greedy_cover",
        "a decision list from a table of features and labels; rows replaced, or added",
        _greedy_cover_instance,
    ),
    AuditEntry(
        "naive_bayes",
        "noisy counts of every column, cell and label; rows replaced, or added",
        _counts,
    ),
    AuditEntry(
        "naive_bayes_gaussian",
        "noisy counts of every column, cell and label, with discrete Gaussian noise",
        _gaussian_counts,
    ),
)
