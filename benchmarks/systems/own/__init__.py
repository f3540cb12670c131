"""This package's systems, trained from its shipped configs."""
