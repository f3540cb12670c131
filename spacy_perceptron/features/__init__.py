"""Features: templates, word attributes, hashing and the compiled extractor."""
