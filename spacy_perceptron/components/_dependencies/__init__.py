"""What dependency parsers share: reading and writing Docs, gold trees, explanations."""
