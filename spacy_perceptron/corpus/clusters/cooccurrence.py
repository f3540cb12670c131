"""How often words stand beside others: counts, and what is surprising about them.

A row of the matrix is a word, a column is a context: one of the frequent words, or the boundary of
a sentence, at a certain distance to the left or to the right. Counts become positive pointwise
mutual information, max(0, log p(w, c) / (p(w) p(c))). Two corrections keep rare events from
standing out: p(c) is made of counts to the power of 0.75 (Levy, Goldberg & Dagan 2015), and the
information is discounted by n(w, c) / (n(w, c) + 1) and by m / (m + 1) for the smaller one, m, of
n(w) and n(c) (Pantel & Lin 2002). Cost: O(n) time for n words of text; memory in proportion to the
different pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .encoding import BOUNDARY, EncodedText

SMOOTHING = 0.75


@dataclass
class WordCounts:
    """The words to cluster, frequent ones first.

    words (list[str]): The words.
    counts (np.ndarray): How often each of them occurs.
    ids (np.ndarray): Their ids in the text.
    """

    words: list[str]
    counts: np.ndarray
    ids: np.ndarray


def rank_words(text: EncodedText, min_count: int) -> WordCounts:
    """Choose the words to cluster.

    text (EncodedText): The text.
    min_count (int): How often a word has to occur.
    RETURNS (WordCounts): The words. Of those with the same count, the first one in the text leads.
    """
    order = np.argsort(-text.counts, kind="stable")
    ids = order[text.counts[order] >= max(min_count, 1)]
    return WordCounts([text.words[i] for i in ids], text.counts[ids], ids)


def count_contexts(
    text: EncodedText, ranked: WordCounts, *, offsets: Sequence[int], n_contexts: int
) -> sparse.csr_matrix:
    """Count the contexts of words.

    text (EncodedText): The text, with as many boundaries between sentences as the largest offset.
    ranked (WordCounts): The words to cluster.
    offsets (Sequence[int]): Where contexts stand: -1 is the word before, 1 the word behind.
    n_contexts (int): How many of the most frequent words are contexts.
    RETURNS (sparse.csr_matrix): A row for each word; for each offset, a column for the boundary and
        columns for the frequent words.
    """
    n_contexts = min(n_contexts, len(ranked.ids))
    rows = np.full(len(text.words), -1, dtype=np.int32)
    rows[ranked.ids] = np.arange(len(ranked.ids), dtype=np.int32)
    columns = np.full(len(text.words), -1, dtype=np.int32)
    columns[ranked.ids[:n_contexts]] = np.arange(1, n_contexts + 1, dtype=np.int32)
    columns[BOUNDARY] = 0
    width = n_contexts + 1
    shape = (len(ranked.ids), width * len(offsets))
    total = sparse.csr_matrix(shape, dtype=np.int32)
    waiting: list[sparse.csr_matrix] = []
    reach = max(map(abs, offsets))
    for block in text.blocks(reach):
        for i, offset in enumerate(offsets):
            first, second = block[reach - abs(offset) : len(block) - abs(offset)], block[reach:]
            words, contexts = (second, first) if offset < 0 else (first, second)
            r, c = rows[words], columns[contexts]
            known = (r >= 0) & (c >= 0)
            ones = np.ones(np.count_nonzero(known), dtype=np.int32)
            found = sparse.coo_matrix((ones, (r[known], c[known] + i * width)), shape=shape)
            waiting.append(found.tocsr())
        # Adding costs the size of the sum: it is put off until there is as much to add.
        if sum(part.nnz for part in waiting) > total.nnz:
            total, waiting = sum(waiting, start=total), []
    return sum(waiting, start=total)


def positive_information(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Weigh counts by positive pointwise mutual information, discounted for rare events.

    counts (sparse.csr_matrix): The counts of words (rows) and contexts (columns).
    RETURNS (sparse.csr_matrix): The weights; those that are not positive are left out.
    """
    found = counts.tocoo()
    in_row = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    in_column = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    share = in_column**SMOOTHING / (in_column**SMOOTHING).sum()
    values = np.log(found.data / (in_row[found.row] * share[found.col]))
    smaller = np.minimum(in_row[found.row], in_column[found.col])
    values *= found.data / (found.data + 1) * (smaller / (smaller + 1))
    good = values > 0
    entries = values[good].astype(np.float32), (found.row[good], found.col[good])
    return sparse.csr_matrix(entries, shape=counts.shape)
