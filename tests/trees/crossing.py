"""A sentence with crossing arcs, and its tree with the arcs lifted."""

# "A hearing is scheduled on the issue today": the phrase "on the issue" belongs to "hearing", but
# stands behind the verb (McDonald et al. 2005).
WORDS = ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today"]
HEADS = [1, 3, 3, 3, 6, 6, 1, 3]
LABELS = ["det", "nsubj", "aux", "ROOT", "case", "det", "nmod", "obl"]
LIFTED_HEADS = [1, 3, 3, 3, 6, 6, 3, 3]
LIFTED_LABELS = ["det", "nsubj", "aux", "ROOT", "case", "det", "nmod||nsubj", "obl"]
