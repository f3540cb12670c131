"""Converters and corpus readers."""
