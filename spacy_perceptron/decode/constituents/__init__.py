"""Phrase structure: grammars, charts and incremental search."""
