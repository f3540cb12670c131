"""What the benchmarks that compare systems have in common."""
