"""The configs in `configs/`: what `init-config` makes for well-known corpora, and variants of it.

What is changed in a config stands in `shipped_changes`, with its comments and its header.
"""

from dataclasses import replace

from ..corpus.survey import Survey
from .choices import Wish, make_recipe
from .kinds import FAST
from .recipe import read_block

# The training parts of the English Web Treebank (Universal Dependencies), the Wall Street Journal
# sample, and an entity corpus.
EWT = Survey(docs=540, long_docs=538, sentences=12544, words=204577, tags=49, labels=51)
EWT_SENTENCES = replace(EWT, docs=12544, long_docs=0)
EWT_COARSE = replace(EWT, pos=17, morphs=229)
WSJ = Survey(docs=3253, sentences=3253, words=77000, tags=45, labels=20, constituents=26)
NAMES = Survey(docs=2001, sentences=2001, words=25000, entities=1000)

_ON_EWT, _ON_WSJ = "the English Web Treebank", "the Wall Street Journal sample"
SHIPPED: dict[str, tuple[Wish, Survey]] = {
    "tagger": (Wish("en", ["tagger"], corpus=_ON_EWT), EWT_SENTENCES),
    "parser": (Wish("en", ["senter", "tagger", "parser"], corpus=_ON_EWT), EWT),
    "parser_ud": (Wish("en", ["senter", "tagger", "parser"], corpus=_ON_EWT), EWT_COARSE),
    "parser_fast": (Wish("en", ["senter", "tagger", "parser"], FAST, _ON_EWT), EWT),
    "easy_first": (
        Wish("en", ["senter", "tagger", "easy_first_parser"], corpus=_ON_EWT),
        EWT_COARSE,
    ),
    "easy_first_fast": (Wish("en", ["senter", "tagger", "easy_first_parser"], FAST, _ON_EWT), EWT),
    "reranker": (Wish("en", ["senter", "tagger", "parser", "reranker"], corpus=_ON_EWT), EWT),
    "incremental": (Wish("en", ["tagger", "incremental_parser"], corpus=_ON_WSJ), WSJ),
    "incremental_fast": (Wish("en", ["tagger", "incremental_parser"], FAST, _ON_WSJ), WSJ),
    "incremental_paper": (Wish("en", ["tagger", "incremental_parser"], corpus=_ON_WSJ), WSJ),
    "incremental_reranker": (
        Wish("en", ["tagger", "incremental_parser", "reranker"], corpus=_ON_WSJ),
        WSJ,
    ),
    "max_margin": (Wish("en", ["tagger", "max_margin_parser"], corpus=_ON_WSJ), WSJ),
    "max_margin_exact": (Wish("en", ["tagger", "max_margin_parser"], corpus=_ON_WSJ), WSJ),
    "max_margin_paper": (Wish("en", ["tagger", "max_margin_parser"], corpus=_ON_WSJ), WSJ),
    "ner": (Wish("en", ["ner"]), NAMES),
    "ner_reranker": (Wish("en", ["ner", "reranker"]), NAMES),
}


def shipped_config(name: str) -> str:
    """Make a config of `configs/`.

    name (str): The name of its file, without `.cfg`.
    RETURNS (str): The config with its comments.
    """
    wish, survey = SHIPPED[name]
    config = make_recipe(wish, survey).to_config()
    config.overlay(read_block(name, folder="shipped_changes"))
    return config.to_text()
