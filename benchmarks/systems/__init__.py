"""The systems that are compared: this package's own and its peers."""
