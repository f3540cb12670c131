"""One class per word, each chosen on its own among the word's candidates."""
