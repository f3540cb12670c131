"""Training configs made to order: blocks of commented settings, and what to choose for a corpus."""
