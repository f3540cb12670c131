"""Memory zones that leave nothing behind.

What spaCy meets in a memory zone it forgets after it, but its hash tables keep the places of what
they have forgotten, and double again and again. With a hundred million words they would take
gigabytes. So they are made anew once they are much larger than what is in them. This changes no
string and no hash.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from preshed.maps import PreshMap
from spacy.attrs import NORM
from spacy.language import Language
from spacy.vocab import Vocab

# A table of spaCy's has two to four places for each string. One with this many is made anew, but
# none for fewer than these strings: it takes 2 MB.
_PLACES_PER_STRING = 8
_LEAST_STRINGS = 1 << 14
# Nothing but what `Vocab.from_bytes` always does: it forgets lexemes, which are made when needed.
_PARTS = ("strings", "vectors", "lookups")


@contextmanager
def memory_zone(nlp: Language) -> Iterator[None]:
    """Begin a memory zone of a pipeline.

    nlp (Language): The pipeline. Docs made in the zone must not be used after it.
    """
    try:
        with nlp.memory_zone():
            yield
    finally:
        strings: Any = nlp.vocab.strings
        limit = _PLACES_PER_STRING * max(len(strings), _LEAST_STRINGS)
        if strings._map.capacity > limit:
            shrink_tables(nlp.vocab)


def shrink_tables(vocab: Vocab) -> None:
    """Give back the memory of hash tables that was taken by what is forgotten.

    vocab (Vocab): The vocab; it is not in a memory zone.
    """
    strings: Any = vocab.strings
    smaller = PreshMap()
    for key, place in strings._map.items():
        smaller[key] = place
    strings._map = smaller
    # It would put another layer around what looks up the normal forms of words.
    getters: dict[int, Any] = vocab.lex_attr_getters  # type: ignore[attr-defined]
    get_norm = getters.get(NORM)
    vocab.from_bytes(vocab.to_bytes(exclude=_PARTS), exclude=_PARTS)
    if get_norm is not None:
        getters[NORM] = get_norm
