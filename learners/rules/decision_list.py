"""Decision lists over Boolean features: if, else if, ..., else."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catalog.closed_forms.list_rules import LiteralList, WrittenAsList
from learners.playing.base.state import ValueRule
from learners.playing.features import Features, list_over, lists_are_comparable
from learners.rules.packed import Conjunction, PackedFeatures
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer
from lsclasses.point_names import Label, check_label


class Rule(NamedTuple):
    """A rule that predicts its label if its feature holds.

    Attributes
    ----------
    feature : int
        Number of the feature.
    label : int
        Label 0 or 1.
    """

    feature: int
    label: Label


@dataclass(frozen=True)
class DecisionList:
    """A decision list: the label of the first rule whose feature holds, or the default.

    Parameters
    ----------
    rules : iterable of Rule
        Rules of the list, in order.
    default : int
        Label if no feature of a rule holds.
    names : iterable of str or Conjunction
        Meaning of every feature, with or without a rule. A string is the name of a plain feature.

    Raises
    ------
    InvalidInput
        If a label is not 0 or 1, or the feature of a rule has no name.

    Examples
    --------
    >>> from learners.rules import PackedFeatures
    >>> rules = DecisionList([Rule(1, 0), Rule(0, 1)], 0, ["wings", "penguin"])
    >>> print(rules.text(("stays", "flies")))
    if penguin: stays
    else if wings: flies
    else: stays
    >>> rules.labels(PackedFeatures.from_matrix([[1, 1], [1, 0], [0, 0]])).tolist()
    [0, 1, 0]
    """

    rules: tuple[Rule, ...]
    default: Label
    names: tuple[Conjunction, ...]

    def __init__(
        self,
        rules: Iterable[tuple[int, int]],
        default: int,
        names: Iterable[str | Conjunction],
    ) -> None:
        said = tuple(
            name if isinstance(name, Conjunction) else Conjunction(((str(name), True),))
            for name in names
        )
        listed = tuple(Rule(integer(j, "feature"), check_label(b)) for j, b in rules)
        for rule in listed:
            if not 0 <= rule.feature < len(said):
                raise InvalidInput(
                    f"A rule's feature must be one of the {len(said)} that have names, counted "
                    f"from 0. Got {rule.feature}."
                )
        set_frozen_fields(self, rules=listed, default=check_label(default), names=said)

    def labels(self, packed: PackedFeatures) -> NDArray[np.uint8]:
        """Return the labels of all rows, shape (rows,), dtype uint8.

        Raises
        ------
        InvalidInput
            If the numbers of features and of names differ.
        """
        if packed.count != len(self.names):
            raise InvalidInput(
                f"The list is over {len(self.names)} features. Got rows with {packed.count}."
            )
        left = packed.everything
        ones = np.zeros_like(left)
        for rule in self.rules:
            decided = packed.column(rule.feature) & left
            if rule.label:
                ones |= decided
            left ^= decided
            if not left.any():
                break
        if self.default:
            ones |= left
        return packed.unpacked(ones).view(np.uint8)

    def errors(self, packed: PackedFeatures, labels: ArrayLike) -> int:
        """Return the number of rows on which the list differs from the given labels.

        Raises
        ------
        InvalidInput
            If the number of features or of labels is wrong.
        """
        mask = packed.mask(labels)
        return int(np.count_nonzero(self.labels(packed) != packed.unpacked(mask)))

    def text(self, labels: tuple[object, object] = (0, 1)) -> str:
        """Return the decision list in words.

        Parameters
        ----------
        labels : pair
            Names of the labels 0 and 1.
        """
        lines = [
            f"{'else ' if i else ''}if {self.names[rule.feature]}: {labels[rule.label]}"
            for i, rule in enumerate(self.rules)
        ]
        last = f"else: {labels[self.default]}" if lines else f"always: {labels[self.default]}"
        return "\n".join([*lines, last])

    def simplified(self) -> DecisionList:
        """Return an equivalent list without superfluous rules.

        The simplified list leaves out rules that never fire. Whenever the condition of such a rule
        holds, an earlier rule fires. The method also leaves out all rules after a rule that always
        fires, and last rules with the label of the default. It compares only the literals of the
        conjunctions in `names`. For example, it does not use that ``age > 30`` implies ``age >
        20``.

        Examples
        --------
        >>> not_wings = Conjunction((("wings", False),))
        >>> rules = DecisionList([(0, 1), (0, 0), (1, 0), (2, 1)], 1, ["wings", not_wings, "song"])
        >>> print(rules.simplified().text())
        if wings: 1
        else: 0
        """
        failed: list[frozenset[tuple[str, bool]]] = []
        kept: list[Rule] = []
        default = self.default
        for rule in self.rules:
            # The remaining literals of the rule's conjunction if no rule before it fired.
            known = {
                (name, not wanted) for each in failed if len(each) == 1 for name, wanted in each
            }
            test = frozenset(self.names[rule.feature].literals) - known
            negated = {(name, not wanted) for name, wanted in test}
            if negated & (test | known) or any(each <= test for each in failed):
                continue
            if not test:
                default = rule.label
                break
            failed.append(test)
            kept.append(rule)
        while kept and kept[-1].label == default:
            kept.pop()
        return DecisionList(kept, default, self.names)

    def hypothesis(self, features: Features) -> ListHypothesis:
        """Return the list as a hypothesis on the domain of the features.

        Raises
        ------
        InvalidInput
            If the numbers of features and of names differ.

        Examples
        --------
        >>> from learners.playing.features import Literals
        >>> h = DecisionList([(1, 0), (0, 1)], 0, ["wings", "penguin"]).hypothesis(Literals(2))
        >>> h((1, 0)), h((1, 1)), h.to_concept().labels.tolist()
        (1, 0, [0, 0, 1, 0])
        """
        return ListHypothesis(features, self)


class ListHypothesis(WrittenAsList, ValueRule):
    """A decision list as a hypothesis about points.

    Parameters
    ----------
    features : Features
        Features of the points.
    decision_list : DecisionList
        The list.
    """

    __slots__ = ("decision_list", "features")

    def __init__(self, features: Features, decision_list: DecisionList) -> None:
        if features.count != len(decision_list.names):
            raise InvalidInput(
                f"The list is over {len(decision_list.names)} features. Got {features.count}."
            )
        self.features = features
        self.decision_list = decision_list

    def _label_by(self, values: np.ndarray) -> Label:
        for rule in self.decision_list.rules:
            if values[rule.feature]:
                return rule.label
        return self.decision_list.default

    def _is_comparable(self) -> bool:
        return lists_are_comparable(self.features)

    def _as_list(self) -> LiteralList | None:
        return list_over(self.features, self.decision_list.rules, self.decision_list.default)

    def _description(self) -> Hashable:
        return "list", self.features, self.decision_list.rules, self.decision_list.default

    def __repr__(self) -> str:
        return f"<Decision list of {len(self.decision_list.rules)} rules over {self.features!r}>"
