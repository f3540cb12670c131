"""The parts of docs/results.md, one module per benchmark: which columns and notes it shows."""
