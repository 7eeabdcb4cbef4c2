"""Tests of `learners.pac`, one file a module."""
