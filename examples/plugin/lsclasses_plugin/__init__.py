"""One of each: a class, a dimension, an adversary, a mechanism, a learner and a sanitizer."""
