"""Dependency trees as drawings."""
