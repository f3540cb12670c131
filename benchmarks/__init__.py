"""Comparisons with peer systems: one run, one machine, one corpus for all of them.

`python -m benchmarks NAME` trains (or reuses) every system, measures it, prints a table and writes
`NAME.json`, `NAME.md` and plots.
"""
