"""Tables of word clusters: word -> path in a tree of clusters.

A path such as `0110` leads from the root of the tree to a cluster, so that its prefixes name ever
larger clusters (Brown et al. 1992). Words are kept as spaCy's 64-bit hashes in rising order with
the number of their cluster, ten bytes a word, and found by binary search. A table is never changed.
Cost: O(log n) for each word type that features meet for the first time, nothing for a token.
"""
import hashlib
import re

import numpy as np

from libc.stdint cimport int32_t, uint64_t

from ..errors import Errors

from .attributes import hash_string

_MAGIC = b"clusters"
_VERSION = 1
_PATH = re.compile(r"[01]*")
_DIGITS = re.compile(r"\d")
MAX_CLUSTERS = 1 << 16


cdef class ClusterTable:
    """Words and their clusters.

    hashes (np.ndarray): Hashes of the words, rising.
    clusters (np.ndarray): The number of each word's cluster.
    paths (Sequence[str]): The path of each cluster, of the letters 0 and 1.
    """

    cdef readonly tuple paths
    cdef readonly str fingerprint
    cdef object hash_array
    cdef object cluster_array
    cdef const uint64_t[::1] hashes
    cdef const int32_t[::1] clusters

    def __init__(self, hashes, clusters, paths):
        self.hash_array = np.array(hashes, dtype=np.uint64)
        self.cluster_array = np.array(clusters, dtype=np.int32)
        self.paths = tuple(paths)
        _check(self.hash_array, self.cluster_array, self.paths)
        self.hashes = self.hash_array
        self.clusters = self.cluster_array
        self.fingerprint = hashlib.blake2b(self._contents(), digest_size=8).hexdigest()

    @classmethod
    def from_words(cls, words, paths):
        """Make a table.

        words (Sequence[str]): The words. Of words that occur twice, the first one counts.
        paths (Sequence[str]): The path of each.
        RETURNS (ClusterTable): The table.
        """
        numbers = {path: i for i, path in enumerate(sorted({*paths}))}
        rows = {}
        for word, path in zip(words, paths, strict=True):
            rows.setdefault(hash_string(word), numbers[path])
        ordered = sorted(rows)
        return cls(
            np.array(ordered, dtype=np.uint64), [rows[key] for key in ordered], [*numbers]
        )

    def __len__(self):
        return self.hashes.shape[0]

    def find(self, str text not None):
        """The number of a word's cluster. Words that are not in the table are looked for in lower
        case, with all digits folded to 0, and with a capital initial.

        text (str): The word.
        RETURNS (int): The number, an index of `paths`; -1 if there is none.
        """
        cdef int32_t found = self._find(hash_string(text))
        cdef str lower, folded
        if found >= 0:
            return found
        lower = text.lower()
        if lower != text:
            found = self._find(hash_string(lower))
        if found < 0 and not text.isalpha():
            folded = _DIGITS.sub("0", text)
            if folded != text:
                found = self._find(hash_string(folded))
            if found < 0 and folded.lower() != folded:
                found = self._find(hash_string(folded.lower()))
        if found < 0:
            found = self._find(hash_string(lower.capitalize()))
        return found

    cdef int32_t _find(self, uint64_t key) noexcept:
        cdef Py_ssize_t low = 0, high = self.hashes.shape[0], middle
        while low < high:
            middle = (low + high) // 2
            if self.hashes[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < self.hashes.shape[0] and self.hashes[low] == key:
            return self.clusters[low]
        return -1

    def _contents(self):
        paths = "\n".join(self.paths).encode("ascii")
        sizes = np.array([_VERSION, len(self), len(self.paths), len(paths)], dtype="<u8")
        return b"".join(
            [
                _MAGIC,
                sizes.tobytes(),
                self.hash_array.astype("<u8").tobytes(),
                self.cluster_array.astype("<u2").tobytes(),
                paths,
            ]
        )

    def to_bytes(self):
        """RETURNS (bytes): The table."""
        return self._contents()

    @staticmethod
    def from_bytes(bytes data not None):
        """Read a table.

        data (bytes): What `to_bytes` returned.
        RETURNS (ClusterTable): The table.
        """
        start = len(_MAGIC) + 4 * 8
        if not data.startswith(_MAGIC) or len(data) < start:
            raise ValueError(Errors.CLUSTERS_BYTES.format(reason="it does not begin like one"))
        version, n_words, n_paths, n_letters = np.frombuffer(
            data, dtype="<u8", count=4, offset=len(_MAGIC)
        ).tolist()
        if version != _VERSION:
            raise ValueError(Errors.CLUSTERS_BYTES.format(reason=f"its version is {version}"))
        if len(data) != start + 10 * n_words + n_letters:
            raise ValueError(Errors.CLUSTERS_BYTES.format(reason=f"it has {len(data)} bytes"))
        hashes = np.frombuffer(data, dtype="<u8", count=n_words, offset=start)
        clusters = np.frombuffer(data, dtype="<u2", count=n_words, offset=start + 8 * n_words)
        letters = data[start + 10 * n_words:]
        paths = letters.decode("ascii", errors="replace").split("\n") if n_paths else []
        if len(paths) != n_paths:
            raise ValueError(Errors.CLUSTERS_BYTES.format(reason=f"it has {len(paths)} paths"))
        return ClusterTable(hashes, clusters, paths)

    def __reduce__(self):
        return ClusterTable.from_bytes, (self.to_bytes(),)


def _check(hashes, clusters, paths):
    """Refuse what is no table."""
    if hashes.ndim != 1 or hashes.shape != clusters.shape:
        raise ValueError(Errors.CLUSTERS_BYTES.format(reason="words and clusters differ in number"))
    if (hashes[1:] <= hashes[:-1]).any():
        raise ValueError(Errors.CLUSTERS_BYTES.format(reason="its words are not in order"))
    if len(paths) > MAX_CLUSTERS:
        raise ValueError(Errors.CLUSTERS_TOO_MANY.format(n=len(paths), most=MAX_CLUSTERS))
    if len(clusters) and not (0 <= clusters.min() and clusters.max() < len(paths)):
        raise ValueError(Errors.CLUSTERS_BYTES.format(reason="a word has no cluster"))
    wrong = [path for path in paths if not _PATH.fullmatch(path)]
    if wrong:
        raise ValueError(Errors.CLUSTERS_BYTES.format(reason=f"{wrong[0]!r} is not a path"))
