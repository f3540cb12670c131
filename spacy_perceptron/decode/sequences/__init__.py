"""Decoders for sequences: tags and entities, easy-first or left to right."""
