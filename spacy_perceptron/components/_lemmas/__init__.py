"""What a lemmatizer reads and writes: rules for lemmas, gold lemmas, decisions about words."""
