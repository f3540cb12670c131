"""Comparisons with peer systems: one run, one machine and one corpus for all.

`python -m benchmarks NAME` trains (or reuses) every system, measures it, prints a table and writes
`NAME.json`, `NAME.md` and plots. `python -m benchmarks results` writes docs/results.md from them.

The named benchmarks are here. They compare `systems`, trained and timed in child `processes`, on
`corpora`; `measures` says what is measured, `report`, `pages` and `plots` how it is shown.
"""
