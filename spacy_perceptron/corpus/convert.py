"""Corpora as Docs: Penn Treebank brackets, CoNLL-U, IOB columns and JSONL of annotation tools.

Brackets become Docs with tags, constituents, dependencies found by head rules, entities where the
file lists them, and guessed spaces. CoNLL-U is read by a reader of our own, which keeps documents
and paragraphs and can merge multi-word tokens. IOB goes through spaCy's own converters, after a
check that names the damaged line. By default a Doc holds one sentence, and tokens are the
treebank's words. A record of Prodigy's or doccano's JSONL becomes one Doc.
"""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spacy.tokens import Doc, Span
from spacy.training.converters import conll_ner_to_docs, iob_to_docs
from spacy.util import get_lang_class
from spacy.vocab import Vocab

from ..errors import Errors, Warnings
from ..trees.brackets import BracketedSentence, read_brackets
from ..trees.conllu.reading import blocks, check_columns, read_conllu
from ..trees.conllu.sentences import ConlluSentence
from ..trees.constituents import set_constituents, tree_to_spans
from ..trees.head_rules import HeadRules, dependencies, load_head_rules
from ..values import Values
from .annotations.files import SUFFIX, detect_format, find_format, read_annotations
from .annotations.texts import AUTO
from .conllu.docs import conllu_to_docs, in_groups
from .spaces import guess_spaces

SUFFIXES = {
    "ptb": (".mrg", ".ptb", ".psd", ".parse", ".tree", ".trees", ".brackets"),
    "conllu": (".conllu", ".conll"),
    "iob": (".iob", ".iob2", ".ner", ".bio"),
    # The lines of a file say which of the two it is.
    "prodigy": (SUFFIX,),
    "doccano": (SUFFIX,),
}
_DOC_START = "-DOCSTART-"


@dataclass(frozen=True)
class ConvertOptions:
    """Options of a conversion.

    lang (str): Language code of the vocab.
    n_sents (int): Sentences per Doc; 0 for all of a file or, with `documents`, of a document.
    documents (bool): Keep the documents and paragraphs of CoNLL-U apart: no Doc crosses `# newdoc`,
        and a token of two line breaks stands where `# newpar` says that a paragraph ends.
    merge_subtokens (bool): Make one token of each multi-word token of CoNLL-U.
    keep_function_tags (bool): Keep function tags on the labels of constituents. Dependencies
        are found with their help in any case.
    keep_empty (bool): Keep empty elements as tokens.
    deps (bool): Find dependencies in bracketed trees.
    head_rules (Path | None): A table of head rules, or None for the English one.
    spans (str): What the spans in JSONL are: `ents`, `pos`, `tag`, or `auto` to tell from the file.
    """

    lang: str = "en"
    n_sents: int = 1
    documents: bool = False
    merge_subtokens: bool = False
    keep_function_tags: bool = False
    keep_empty: bool = False
    deps: bool = True
    head_rules: Path | None = None
    spans: str = AUTO


