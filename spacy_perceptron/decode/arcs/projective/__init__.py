"""Projective trees: Eisner's algorithm and its second- and third-order extensions."""
