"""Named template sets."""
