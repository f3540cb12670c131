"""What is special to incremental parsers: settings, decoders, training, explanation."""
