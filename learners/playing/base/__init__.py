"""Base online learners: immutable states with a mistake bound, which private learners copy."""
