"""Learners in which each mistake votes for one concept: online and from a sample."""
