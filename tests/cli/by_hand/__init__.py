"""Components with answers worked out by hand."""
