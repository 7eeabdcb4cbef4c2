"""Tests of `learners.batch`, one file a module."""
