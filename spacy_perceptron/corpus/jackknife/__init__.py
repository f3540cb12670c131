"""Jackknifing: annotate each fold of a corpus with components trained on the others."""
