"""Majority votes over labels that were received by randomized response."""
