"""Learners in which mistakes vote for the concept that remains: online and from a sample."""
