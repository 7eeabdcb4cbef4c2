"""POP, private online prediction by noisy votes of copies of any base learner [KMMNS23]."""
