"""How word clusters travel with a pipeline: in the lookups of its vocab.

spaCy saves and loads these with the vocab, so that a pipeline needs no further file, and all its
components share one table. A table of lookups has the packed clusters by name.
"""

from collections.abc import Mapping
from pathlib import Path

from spacy.lookups import Lookups, load_lookups
from spacy.vocab import Vocab

from ...errors import Errors
from ...features.clusters import ClusterTable

TABLE = "spacy_perceptron_clusters"
# Keys of lookups are hashed and can't be empty, so the names are kept as a value of their own.
NAMES = "names"
# What else spaCy's own configs put into the lookups of a vocab.
NORMS = "lexeme_norm"
BINARY = ".bin"
VOCAB = "vocab"


def read_clusters(lookups: Lookups) -> dict[str, bytes]:
    """RETURNS (dict[str, bytes]): The packed clusters of lookups by name."""
    if not lookups.has_table(TABLE):
        return {}
    table = lookups.get_table(TABLE)
    return {name: table[_key(name)] for name in table[NAMES]}


def store_clusters(lookups: Lookups, tables: Mapping[str, bytes]) -> None:
    """Put clusters into lookups, beside those that are there.

    lookups (Lookups): The lookups.
    tables (Mapping[str, bytes]): Packed clusters by name.
    """
    known = {**read_clusters(lookups), **tables}
    if lookups.has_table(TABLE):
        lookups.remove_table(TABLE)
    lookups.add_table(TABLE, {NAMES: [*known], **{_key(name): known[name] for name in known}})


def _key(name: str) -> str:
    return f"table:{name}"


def copy_clusters(source: Vocab, target: Vocab) -> None:
    """Give a vocab the word clusters of another one, for components that come from its pipeline.

    source (Vocab): Has the clusters.
    target (Vocab): Gets them.
    """
    store_clusters(target.lookups, read_clusters(source.lookups))


def load_table(path: Path) -> ClusterTable:
    """Read clusters from a file.

    path (Path): A `.bin` file, or a text file of Liang's format: path, word and count on a line.
    RETURNS (ClusterTable): The table.
    """
    if not path.is_file():
        raise ValueError(Errors.CLUSTERS_FILE.format(path=path))
    if path.suffix == BINARY:
        return ClusterTable.from_bytes(path.read_bytes())
    from .lists import read_clustered_words

    words = [*read_clustered_words(path)]
    return ClusterTable.from_words([w.word for w in words], [w.path for w in words])


def create_cluster_lookups(
    path: Path | None = None,
    tables: Mapping[str, Path] | None = None,
    pipeline: Path | None = None,
    lang: str | None = None,
) -> Lookups:
    """Make lookups with word clusters, registered as `spacy_perceptron.clusters.v1` for the block
    `[initialize.lookups]` of a config.

    path (Optional[Path]): A file with clusters, for templates with `cluster`.
    tables (Optional[Mapping[str, Path]]): Files with further ones by name, for templates with
        `name.cluster`.
    pipeline (Optional[Path]): A saved pipeline whose clusters to take, for components that come
        from it with `source`.
    lang (Optional[str]): A language whose normal forms of words, from the package
        spacy-lookups-data, belong to the lookups too, if they are installed.
    RETURNS (Lookups): The lookups.
    """
    lookups = Lookups()
    if lang is not None:
        norms = load_lookups(lang, [NORMS], strict=False)
        if norms.has_table(NORMS):
            lookups.set_table(NORMS, norms.get_table(NORMS))
    if pipeline is not None:
        store_clusters(lookups, _saved_clusters(Path(pipeline)))
    files = {**({"": path} if path is not None else {}), **(tables or {})}
    store_clusters(lookups, {name: load_table(Path(p)).to_bytes() for name, p in files.items()})
    return lookups


def _saved_clusters(pipeline: Path) -> dict[str, bytes]:
    """The packed clusters of a saved pipeline by name."""
    found = read_clusters(Lookups().from_disk(pipeline / VOCAB))
    if not found:
        raise ValueError(Errors.CLUSTERS_NONE_SAVED.format(path=pipeline))
    return found
