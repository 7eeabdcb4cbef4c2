"""The verdicts of a computation on a statement, with the same words for facts, bounds and audits.

No verdict means *proved*, because a statement that holds on an instance may be false on another
instance.
"""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """A verdict, from the least to the most severe.

    Parameters
    ----------
    word : str
        Word in tables and files, and value of the verdict.
    more : str
        Words that follow the word if the verdict is printed in full.

    Examples
    --------
    >>> Verdict.HOLDS, Verdict.HOLDS.in_full
    ('holds', 'holds exactly on this instance')
    >>> [*Verdict]  # doctest: +NORMALIZE_WHITESPACE
    ['holds', 'erratum', 'consistent', 'exceeded', 'vacuous', 'of the mean', 'does not apply',
     'undecided', 'violated']
    >>> max(Verdict.VIOLATED, Verdict.HOLDS, key=[*Verdict].index)
    'violated'
    """

    HOLDS = "holds", " exactly on this instance"
    """The statement is true on the instance. All possible outcomes were computed."""
    ERRATUM = "erratum"
    """The corrected statement is true, and the computation refutes the printed statement."""
    CONSISTENT = "consistent"
    """The samples do not contradict the claim."""
    EXCEEDED = "exceeded", ", no more often than it may be"
    """Some runs exceed the bound, but not more runs than its failure probability explains."""
    VACUOUS = "vacuous", " here"
    """The bound is vacuous: every possible value on the instance satisfies the bound."""
    OF_THE_MEAN = "of the mean", ", which single games do not show"
    """The bound is on an expectation, so single games cannot test it."""
    DOES_NOT_APPLY = "does not apply"
    """A hypothesis of the statement is not met on the instance."""
    UNDECIDED = "undecided"
    """The computation was stopped, or is not precise enough."""
    VIOLATED = "violated"
    """The computation contradicts the statement."""

    in_full: str

    def __new__(cls, word: str, more: str = "") -> Verdict:
        """Make a verdict from its word and the words that follow it in full."""
        verdict = str.__new__(cls, word)
        verdict._value_ = word
        verdict.in_full = word + more
        return verdict

    def __repr__(self) -> str:
        # This must be a function, because Sphinx uses the representation of the enumeration.
        return str.__repr__(self)