def sentences_to_doc(
    vocab: Vocab,
    sentences: Sequence[BracketedSentence],
    *,
    rules: HeadRules | None,
    keep_function_tags: bool = False,
    entities: bool = True,
) -> Doc:
    """Make a Doc of bracketed sentences.

    vocab (Vocab): The vocab.
    sentences (Sequence[BracketedSentence]): The sentences, at least one.
    rules (HeadRules | None): Head rules for the dependencies, None for no dependencies.
    keep_function_tags (bool): Keep function tags on the labels of constituents.
    entities (bool): Whether entities are annotated. If not, they are left missing.
    RETURNS (Doc): The Doc with tags, constituents, sentence boundaries and what was asked for.
    """
    words: list[str] = []
    tags: list[str] = []
    starts: list[int] = []
    heads: list[int] = []
    deps: list[str] = []
    for sentence in sentences:
        starts.append(len(words))
        words.extend(sentence.tree.words())
        tags.extend(sentence.tree.tags())
        if rules is not None:
            sent_heads, sent_deps = dependencies(sentence.tree, rules)
            heads.extend(starts[-1] + head for head in sent_heads)
            deps.extend(sent_deps)
    spaces = guess_spaces(words)
    if rules is not None:
        doc = Doc(vocab, words=words, spaces=spaces, tags=tags, heads=heads, deps=deps)
    else:
        first = set(starts)
        sent_starts: list[bool | int | None] = [i in first for i in range(len(words))]
        doc = Doc(vocab, words=words, spaces=spaces, tags=tags, sent_starts=sent_starts)
    constituents: list[Span] = []
    ents: list[Span] = []
    for sentence, offset in zip(sentences, starts, strict=True):
        constituents.extend(
            tree_to_spans(doc, sentence.tree, offset=offset, keep_function_tags=keep_function_tags)
        )
        for start, end, label in sentence.entities or ():
            ents.append(Span(doc, start + offset, end + offset, label=label))
    set_constituents(doc, constituents)
    if entities:
        doc.set_ents(ents, default="outside")
    return doc


def convert_ptb(path: Path, options: ConvertOptions) -> Iterator[Doc]:
    """Convert a file of bracketed trees. Entities count as annotated if the file lists any.

    path (Path): The file.
    options (ConvertOptions): The options.
    YIELDS (Doc): The Docs.
    """
    rules = None
    if options.deps:
        if options.head_rules is None and options.lang != "en":
            raise ValueError(Errors.CONVERT_HEAD_RULES_LANG.format(lang=options.lang))
        rules = load_head_rules(options.head_rules)
    vocab = get_lang_class(options.lang)().vocab
    sentences = list(read_brackets(path, keep_empty=options.keep_empty))
    entities = any(sentence.entities is not None for sentence in sentences)
    for group in in_groups(sentences, options.n_sents):
        yield sentences_to_doc(
            vocab,
            group,
            rules=rules,
            keep_function_tags=options.keep_function_tags,
            entities=entities,
        )


def convert_conllu(path: Path, options: ConvertOptions) -> Iterator[Doc]:
    """Convert a CoNLL-U file.

    path (Path): The file.
    options (ConvertOptions): The options.
    YIELDS (Doc): The Docs.
    """
    sentences = list(read_conllu(path))
    if not options.merge_subtokens:
        _warn_of_multiwords(path, sentences)
    yield from conllu_to_docs(
        sentences,
        get_lang_class(options.lang)().vocab,
        n_sents=options.n_sents,
        documents=options.documents,
        merge_subtokens=options.merge_subtokens,
    )


def _warn_of_multiwords(path: Path, sentences: Iterable[ConlluSentence]) -> None:
    """Warn of multi-word tokens whose words do not make up their text."""
    found: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        for multiword in sentence.multiwords:
            words = [word.form for word in sentence.words[multiword.start : multiword.end]]
            found[multiword.form, " ".join(words)] += multiword.form != "".join(words)
    n = found.total()
    if n:
        (form, parts), _ = found.most_common(1)[0]
        text = Warnings.CONVERT_MULTIWORDS.format(path=path, n=n, form=form, words=parts)
        warnings.warn(text, stacklevel=2)


def convert_iob(path: Path, options: ConvertOptions) -> Iterator[Doc]:
    """Convert IOB files with spaCy's converters: a word per line with its tag in the last column,
    or a sentence per line with `word|tag`.

    path (Path): The file.
    options (ConvertOptions): The options.
    YIELDS (Doc): The Docs.
    """
    found = [
        [(number, line) for number, line in block if not line.startswith(_DOC_START)]
        for block in blocks(path)
    ]
    found = [block for block in found if block]
    if not found:
        return
    first = found[0][0][1].split()
    n_sents = options.n_sents or sum(map(len, found))
    docs: Iterable[Doc]
    if all(re.fullmatch(r"\S+\|(O|[BI]-\S+)", cell) for cell in first):
        text = "\n".join(line for block in found for _, line in block)
        docs = iob_to_docs(text, n_sents=n_sents, no_print=True)
    else:
        width = len(first)
        for block in found:
            for number, line in block:
                check_columns(f"{path}:{number}", line.split(), 2, max(width, 2), "white space")
        text = "\n\n".join("\n".join(line for _, line in block) for block in found)
        docs = conll_ner_to_docs(text, n_sents=n_sents, no_print=True)
    for doc in docs:
        for token in doc:
            if token.tag_ == "-":
                token.tag_ = ""
        yield doc


