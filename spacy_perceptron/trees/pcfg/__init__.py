"""A smoothed treebank grammar and its parser: a baseline for constituency."""
