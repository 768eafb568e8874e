"""Who solved what, in the notebooks that learners handed in: judged locked in, reported as a table."""
