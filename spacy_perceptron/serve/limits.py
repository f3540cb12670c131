"""What the playground accepts."""

from ..values import Values

# spaCy's own limit is a million characters.
MAX_CHARS = Values(int, at_least=1, at_most=1_000_000)
# The most answers that can be asked for at once.
MAX_K = 50
