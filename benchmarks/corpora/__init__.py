"""What systems are trained and judged on: corpora, sentences, candidate lists."""
