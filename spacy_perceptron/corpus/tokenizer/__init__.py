"""A tokenizer for a corpus: rules that bring spaCy's own tokenizer closer to the corpus's words."""
