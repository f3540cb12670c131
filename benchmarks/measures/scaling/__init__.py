"""Many words and many workers: annotation, memory, and training on shards."""
