"""Evidence for learners of rules: audited instances and recomputed claims."""
