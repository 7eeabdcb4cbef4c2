"""Lower bounds on the rows and the mistakes of private learners, with explicit constants."""
