"""Fuzzing: every component with Docs, Examples, settings and saved bytes of all kinds.

Everything random is drawn from a `random.Random`. A long run (`python -m tests.fuzz`) seeds one for
each case; the short run in the test suite gets its from hypothesis, which shrinks what fails.
"""
