"""Claims about mechanisms and learners, one module a topic; see `learners.claim_checks`."""
