"""Chart parsing with a binary grammar."""
