"""How well a tokenizer reproduces the tokens of a corpus.

A pipeline is trained on the tokens of a treebank but meets those of its tokenizer. Every token
that they do not share costs a tag, a lemma and an arc. Tokens are compared by the characters they
cover in the text; white space tokens do not count.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import get_lang_class

from ..errors import Errors, Warnings
from .spaces import is_white

# Below this F, the language or the way of cutting words is likely to be another one.
LOW_F = 0.9
# Below this share of letters, the text is likely to be in another script.
LOW_SCRIPT = 0.5
Pieces = tuple[str, ...]


@dataclass
class TokenComparison:
    """Counts of tokens in a corpus and as a tokenizer cuts its text.

    gold (int): Tokens of the corpus.
    predicted (int): Tokens of the tokenizer.
    same (int): Tokens that both have.
    differences (Counter[tuple[Pieces, Pieces]]): The shortest stretches of text that are cut
        differently: the corpus's tokens, the tokenizer's tokens, and how often.
    """

    gold: int = 0
    predicted: int = 0
    same: int = 0
    differences: Counter[tuple[Pieces, Pieces]] = field(default_factory=Counter)

    @property
    def precision(self) -> float:
        """The share of the tokenizer's tokens that the corpus has too."""
        return self.same / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the corpus's tokens that the tokenizer reproduces."""
        return self.same / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of both."""
        total = self.gold + self.predicted
        return 2 * self.same / total if total else 0.0


def compare_tokens(docs: Iterable[Doc], tokenizer: Callable[[str], Doc]) -> TokenComparison:
    """Tokenize the text of Docs and compare the result with their tokens.

    docs (Iterable[Doc]): Docs with the tokens of the corpus.
    tokenizer (Callable[[str], Doc]): The tokenizer, such as `nlp.tokenizer`.
    RETURNS (TokenComparison): The counts.
    """
    result = TokenComparison()
    for doc in docs:
        gold, predicted = _spans(doc), _spans(tokenizer(doc.text))
        result.gold += len(gold)
        result.predicted += len(predicted)
        result.same += len(set(gold).intersection(predicted))
        for ours, theirs in _stretches(gold, predicted):
            if ours != theirs:
                pieces = [tuple(doc.text[i:j] for i, j in spans) for spans in (ours, theirs)]
                result.differences[pieces[0], pieces[1]] += 1
    return result


def make_tokenizer(lang: str) -> Callable[[str], Doc]:
    """The tokenizer that a blank pipeline of a language has.

    lang (str): The language code.
    RETURNS (Callable[[str], Doc]): The tokenizer.
    """
    try:
        nlp: Language = get_lang_class(lang)()
    except ImportError as error:
        raise ValueError(Errors.TOKENS_LANG.format(lang=lang, error=error)) from error
    return nlp.tokenizer


def token_warnings(docs: Iterable[Doc], lang: str, compared: TokenComparison) -> list[str]:
    """What speaks against a language for a corpus.

    docs (Iterable[Doc]): The corpus.
    lang (str): The language code.
    compared (TokenComparison): How its tokenizer does on the corpus.
    RETURNS (list[str]): Sentences; empty if all is well.
    """
    found = []
    share = script_share(docs, lang)
    if share is not None and share < LOW_SCRIPT:
        found.append(Warnings.TOKENS_SCRIPT.format(lang=lang, share=100 * share))
    if compared.gold and compared.f < LOW_F:
        found.append(Warnings.TOKENS_LOW.format(lang=lang, f=100 * compared.f))
    return found


def script_share(docs: Iterable[Doc], lang: str) -> float | None:
    """The share of the letters of a corpus that are in a script of a language, as its stop words
    show it.

    docs (Iterable[Doc]): The corpus.
    lang (str): The language code.
    RETURNS (float | None): The share, None if the language has no stop words or the corpus no
        letters.
    """
    own = _scripts("".join(get_lang_class(lang).Defaults.stop_words))
    found: Counter[str] = Counter()
    for doc in docs:
        found.update(_scripts(doc.text))
    if not own or not found:
        return None
    return sum(n for script, n in found.items() if script in own) / found.total()


def _spans(doc: Doc) -> list[tuple[int, int]]:
    """The first and the end character of every token but white space."""
    return [(token.idx, token.idx + len(token)) for token in doc if not is_white(token)]


def _stretches(
    gold: list[tuple[int, int]], predicted: list[tuple[int, int]]
) -> Iterable[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
    """Cut both lists where both have a boundary: each pair covers the same characters."""
    i = j = 0
    while i < len(gold) and j < len(predicted):
        first_i, first_j = i, j
        i, j = i + 1, j + 1
        while gold[i - 1][1] != predicted[j - 1][1]:
            if gold[i - 1][1] < predicted[j - 1][1]:
                i += 1
            else:
                j += 1
        yield gold[first_i:i], predicted[first_j:j]


def _scripts(text: str) -> Counter[str]:
    """Letters of a text by script: the first word of their Unicode names."""
    letters = Counter(char for char in text if char.isalpha())
    found: Counter[str] = Counter()
    for char, n in letters.items():
        found[unicodedata.name(char, "UNKNOWN").split()[0]] += n
    return found
