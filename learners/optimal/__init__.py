"""The best private learners of small classes, with proofs of both bounds."""
