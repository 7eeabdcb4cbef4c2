"""POP, private online prediction by noisy votes of copies of a base learner [KMMNS23]."""
