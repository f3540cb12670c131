"""Training that goes on where it was interrupted, by one process or by several workers."""
