"""Private prediction from experts: instances that are audited, and claims that are recomputed."""
