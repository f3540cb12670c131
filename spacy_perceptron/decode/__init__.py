"""Search and inference on arrays, without spaCy: one room per kind of structure."""
