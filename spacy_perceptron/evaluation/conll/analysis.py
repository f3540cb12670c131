"""CoNLL-U sentences as words with places in the text, so that two analyses of a text compare.

A place is a span of characters, white space left out. A word that is part of a multi-word token has
the place of the token: where exactly it is in the text is not defined.
"""

from collections.abc import Sequence

from ...errors import Errors
from ...trees.conllu.sentences import ConlluSentence, Word
from ...trees.projectivity import check_tree

Span = tuple[int, int]
ROOT_HEAD = -1


class Analysis:
    """The analysis of a text.

    sentences (Sequence[ConlluSentence]): Its sentences.
    name (str): Whose analysis it is, for messages.
    """

    def __init__(self, sentences: Sequence[ConlluSentence], name: str = "") -> None:
        self.name = name
        self.sentence_spans: list[Span] = []
        self.token_spans: list[Span] = []
        self.words: list[Word] = []
        self.spans: list[Span] = []
        self.is_multiword: list[bool] = []
        # Indices of words in the whole text: ROOT_HEAD for a root, None for a missing head.
        self.heads: list[int | None] = []
        self.children: list[list[int]] = []
        parts: list[str] = []
        position = 0
        for number, sentence in enumerate(sentences, start=1):
            self._check(sentence, number)
            offset, start = len(self.words), position
            for form, first, end, _ in sentence.tokens():
                characters = "".join(form.split())
                parts.append(characters)
                span = (position, position + len(characters))
                position = span[1]
                self.token_spans.append(span)
                self.spans.extend([span] * (end - first))
                self.is_multiword.extend([self._is_range(sentence, first)] * (end - first))
            self.sentence_spans.append((start, position))
            self.words.extend(sentence.words)
            self.heads.extend(
                word.head if word.head in (None, ROOT_HEAD) else offset + (word.head or 0)
                for word in sentence.words
            )
        self.lemmas = [word.lemma for word in self.words]
        self.characters = "".join(parts)
        self.children = [[] for _ in self.words]
        for i, head in enumerate(self.heads):
            if head is not None and head != ROOT_HEAD:
                self.children[head].append(i)

    @staticmethod
    def _is_range(sentence: ConlluSentence, first: int) -> bool:
        return any(multiword.start == first for multiword in sentence.multiwords)

    def _check(self, sentence: ConlluSentence, number: int) -> None:
        """Refuse what is no tree, as the shared task does. Missing heads are just wrong."""
        heads = [word.head for word in sentence.words]
        roots = heads.count(ROOT_HEAD)
        if roots != 1 and None not in heads:
            raise ValueError(Errors.CONLL_ROOTS.format(name=self.name, number=number, found=roots))
        own = [i for i, head in enumerate(heads) if head == i]
        tree = check_tree([i if head == ROOT_HEAD else head for i, head in enumerate(heads)])
        if own or tree.cycle:
            raise ValueError(Errors.CONLL_CYCLE.format(name=self.name, number=number))


def check_same_text(gold: Analysis, system: Analysis) -> None:
    """Raise ValueError unless two analyses are of the same text.

    gold (Analysis): One of them.
    system (Analysis): The other.
    """
    a, b = gold.characters, system.characters
    if a == b:
        return
    shorter = min(len(a), len(b))
    place = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    shown = slice(place, place + 20)
    raise ValueError(
        Errors.CONLL_TEXT.format(
            gold=gold.name, system=system.name, place=place, a=a[shown], b=b[shown]
        )
    )
