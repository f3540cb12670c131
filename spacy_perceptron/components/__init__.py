"""spaCy components, one public file per factory."""
