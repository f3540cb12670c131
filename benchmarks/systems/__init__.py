"""The systems that are compared, one module per library."""
