"""How systems are trained and timed: one child process for each."""
