"""Learners of rules: instances that are audited, and claims that are recomputed."""
