"""Learners that run on any concept class."""
