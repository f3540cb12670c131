"""What entity recognition adds: reading and writing entities, tags, lists of names."""
