"""Mark multi-word tokens as a treebank does it, and split merged tokens into their words again.

What a token such as French `du` stands for is learned from a treebank that has it as a multi-word
token: for each form (regardless of case) and merged tag, the most frequent words. Tokens that are
not in the table stay as they are. The highest of the new words takes the head and the label that
the token has, and whatever hangs on the token.

Words such as English `do` and `n't` make up their token's text. Where they follow each other
without a space, as a tokenizer may have cut them, they are marked as that multi-word token.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .sentences import NOTHING, ConlluSentence, MultiWord, Word
from .subtokens import highest_word, merged_word

# Heads of words in a table: the head of the token itself.
OUTSIDE = -1


@dataclass(frozen=True)
class Expansion:
    """The words that a token stands for.

    words (tuple[Word, ...]): The words. A head is the index of one of them, or OUTSIDE.
    top (int): The highest of them.
    """

    words: tuple[Word, ...]
    top: int


class Expansions:
    """The multi-word tokens of a treebank.

    sentences (Iterable[ConlluSentence]): The treebank.
    """

    def __init__(self, sentences: Iterable[ConlluSentence]) -> None:
        counts: defaultdict[tuple[str, str], Counter[Expansion]] = defaultdict(Counter)
        for sentence in sentences:
            for multiword in sentence.multiwords:
                key = (multiword.form.lower(), merged_word(sentence, multiword).xpos)
                counts[key][_expansion(sentence, multiword)] += 1
        self._table = {key: found.most_common(1)[0][0] for key, found in counts.items()}
        self._rows = {
            forms
            for (form, _), found in counts.items()
            for expansion in found
            if "".join(forms := tuple(word.form for word in expansion.words)) == form
        }
        self._lengths = sorted({len(forms) for forms in self._rows}, reverse=True)

    def __len__(self) -> int:
        return len(self._table)

    def split(self, sentence: ConlluSentence) -> ConlluSentence:
        """Split the tokens of a sentence that are in the table, and mark words that make up one.

        sentence (ConlluSentence): A sentence without multi-word tokens.
        RETURNS (ConlluSentence): The sentence with them.
        """
        return self._mark(self._split(sentence))

    def _split(self, sentence: ConlluSentence) -> ConlluSentence:
        found = [self._table.get((word.form.lower(), word.xpos)) for word in sentence.words]
        starts, tops, n = [], [], 0
        for expansion in found:
            starts.append(n)
            tops.append(n + (expansion.top if expansion else 0))
            n += len(expansion.words) if expansion else 1
        words: list[Word] = []
        multiwords = []
        for i, (word, expansion) in enumerate(zip(sentence.words, found, strict=True)):
            head = tops[word.head] if word.head is not None and word.head >= 0 else word.head
            if expansion is None:
                words.append(replace(word, head=head))
                continue
            end = starts[i] + len(expansion.words)
            multiwords.append(MultiWord(starts[i], end, word.form, word.misc))
            words.extend(_split_word(replace(word, head=head), expansion, starts[i]))
        return replace(sentence, words=words, multiwords=multiwords)

    def _mark(self, sentence: ConlluSentence) -> ConlluSentence:
        """Mark words in a row that make up a multi-word token."""
        words = list(sentence.words)
        multiwords = list(sentence.multiwords)
        taken = {i for multiword in multiwords for i in range(multiword.start, multiword.end)}
        white = sentence.spaces()
        i = 0
        while i < len(words):
            end = self._end_of_row(words, white, i)
            if end and taken.isdisjoint(range(i, end)):
                form = "".join(word.form for word in words[i:end])
                multiwords.append(MultiWord(i, end, form, words[end - 1].misc))
                words[i:end] = [replace(word, misc=NOTHING) for word in words[i:end]]
                i = end
            else:
                i += 1
        multiwords.sort(key=lambda multiword: multiword.start)
        return replace(sentence, words=words, multiwords=multiwords)

    def _end_of_row(self, words: list[Word], white: list[str], start: int) -> int:
        """The end of the longest multi-word token that starts here, 0 for none."""
        for length in self._lengths:
            end = start + length
            forms = tuple(word.form.lower() for word in words[start:end])
            if forms in self._rows and not any(white[start : end - 1]):
                return end
        return 0


def _expansion(sentence: ConlluSentence, multiword: MultiWord) -> Expansion:
    """What a multi-word token stands for in its sentence."""
    start, end = multiword.start, multiword.end
    top = highest_word(sentence, start, end)
    words = []
    for i in range(start, end):
        word, inside = sentence.words[i], OUTSIDE
        if word.head is not None and start <= word.head < end:
            inside = word.head - start
        elif i != top and word.head != sentence.words[top].head:
            inside = top - start
        words.append(replace(word, form=word.form.lower(), head=inside, misc=NOTHING))
    return Expansion(tuple(words), top - start)


def _split_word(token: Word, expansion: Expansion, start: int) -> Iterable[Word]:
    """The words of one token, which start at this index in their sentence."""
    forms = _forms(token.form, [word.form for word in expansion.words])
    for i, (word, form) in enumerate(zip(expansion.words, forms, strict=True)):
        if i == expansion.top:
            yield replace(word, form=form, head=token.head, deprel=token.deprel)
        elif token.head is None:
            yield replace(word, form=form, head=None, deprel=NOTHING)
        elif word.head == OUTSIDE and token.head >= 0:
            yield replace(word, form=form, head=token.head)
        else:
            inside = expansion.top if word.head in (OUTSIDE, None) else word.head
            yield replace(word, form=form, head=start + inside)


def _forms(text: str, forms: list[str]) -> list[str]:
    """The forms in the case of the token: cut from it where they are its parts."""
    if "".join(forms) == text.lower() and len(text) == len(text.lower()):
        ends = [sum(map(len, forms[: i + 1])) for i in range(len(forms))]
        return [text[end - len(form) : end] for form, end in zip(forms, ends, strict=True)]
    if len(text) > 1 and text.isupper():
        return [form.upper() for form in forms]
    if text[:1].isupper():
        return [forms[0][:1].upper() + forms[0][1:], *forms[1:]]
    return forms
