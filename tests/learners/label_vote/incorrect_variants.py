"""Broken twins of the vote of randomized labels, which its audit has to see."""

from __future__ import annotations

from learners.label_vote.evidence import HonestOnTies
from tests.learners.breaking import Twin, multiplied, relative

TWINS = (
    Twin("label_vote", "a label that breaks a tie is kept", relative(HonestOnTies)),
    Twin("label_vote", "labels are flipped at twice the epsilon", multiplied("epsilon")),
)
