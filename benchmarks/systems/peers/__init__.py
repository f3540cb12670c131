"""The systems this package is compared with, one module per library."""
