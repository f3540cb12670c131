"""CoNLL-U as plain data: sentences, their file format, and multi-word tokens."""
