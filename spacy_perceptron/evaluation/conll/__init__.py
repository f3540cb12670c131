"""The measures of the CoNLL 2018 shared task, from raw text to Universal Dependencies."""
