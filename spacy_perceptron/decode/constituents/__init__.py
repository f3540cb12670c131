"""Phrase structure: a chart for treebank grammars, and incremental search."""
