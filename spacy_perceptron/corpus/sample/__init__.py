"""The embedded sample treebank as a corpus reader. See docs/sample_treebank.md for its format and
conventions.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import Errors
from ...values import LIMIT, Values

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.vocab import Vocab

SPLITS = ("train", "dev", "test")
N_SENTS = Values(int, at_least=1)


def create_sample_treebank_reader(
    split: str = "train",
    limit: int = 0,
    keep_function_tags: bool = False,
    n_sents: int = 1,
    sentences: bool = False,
) -> Callable[["Language"], Iterable["Example"]]:
    """Create a corpus reader over the sample treebank. Registered as
    `spacy_perceptron.sample_treebank.v1`.

    split (str): `train`, `dev` or `test`.
    limit (int): Number of sentences to read from the start, 0 for all.
    keep_function_tags (bool): Keep function tags on the labels of constituents.
    n_sents (int): Number of sentences per Doc.
    sentences (bool): Copy sentence starts to the Docs to predict on.
    RETURNS (Callable[[Language], Iterable[Example]]): The reader.
    """
    _check_split(split)
    LIMIT.check("limit", limit)
    N_SENTS.check("n_sents", n_sents)

    def read_sample(nlp: "Language") -> Iterator["Example"]:
        from spacy.training import Example

        from ..reader import copy_tokens

        docs = load_sample(
            nlp.vocab, split, limit=limit, keep_function_tags=keep_function_tags, n_sents=n_sents
        )
        for reference in docs:
            yield Example(copy_tokens(reference, sentences=sentences), reference)

    return read_sample


def load_sample(
    vocab: "Vocab",
    split: str = "train",
    *,
    limit: int = 0,
    keep_function_tags: bool = False,
    n_sents: int = 1,
) -> list["Doc"]:
    """Load a split of the sample treebank with tags, dependencies, constituents and entities.

    vocab (Vocab): The vocab of the Docs.
    split (str): `train`, `dev` or `test`.
    limit (int): Number of sentences to read from the start, 0 for all.
    keep_function_tags (bool): Keep function tags on the labels of constituents.
    n_sents (int): Number of sentences per Doc.
    RETURNS (list[Doc]): The Docs.
    """
    from ...trees.brackets import read_brackets
    from ...trees.head_rules import load_head_rules
    from ..convert import sentences_to_doc

    path = sample_path(split)
    if not path.exists():
        raise ValueError(Errors.SAMPLE_MISSING_FILE.format(path=path))
    rules = load_head_rules()
    sentences = list(read_brackets(path))[: limit or None]
    return [
        sentences_to_doc(
            vocab, sentences[i : i + n_sents], rules=rules, keep_function_tags=keep_function_tags
        )
        for i in range(0, len(sentences), n_sents)
    ]


def sample_path(split: str = "train") -> Path:
    """Find the file of a split.

    split (str): `train`, `dev` or `test`.
    RETURNS (Path): The file in Penn Treebank brackets.
    """
    _check_split(split)
    return Path(str(resources.files(__name__).joinpath(f"{split}.mrg")))


def _check_split(split: str) -> None:
    Values(str, choices=SPLITS).check("split", split)
