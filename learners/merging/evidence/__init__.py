"""Audits and checks of the merging learner."""
