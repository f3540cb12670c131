"""Lists of clustered words, in the text format of Liang's program for Brown clusters.

Each line has the path of a cluster in a binary tree, a word, and how often it occurs, with tabs
between them. Prefixes of a path name larger clusters (Brown et al. 1992, Liang 2005).
"""

import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import Errors
from ...values import join_words
from .opening import open_text

SUFFIXES = (".txt", ".txt.gz", ".bin")
_PATH = re.compile("[01]+")


@dataclass(frozen=True)
class ClusteredWord:
    """A word and its cluster.

    word (str): The word, with digits folded to 0.
    path (str): The way from the root of the tree to the cluster: letters 0 and 1.
    count (int): How often the word occurs.
    """

    word: str
    path: str
    count: int


def read_clustered_words(path: str | Path) -> list[ClusteredWord]:
    """Read a list of clustered words.

    path (str | Path): The file, packed if its name ends in .gz.
    RETURNS (list[ClusteredWord]): The words, in the order of the file.
    """
    path = Path(path)
    if path.suffix == ".bin":
        raise ValueError(Errors.CLUSTERS_COMPILED.format(path=path))
    words = [_parse(f"{path}:{n}", line) for n, line in _lines(path)]
    if not words:
        raise ValueError(Errors.CLUSTERS_EMPTY.format(path=path))
    return words


def write_clustered_words(words: Iterable[ClusteredWord], path: str | Path) -> None:
    """Write a list of clustered words. The same words always give the same bytes.

    words (Iterable[ClusteredWord]): The words.
    path (str | Path): The file; packed if its name ends in .gz.
    """
    path = Path(path)
    text = "".join(f"{entry.path}\t{entry.word}\t{entry.count}\n" for entry in words)
    data = text.encode("utf-8")
    # With a time in it, no two files would be the same.
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def save_clusters(words: Sequence[ClusteredWord], path: str | Path) -> None:
    """Write clusters in the format that the name of the file asks for.

    words (Sequence[ClusteredWord]): The words.
    path (str | Path): A list (.txt, .txt.gz), or a compiled table without words (.bin).
    """
    path = Path(path)
    check_output(path)
    if path.suffix != ".bin":
        write_clustered_words(words, path)
        return
    from ...features.clusters import ClusterTable

    table = ClusterTable.from_words([e.word for e in words], [e.path for e in words])
    path.write_bytes(table.to_bytes())


def check_output(path: Path) -> None:
    """Raise ValueError if the name of a file does not tell its format."""
    if not path.name.endswith(SUFFIXES):
        message = Errors.CLUSTERS_OUTPUT.format(path=path, options=join_words(SUFFIXES))
        raise ValueError(message)


def in_order(
    words: Sequence[str], paths: Sequence[str], counts: Iterable[int]
) -> list[ClusteredWord]:
    """Put words into the order in which they are written: by cluster, frequent words first.

    words (Sequence[str]): The words. Those of the same cluster and count stay in this order.
    paths (Sequence[str]): The path of each.
    counts (Iterable[int]): The count of each.
    RETURNS (list[ClusteredWord]): The words.
    """
    entries = [ClusteredWord(*row) for row in zip(words, paths, counts, strict=True)]
    return sorted(entries, key=lambda entry: (entry.path, -entry.count))


def rank_counts(n: int) -> list[int]:
    """RETURNS (list[int]): Counts for n words of which the ranks alone are known, by Zipf's law."""
    return [n // rank for rank in range(1, n + 1)]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines that are not blank. Words can have any line breaks but \\n in them."""
    with open_text(path) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line.rstrip("\r\n")


def _parse(where: str, line: str) -> ClusteredWord:
    cells = line.split("\t")
    if len(cells) != 3 or not (cells[1] and _PATH.fullmatch(cells[0]) and cells[2].isdecimal()):
        raise ValueError(Errors.CLUSTERS_LINE.format(where=where, line=line))
    return ClusteredWord(cells[1], cells[0], int(cells[2]))
