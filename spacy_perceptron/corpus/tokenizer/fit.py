"""Fit spaCy's tokenizer to a corpus.

Patterns come first, because they cover what was not seen: runs of marks, numbers with hyphens,
prefixes that keep a hyphenated word whole, units behind numbers. Special cases cover the rest. The
cost grows with the number of different pieces of text and of mistakes: the English Web Treebank
takes about half a minute.
"""

from collections.abc import Iterable

from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import get_lang_class

from ...errors import Errors
from .chunks import count_chunks
from .rules import TokenizerRules
from .selection import Evaluation, select_rules
from .special_cases import learn_special_cases


def fit_tokenizer(docs: Iterable[Doc], lang: str) -> TokenizerRules:
    """Find rules with which spaCy's tokenizer of a language splits a corpus's text into the
    corpus's words.

    docs (Iterable[Doc]): Gold docs, whose spaces are those of the text.
    lang (str): The language.
    RETURNS (TokenizerRules): The rules to add to the language's own.
    """
    nlp = get_lang_class(lang)()
    if not isinstance(nlp.tokenizer, Tokenizer):
        raise ValueError(Errors.TOKENIZER_LANG.format(lang=lang))
    evaluation = Evaluation(nlp, count_chunks(docs))
    return learn_special_cases(evaluation, select_rules(evaluation))