def convert_prodigy(path: Path, options: ConvertOptions) -> Iterator[Doc]:
    """Convert JSONL of Prodigy.

    path (Path): The file.
    options (ConvertOptions): The options.
    YIELDS (Doc): The Docs.
    """
    yield from read_annotations(path, "prodigy", lang=options.lang, role=options.spans)


def convert_doccano(path: Path, options: ConvertOptions) -> Iterator[Doc]:
    """Convert JSONL of doccano.

    path (Path): The file.
    options (ConvertOptions): The options.
    YIELDS (Doc): The Docs.
    """
    yield from read_annotations(path, "doccano", lang=options.lang, role=options.spans)


CONVERTERS: dict[str, Callable[[Path, ConvertOptions], Iterator[Doc]]] = {
    "ptb": convert_ptb,
    "conllu": convert_conllu,
    "iob": convert_iob,
    "prodigy": convert_prodigy,
    "doccano": convert_doccano,
}


def convert_file(
    path: str | Path, *, converter: str = "auto", options: ConvertOptions | None = None
) -> list[Doc]:
    """Convert one file.

    path (str | Path): The file.
    converter (str): `ptb`, `conllu`, `iob`, `prodigy` or `doccano`, or `auto` to go by the suffix.
    options (ConvertOptions | None): The options, None for the defaults.
    RETURNS (list[Doc]): The Docs.
    """
    path = Path(path)
    options = options or ConvertOptions()
    Values(int, at_least=0).check("n_sents", options.n_sents)
    _check_converter(converter)
    if converter == "auto":
        names = [name for name, suffixes in SUFFIXES.items() if path.suffix.lower() in suffixes]
        if not names:
            known = " ".join(dict.fromkeys(x for suffixes in SUFFIXES.values() for x in suffixes))
            raise ValueError(
                Errors.CONVERT_UNKNOWN_SUFFIX.format(path=path, suffix=path.suffix, options=known)
            )
        converter = names[0] if len(names) == 1 else find_format(path)
    try:
        return list(CONVERTERS[converter](path, options))
    except ValueError as error:
        if str(path) in str(error):
            raise
        raise ValueError(Errors.CONVERT_FAILED.format(path=path, error=error)) from error


def find_files(path: str | Path, *, converter: str = "auto") -> list[Path]:
    """Find the files to convert.

    path (str | Path): A file, or a folder to search with all folders in it.
    converter (str): Whose suffixes to look for in a folder, `auto` for all known ones.
    RETURNS (list[Path]): The files, sorted.
    """
    path = Path(path)
    _check_converter(converter)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ValueError(Errors.CONVERT_NO_INPUT.format(path=path))
    chosen = SUFFIXES if converter == "auto" else {converter: SUFFIXES[converter]}
    suffixes = [*dict.fromkeys(suffix for group in chosen.values() for suffix in group)]
    files = [
        file
        for file in sorted(path.rglob("*"))
        if file.suffix.lower() in suffixes and file.is_file()
    ]
    if converter == "auto":
        # There is much JSONL that is no annotation.
        files = [file for file in files if file.suffix.lower() != SUFFIX or detect_format(file)]
    if not files:
        raise ValueError(Errors.CONVERT_NO_FILES.format(path=path, options=" ".join(suffixes)))
    return files


def _check_converter(name: str) -> None:
    Values(str, choices=("auto", *CONVERTERS)).check("converter", name)
