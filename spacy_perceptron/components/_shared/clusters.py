"""The word clusters that a component's templates ask for, from the vocab of its pipeline.

A component keeps the fingerprints of the tables that it was trained with, not the tables. They are
looked for when a word needs them: a component that is sourced can be there before they are.
"""

from collections.abc import Iterable, Mapping

from spacy.vocab import Vocab

from ...corpus.clusters.carrier import read_clusters
from ...errors import Errors
from ...features.attributes import parse_cluster
from ...features.clusters import ClusterTable


def table_names(attributes: Iterable[str]) -> set[str]:
    """RETURNS (set[str]): The names of the tables that attributes need."""
    return {found.table for name in attributes if (found := parse_cluster(name)) is not None}


def find_tables(
    vocab: Vocab, names: Iterable[str], expected: Mapping[str, str], component: str
) -> dict[str, ClusterTable]:
    """Find tables of clusters.

    vocab (Vocab): Has them.
    names (Iterable[str]): Their names.
    expected (Mapping[str, str]): The fingerprints that they must have, as far as it is known.
    component (str): Who needs them.
    RETURNS (dict[str, ClusterTable]): The tables by name.
    """
    packed = read_clusters(vocab.lookups)
    tables = {}
    for name in sorted(names):
        if name not in packed:
            known = ", ".join(_title(other) for other in packed) or "none"
            raise ValueError(
                Errors.CLUSTERS_MISSING.format(name=component, table=_title(name), known=known)
            )
        table = ClusterTable.from_bytes(packed[name])
        saved = expected.get(name, table.fingerprint)
        if saved != table.fingerprint:
            raise ValueError(
                Errors.CLUSTERS_OTHER.format(
                    name=component, table=_title(name), saved=saved, found=table.fingerprint
                )
            )
        tables[name] = table
    return tables


def _title(name: str) -> str:
    return f"the word clusters '{name}'" if name else "word clusters without a name"
