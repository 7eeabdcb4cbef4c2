"""Learners from samples: instances that are audited, and claims that are recomputed."""
