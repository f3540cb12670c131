"""What components share: their life cycle, saving, threads, settings, words and gold."""
