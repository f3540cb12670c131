"""What can be trained on a corpus, and which tokenizer to take."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import get_lang_class

from ..corpus.survey import Survey
from ..corpus.tokenizer.chunks import count_chunks, has_joined_words
from ..corpus.tokenizer.fit import fit_tokenizer
from ..corpus.tokenizer.rules import TokenizerRules, make_tokenizer
from ..corpus.tokens import TokenComparison, compare_tokens
from ..corpus.tokens import make_tokenizer as make_default
from ..errors import Errors, Warnings
from ..values import join_words
from .kinds import KINDS

# With fewer Docs than this, folds for jackknifing are too different.
FEW_DOCS = 20
# The least gain in F for which a tokenizer gets rules of its own.
MIN_GAIN = 0.001
# Without a dev corpus, one Doc in this many is held out to measure it.
HELD_OUT = 10
_ALIASES = {"mira_parser": "parser", "perceptron_ner": "ner", "easy_first_tagger": "tagger"} | {
    "perceptron_senter": "senter",
    "perceptron_lemmatizer": "lemmatizer",
}


@dataclass(frozen=True)
class PipelinePlan:
    """Components to train.

    kinds (list[str]): Their kinds, in the order of the pipeline.
    warnings (list[str]): What was asked for and can't be done, and why.
    """

    kinds: list[str]
    warnings: list[str] = field(default_factory=list)


def plan_pipeline(wanted: Sequence[str] | None, survey: Survey) -> PipelinePlan:
    """Choose the components that can learn from a corpus.

    wanted (Optional[Sequence[str]]): Kinds of components or names of factories. None for all that
        can learn from it: a parser of dependencies if there are any, or else one of constituents.
    survey (Survey): The corpus.
    RETURNS (PipelinePlan): The components and warnings.
    """
    few = [Warnings.INIT_FEW_DOCS.format(n=survey.docs)] if survey.docs < FEW_DOCS else []
    if wanted is None:
        parser = "parser" if survey.labels else "incremental_parser"
        usual = ["senter", "tagger", "lemmatizer", parser, "ner"]
        kinds = [name for name in usual if KINDS[name].can_learn(survey)]
        if not kinds:
            raise ValueError(Errors.INIT_NOTHING)
        return PipelinePlan(kinds, few)
    asked = [_ALIASES.get(name, name) for name in wanted]
    for name in asked:
        if name not in KINDS or name == "reranker":
            options = ", ".join(known for known in KINDS if known != "reranker")
            raise ValueError(Errors.INIT_PIPE.format(name=name, options=options))
    if sum(KINDS[name].name == "parser" for name in asked) > 1:
        raise ValueError(Errors.INIT_PARSERS)
    kinds = [name for name in KINDS if name in asked and KINDS[name].can_learn(survey)]
    if not kinds:
        needed = join_words(sorted({KINDS[name].learns_from for name in asked}))
        raise ValueError(Errors.INIT_NO_ANNOTATION.format(needed=needed))
    found = [
        Warnings.INIT_LEFT_OUT.format(name=name, needed=KINDS[name].learns_from)
        for name in asked
        if name not in kinds
    ]
    if "senter" in asked and "senter" not in kinds:
        found.append(Warnings.INIT_DOCUMENTS)
    reader = next((name for name in kinds if KINDS[name].reads_tags), None)
    if reader is not None and "tagger" not in kinds:
        found.append(Warnings.INIT_NO_TAGGER.format(name=reader))
    return PipelinePlan(kinds, few + found)


@dataclass(frozen=True)
class TokenizerPlan:
    """A tokenizer.

    config (Optional[dict]): The language's own one, None if it is spaCy's usual one.
    rules (TokenizerRules): Rules to add to that.
    default (TokenComparison): The words of the dev corpus that the language's tokenizer finds.
    fitted (Optional[TokenComparison]): The same with rules learned from the corpus, None if none
        were learned.
    has_text (bool): Whether the corpus tells which words follow each other without a space.
    """

    config: dict[str, Any] | None
    rules: TokenizerRules
    default: TokenComparison
    fitted: TokenComparison | None
    has_text: bool


def plan_tokenizer(
    lang: str, train: Sequence[Doc], dev: Sequence[Doc], *, fit: bool = True
) -> TokenizerPlan:
    """Choose a tokenizer: that of the language, with rules learned from the corpus where they find
    more words of the dev corpus.

    lang (str): The language.
    train (Sequence[Doc]): Gold docs to learn from.
    dev (Sequence[Doc]): Gold docs to measure on. If there are none, some of the others are.
    fit (bool): Whether to learn rules.
    RETURNS (TokenizerPlan): The tokenizer.
    """
    tokenizer = make_default(lang)
    if not dev:
        dev = train[::HELD_OUT]
        train = [doc for i, doc in enumerate(train) if i % HELD_OUT] or train
    default = compare_tokens(dev, tokenizer)
    nlp = get_lang_class(lang)()
    usual = isinstance(nlp.tokenizer, Tokenizer)
    config = None if usual else dict(nlp.config["nlp"]["tokenizer"])
    has_text = has_joined_words(count_chunks(train))
    if not (fit and usual and has_text):
        return TokenizerPlan(config, TokenizerRules(), default, None, has_text)
    rules = fit_tokenizer(train, lang)
    fitted = compare_tokens(dev, make_tokenizer(nlp, rules))
    if fitted.f - default.f < MIN_GAIN:
        rules = TokenizerRules()
    return TokenizerPlan(config, rules, default, fitted, has_text)
