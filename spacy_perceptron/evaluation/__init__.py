"""Counts, metrics, scorers and significance tests."""
