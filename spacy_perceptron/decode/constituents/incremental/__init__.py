"""Left-to-right parsing, word by word, with a beam: for `incremental_parser`."""
