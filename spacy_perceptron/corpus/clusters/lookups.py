"""Brown clusters from spaCy's tables (package `spacy-lookups-data`).

A table maps words to integers whose lowest bit is the first branch from the root, so that the
branches to the left at the end of a path are lost. All paths are padded with them to the length of
the longest one, which keeps their prefixes. 0 stands for no cluster.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spacy.lookups import load_language_data
from spacy.util import registry

from ...errors import Errors
from ...values import join_words
from .encoding import fold_digits
from .lists import ClusteredWord, in_order, rank_counts

TABLE = "lexeme_cluster"


def lookup_clusters(lang: str) -> list[ClusteredWord]:
    """Read the clusters of a language.

    lang (str): The language code.
    RETURNS (list[ClusteredWord]): The words. Their counts are not known: they fall with the rank.
    """
    (table,) = load_tables(lang, (TABLE,))
    return decode_table(table)


def load_tables(lang: str, names: Sequence[str]) -> list[dict[str, Any]]:
    """Load tables as they are; `load_lookups` would turn their words into hashes.

    lang (str): The language code.
    names (Sequence[str]): The names of the tables.
    RETURNS (list[dict[str, Any]]): The tables.
    """
    tables = {name: registry.lookups.get(name) for name in sorted(registry.lookups.get_all())}
    if not tables:
        raise ValueError(Errors.CLUSTERS_NO_LOOKUPS)
    if not set(names) <= set(tables.get(lang, ())):
        options = ", ".join(name for name, found in tables.items() if set(names) <= set(found))
        raise ValueError(
            Errors.CLUSTERS_LOOKUPS.format(tables=join_words(names), lang=lang, options=options)
        )
    return [dict(load_language_data(tables[lang][name])) for name in names]


def decode_table(table: Mapping[str, int]) -> list[ClusteredWord]:
    """Turn the integers of a table into paths.

    table (Mapping[str, int]): Words, frequent ones first, and integers.
    RETURNS (list[ClusteredWord]): The words that have a cluster. Of words that are the same with
        their digits folded, the most frequent one counts.
    """
    known = {word: number for word, number in table.items() if number}
    width = max((number.bit_length() for number in known.values()), default=0)
    paths: dict[str, str] = {}
    for word, number in known.items():
        paths.setdefault(fold_digits(word), f"{number:0{width}b}"[::-1])
    return in_order([*paths], [*paths.values()], rank_counts(len(paths)))
