"""Constituency and dependency trees: brackets, head rules, projectivity, encodings."""
