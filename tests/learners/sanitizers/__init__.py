"""Tests of `learners.sanitizers`, one file a module."""
