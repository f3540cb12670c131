"""CoNLL-U and Docs: from one to the other and back."""
