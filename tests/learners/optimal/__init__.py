"""Tests of the best private learners."""
