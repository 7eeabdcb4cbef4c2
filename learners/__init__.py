"""Learners that run on any concept class.

A package of the distribution lsclasses.
"""

from learners.moved import MOVED as MOVED
