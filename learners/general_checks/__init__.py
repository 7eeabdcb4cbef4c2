"""Claims about mechanisms and learners, one module per topic. `learners.claim_checks` runs them."""
