"""Tokenizer rules as plain data, and the spaCy tokenizer they make.

The rules come on top of those of the language. Nothing of ours is left in the result: it is
`spacy.tokenizer.Tokenizer`, which saves its patterns and special cases with the pipeline.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

from ...errors import Errors
from .chunks import Split

_GLOBAL_FLAGS = re.compile(r"^\(\?([a-zA-Z]+)\)")


@dataclass(frozen=True)
class TokenizerRules:
    """What to add to the rules of a language. Patterns are regular expressions.

    prefixes (tuple[str, ...]): What to split off the beginning of a word.
    suffixes (tuple[str, ...]): What to split off its end.
    infixes (tuple[str, ...]): Where to split inside.
    whole (tuple[str, ...]): Words that are never split, from beginning to end.
    special_cases (tuple[Split, ...]): Pieces of text, each as the words it consists of.
    """

    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    infixes: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    special_cases: tuple[Split, ...] = ()

    def __bool__(self) -> bool:
        """RETURNS (bool): Whether there is any rule."""
        return any(asdict(self).values())

    def __len__(self) -> int:
        """RETURNS (int): The number of patterns, without special cases."""
        return len(self.prefixes) + len(self.suffixes) + len(self.infixes) + len(self.whole)


def create_fitted_tokenizer(
    prefixes: Sequence[str] = (),
    suffixes: Sequence[str] = (),
    infixes: Sequence[str] = (),
    whole: Sequence[str] = (),
    special_cases: Sequence[Sequence[str]] = (),
) -> Callable[[Language], Tokenizer]:
    """Make a tokenizer of the language's rules and others, registered as
    `spacy_perceptron.fitted_tokenizer.v1`.

    Patterns are regular expressions.

    prefixes (Sequence[str]): What else to split off the beginning of a word.
    suffixes (Sequence[str]): What else to split off its end.
    infixes (Sequence[str]): Where else to split inside.
    whole (Sequence[str]): Words that are never split, from beginning to end.
    special_cases (Sequence[Sequence[str]]): Pieces of text, each as the words it consists of.
    RETURNS (Callable): A function that makes the tokenizer of a pipeline.
    """
    rules = TokenizerRules(
        tuple(prefixes),
        tuple(suffixes),
        tuple(infixes),
        tuple(whole),
        tuple(tuple(words) for words in special_cases),
    )

    def make(nlp: Language) -> Tokenizer:
        return make_tokenizer(nlp, rules)

    return make


def make_tokenizer(
    nlp: Language, rules: TokenizerRules, *, texts: Iterable[str] | None = None
) -> Tokenizer:
    """Make spaCy's tokenizer with the rules of a pipeline's language and others.

    Of two patterns that match in the same place, the added one wins.

    nlp (Language): The pipeline.
    rules (TokenizerRules): The rules to add.
    texts (Optional[Iterable[str]]): What it will be used for, None for anything. Special cases take
        time to load, and those that are not in these texts are left out.
    RETURNS (Tokenizer): The tokenizer.
    """
    defaults = nlp.Defaults
    cases: dict[str, list[dict[Any, str]]] = dict(defaults.tokenizer_exceptions or {})
    for words in rules.special_cases:
        if not words or "" in words:
            raise ValueError(Errors.TOKENIZER_SPECIAL_CASE.format(words=list(words)))
        cases["".join(words)] = [{ORTH: word} for word in words]
    for patterns in (rules.prefixes, rules.suffixes, rules.infixes, rules.whole):
        for pattern in patterns:
            _check_pattern(pattern)
    if texts is not None:
        together = "\n".join(texts)
        cases = {text: tokens for text, tokens in cases.items() if text in together}
    return Tokenizer(
        nlp.vocab,
        rules=cases,
        prefix_search=compile_prefix_regex([*rules.prefixes, *(defaults.prefixes or ())]).search,
        suffix_search=compile_suffix_regex([*rules.suffixes, *(defaults.suffixes or ())]).search,
        infix_finditer=compile_infix_regex([*rules.infixes, *(defaults.infixes or ())]).finditer,
        token_match=_token_match(rules.whole, defaults.token_match),
        url_match=defaults.url_match,
    )


def _check_pattern(pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(Errors.TOKENIZER_PATTERN.format(pattern=pattern, error=error)) from error
    if compiled.match(""):
        raise ValueError(Errors.TOKENIZER_EMPTY_PATTERN.format(pattern=pattern))


def _token_match(
    whole: Sequence[str], default: Callable[[str], Any] | None
) -> Callable[[str], Any] | None:
    """The patterns of words that stay whole, before the language's own. The tokenizer saves the
    text of one regular expression without its flags, so flags must stand inside.
    """
    if not whole:
        return default
    patterns = [f"(?:{pattern})$" for pattern in whole]
    if default is not None:
        theirs: str = default.__self__.pattern  # type: ignore[attr-defined]
        flags = _GLOBAL_FLAGS.match(theirs)
        patterns.append(
            f"(?{flags[1]}:{theirs[flags.end() :]})" if flags is not None else f"(?:{theirs})"
        )
    return re.compile("|".join(patterns)).match
