"""spaCy components, one public file each. What spaCy is told of them is in `factories`."""
