"""Which words are punctuation, in any language."""

import unicodedata
from functools import lru_cache
from typing import Final

# Punctuation to Unicode, but read aloud; and the other way round.
_WORDS: Final = frozenset("%&@#*\u2030\u00a7\uff05\uff06")
_MARKS: Final = frozenset("`\u00b4")


@lru_cache(1 << 15)
def is_punctuation(word: str) -> bool:
    """RETURNS (bool): Whether a word is nothing but punctuation; `%` and `&` are words."""
    return all(
        char in _MARKS or (unicodedata.category(char)[0] == "P" and char not in _WORDS)
        for char in word
    )
