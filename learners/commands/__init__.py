"""The commands about learners: play, learn from tables, audit, verify."""
