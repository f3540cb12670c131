"""Parsing with a chart of scored spans."""
