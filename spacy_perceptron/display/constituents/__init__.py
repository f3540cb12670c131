"""Constituency trees: on the page of n-best answers, in notebooks and in the terminal."""
