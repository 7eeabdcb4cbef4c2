"""Learners that run on any concept class.

A package of the distribution lsclasses.
"""
