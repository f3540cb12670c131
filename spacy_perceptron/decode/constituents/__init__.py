"""Constituency parsing."""
