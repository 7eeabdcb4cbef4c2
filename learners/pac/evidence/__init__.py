"""Evidence for learners from samples: audited instances and recomputed claims."""
