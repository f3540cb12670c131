"""Structured linear models as first-class spaCy components.

One idea runs through the package: F(x) = argmax over y in GEN(x) of w · Φ(x, y). The search (GEN
and argmax) lives in `decode`, the features Φ in `features`, the weights w and their learners in
`learn`, and `components` joins them into spaCy pipes.
"""

__version__ = "0.3.0"
