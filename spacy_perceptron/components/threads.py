"""Pickles of version 0.4 and before look for this class here."""

from ._shared.threads import PipeLock as PipeLock
