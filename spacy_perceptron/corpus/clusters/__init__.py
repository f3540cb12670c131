"""Word clusters: learned from raw text, made of vectors, or taken from spaCy's tables."""
