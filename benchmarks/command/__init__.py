"""What all commands share: their names, options and paths."""
