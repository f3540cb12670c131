"""Dependency trees as labelled trees, so that a subset-tree kernel can compare them.

A word `m` with label `d` and tag `t` becomes

    (d  (w word)  (t  (<t ...)  (t> ...)))

The dependents on either side form a chain under `<t` or `t>`, from the innermost outwards. Each
link consists of the head word once more, a dependent and the rest of the chain:

    (t>  (w word)  (d' ...)  (t> ...))          and at the end          (t> STOP)

A kernel over such trees counts what higher-order parsers have features for: an arc with its label,
its direction and the tags of both ends is a fragment of two productions. Each word adds one, as do
a sibling and the end of a chain; a grandparent adds two. With flat rules, where a word and all its
dependents are one production, most productions would be seen only once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from spacy.strings import StringStore

from ..learn.kernels.structures import Trees

WORD = "w"
STOP = "STOP"
_DEPENDENT, _PHRASE, _LEFT, _RIGHT = range(4)


@dataclass(frozen=True)
class DependencyEncoding:
    """Which parts of dependency trees become nodes.

    labels (bool): Use labels of arcs; otherwise all dependents are alike.
    words (bool): Use words; otherwise only tags.
    """

    labels: bool = True
    words: bool = True

    def __call__(
        self,
        heads: Sequence[Sequence[int]],
        labels: Sequence[Sequence[str]],
        tags: Sequence[str],
        words: Sequence[str],
        strings: StringStore,
    ) -> Trees:
        """Encode some trees of one sentence.

        heads (Sequence[Sequence[int]]): For each tree, the head of each token; a root is its own
            head. Several roots get one more node above them.
        labels (Sequence[Sequence[str]]): For each tree, the label of each token.
        tags (Sequence[str]): The tokens' tags.
        words (Sequence[str]): The tokens' words.
        strings (StringStore): Gives labels of nodes their ids.
        RETURNS (Trees): The encoded trees.
        """
        tokens = [
            self._token_ids(tag, word, strings) for tag, word in zip(tags, words, strict=True)
        ]
        ids = {label: strings.add(label) for row in labels for label in row}
        plain = strings.add("dep")
        node_labels: list[int] = []
        n_children: list[int] = []
        offsets = [0]
        for tree_heads, tree_labels in zip(heads, labels, strict=True):
            arcs = [ids[label] if self.labels else plain for label in tree_labels]
            self._encode(tree_heads, arcs, tokens, strings, node_labels, n_children)
            offsets.append(len(node_labels))
        return Trees(
            np.array(node_labels, np.uint64), np.array(n_children, np.int32), np.array(offsets)
        )

    @staticmethod
    def _token_ids(tag: str, word: str, strings: StringStore) -> tuple[int, int, int, int]:
        """Ids of a token's phrase, left chain, right chain and word."""
        return (
            strings.add(tag),
            strings.add(f"<{tag}"),
            strings.add(f"{tag}>"),
            strings.add(word.lower()),
        )

    def _encode(
        self,
        heads: Sequence[int],
        arcs: Sequence[int],
        tokens: Sequence[tuple[int, int, int, int]],
        strings: StringStore,
        node_labels: list[int],
        n_children: list[int],
    ) -> None:
        """Append the nodes of one tree, in pre-order."""
        left: list[list[int]] = [[] for _ in heads]
        right: list[list[int]] = [[] for _ in heads]
        roots = []
        for m, head in enumerate(heads):
            if head == m:
                roots.append(m)
            elif m < head:
                # Innermost first.
                left[head].insert(0, m)
            else:
                right[head].append(m)
        word_id, stop_id = strings.add(WORD), strings.add(STOP)

        def add(label: int, n: int) -> None:
            node_labels.append(label)
            n_children.append(n)

        def add_word(m: int) -> None:
            if self.words:
                add(word_id, 1)
                add(tokens[m][3], 0)

        n_words = int(self.words)
        if len(roots) != 1:
            add(stop_id, len(roots))
        stack = [(_DEPENDENT, m, 0) for m in reversed(roots)]
        while stack:
            kind, m, place = stack.pop()
            if kind == _DEPENDENT:
                add(arcs[m], 1 + n_words)
                add_word(m)
                stack.append((_PHRASE, m, 0))
            elif kind == _PHRASE:
                add(tokens[m][0], 2)
                stack += [(_RIGHT, m, 0), (_LEFT, m, 0)]
            else:
                chain = left[m] if kind == _LEFT else right[m]
                if place == len(chain):
                    add(tokens[m][1 if kind == _LEFT else 2], 1)
                    add(stop_id, 0)
                else:
                    add(tokens[m][1 if kind == _LEFT else 2], 2 + n_words)
                    add_word(m)
                    stack += [(kind, m, place + 1), (_DEPENDENT, chain[place], 0)]
