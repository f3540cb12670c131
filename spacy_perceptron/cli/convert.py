"""`python -m spacy perceptron convert`: treebanks and entity corpora to spaCy's binary format, and
annotated Docs to CoNLL-U or to the JSONL of annotation tools."""

import re
import sys
import warnings
from collections import Counter
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option
from wasabi import Printer

from . import perceptron_cli
from .shared.failures import reported

MOST_DIFFERENCES = 10
# As in cs_pdt-ud-train-la.conllu.
_SPLIT = re.compile(r"(?<![^-_.])(?:train|dev|test)(?![^-_.])")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from spacy.tokens import Doc

    from ..corpus.convert import ConvertOptions


@perceptron_cli.command("convert")
def convert_cli(
    input_path: Annotated[Path, Argument(help="File, or folder with files to convert")],
    output: Annotated[
        Path,
        Argument(
            help="A .spacy, .conllu or .jsonl file for everything, or a folder for one file each"
        ),
    ],
    converter: Annotated[
        str,
        Option(
            "--converter",
            "-c",
            "--from",
            help="auto (by suffix), ptb, conllu, iob, prodigy or doccano",
        ),
    ] = "auto",
    to: Annotated[
        str | None, Option("--to", help="Tool to write .jsonl for: prodigy or doccano")
    ] = None,
    spans: Annotated[
        str,
        Option("--spans", help="What spans in .jsonl are: auto, ents, pos or tag"),
    ] = "auto",
    lang: Annotated[str, Option("--lang", "-l", help="Language code")] = "en",
    n_sents: Annotated[
        int, Option("--n-sents", "-n", min=0, help="Sentences per Doc; 0 for no limit")
    ] = 1,
    splits: Annotated[
        bool,
        Option("--splits", help="Write train.spacy, dev.spacy and test.spacy, by the files' names"),
    ] = False,
    documents: Annotated[
        bool, Option("--documents", help="Keep documents and paragraphs apart (conllu)")
    ] = False,
    merge_subtokens: Annotated[
        bool, Option("--merge-subtokens", "-T", help="Merge multi-word tokens (conllu)")
    ] = False,
    split_subtokens: Annotated[
        Path | None,
        Option(
            "--split-subtokens",
            help="CoNLL-U file whose multi-word tokens to split again (to .conllu)",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    check_tokens: Annotated[
        str | None,
        Option("--check-tokens", help="Language whose tokenizer to compare with the tokens"),
    ] = None,
    keep_function_tags: Annotated[
        bool,
        Option("--keep-function-tags/--strip", help="Keep function tags on constituents (ptb)"),
    ] = False,
    keep_empty: Annotated[
        bool, Option("--keep-empty", help="Keep empty elements as tokens (ptb)")
    ] = False,
    no_deps: Annotated[
        bool, Option("--no-deps", help="Do not add dependencies by head rules (ptb)")
    ] = False,
    head_rules: Annotated[
        Path | None,
        Option("--head-rules", help="JSON table of head rules (ptb)", exists=True, dir_okay=False),
    ] = None,
) -> None:
    """Convert Penn Treebank brackets, CoNLL-U, IOB files or JSONL of annotation tools to .spacy
    files for training and evaluation, or .spacy files to CoNLL-U or JSONL.
    """
    from ..corpus.convert import ConvertOptions

    options = ConvertOptions(
        lang=lang,
        n_sents=n_sents,
        documents=documents,
        merge_subtokens=merge_subtokens,
        keep_function_tags=keep_function_tags,
        keep_empty=keep_empty,
        deps=not no_deps,
        head_rules=head_rules,
        spans=spans,
    )
    with reported("Conversion failed"):
        if output.suffix == ".conllu":
            write_docs(input_path, output, split_subtokens=split_subtokens, msg=Printer())
            return
        if to is not None or output.suffix == ".jsonl":
            write_jsonl(input_path, output, to, spans=spans, msg=Printer())
            return
        convert(
            input_path,
            output,
            converter=converter,
            options=options,
            splits=splits,
            check_tokens=check_tokens,
            msg=Printer(),
        )


def convert(
    input_path: Path,
    output: Path,
    *,
    converter: str = "auto",
    options: "ConvertOptions | None" = None,
    splits: bool = False,
    check_tokens: str | None = None,
    msg: Printer | None = None,
) -> list[Path]:
    """Convert files and write them as DocBins.

    input_path (Path): A file or a folder.
    output (Path): A `.spacy` file that gets everything, or a folder that gets a `.spacy` file per
        input file.
    converter (str): `auto`, `ptb`, `conllu`, `iob`, `prodigy` or `doccano`.
    options (ConvertOptions | None): The options, None for the defaults.
    splits (bool): Put the files of a treebank into `train.spacy`, `dev.spacy` and `test.spacy`.
        Others are left out.
    check_tokens (str | None): A language code: report how well its tokenizer reproduces the tokens.
    msg (Printer | None): Where to report progress, None for nowhere.
    RETURNS (list[Path]): The files written.
    """
    from ..corpus.convert import convert_file, find_files
    from ..corpus.tokens import make_tokenizer

    msg = msg or Printer(no_print=True)
    targets = _targets(find_files(input_path, converter=converter), input_path, output, splits)
    tokenizer = make_tokenizer(check_tokens) if check_tokens else None
    together: list[Doc] = []
    everything: Counter[str] = Counter()
    for target, files in targets.items():
        docs: list[Doc] = []
        for file in files:
            # The spinner would fill a log file with its frames.
            moving = msg.loading(f"Converting {file} ...") if sys.stdout.isatty() else nullcontext()
            with moving, _warned(msg):
                docs.extend(convert_file(file, converter=converter, options=options))
        _write(docs, target)
        counts = _count(docs)
        msg.good(f"{target}: {_summary(counts)}")
        everything.update(counts)
        together.extend(docs)
    if tokenizer and check_tokens:
        report_tokens(together, check_tokens, tokenizer, msg)
    if len(targets) > 1:
        msg.good(f"{output}: {_summary(everything)}")
    if not everything["sentences"]:
        msg.warn(f"No sentences found in {input_path}")
    return list(targets)


def write_docs(
    input_path: Path,
    output: Path,
    *,
    split_subtokens: Path | None = None,
    msg: Printer | None = None,
) -> None:
    """Write annotated Docs as CoNLL-U.

    input_path (Path): A `.spacy` file, or a folder of them.
    output (Path): The CoNLL-U file.
    split_subtokens (Path | None): A CoNLL-U file: what is a multi-word token there becomes one.
    msg (Printer | None): Where to report, None for nowhere.
    """
    from spacy.vocab import Vocab

    from ..corpus.bins import read_docs
    from ..corpus.conllu.writer import docs_to_conllu
    from ..errors import Errors
    from ..trees.conllu.expansions import Expansions
    from ..trees.conllu.reading import read_conllu, write_conllu

    msg = msg or Printer(no_print=True)
    if input_path.is_file() and input_path.suffix != ".spacy":
        raise ValueError(Errors.CONVERT_WRITE_INPUT.format(path=input_path, format="CoNLL-U"))
    sentences = list(docs_to_conllu(read_docs(input_path, Vocab())))
    if split_subtokens is not None:
        table = Expansions(read_conllu(split_subtokens))
        sentences = [table.split(sentence) for sentence in sentences]
    output.parent.mkdir(parents=True, exist_ok=True)
    write_conllu(sentences, output)
    words = sum(len(sentence.words) for sentence in sentences)
    msg.good(f"{output}: {len(sentences):,} sentences, {words:,} words")


def write_jsonl(
    input_path: Path,
    output: Path,
    to: str | None,
    *,
    spans: str = "auto",
    msg: Printer | None = None,
) -> None:
    """Write annotated Docs as JSONL of an annotation tool.

    input_path (Path): A `.spacy` file, or a folder of them.
    output (Path): The JSONL file.
    to (str | None): The tool, `prodigy` or `doccano`.
    spans (str): What to mark in texts: `ents`, `pos`, `tag`, or `auto` for what there is.
    msg (Printer | None): Where to report, None for nowhere.
    """
    from spacy.vocab import Vocab

    from ..corpus.annotations.files import write_annotations
    from ..corpus.bins import read_docs
    from ..errors import Errors

    msg = msg or Printer(no_print=True)
    if to is None:
        raise ValueError(Errors.CONVERT_WRITE_TO.format(path=output))
    if input_path.is_file() and input_path.suffix != ".spacy":
        raise ValueError(Errors.CONVERT_WRITE_INPUT.format(path=input_path, format="JSONL"))
    docs = read_docs(input_path, Vocab())
    output.parent.mkdir(parents=True, exist_ok=True)
    with _warned(msg):
        write_annotations(docs, output, to, role=spans)
    msg.good(f"{output}: {_summary(_count(docs))}")


@contextmanager
def _warned(msg: Printer) -> "Iterator[None]":
    """Print the warnings of a block when it ends."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for warning in caught:
        msg.warn(str(warning.message))


def report_tokens(
    docs: "Sequence[Doc]", lang: str, tokenizer: "Callable[[str], Doc]", msg: Printer
) -> None:
    """Print how well a tokenizer reproduces the tokens of Docs, and where it does not.

    docs (Sequence[Doc]): The Docs.
    lang (str): The language of the tokenizer.
    tokenizer (Callable[[str], Doc]): The tokenizer.
    msg (Printer): Where to print.
    """
    from ..corpus.tokens import compare_tokens, token_warnings

    compared = compare_tokens(docs, tokenizer)
    msg.text(
        f"The tokenizer of '{lang}' reproduces {compared.same:,} of {compared.gold:,} tokens: "
        f"precision {compared.precision:.2%}, recall {compared.recall:.2%}, F {compared.f:.2%}"
    )
    if compared.differences:
        rows = [
            (" ".join(gold), " ".join(predicted), n)
            for (gold, predicted), n in compared.differences.most_common(MOST_DIFFERENCES)
        ]
        header = ("in the corpus", "by the tokenizer", "times")
        msg.table(rows, header=header, divider=True, aligns=("l", "l", "r"))
    for warning in token_warnings(docs, lang, compared):
        msg.warn(warning)


def _targets(
    files: "Sequence[Path]", input_path: Path, output: Path, splits: bool
) -> dict[Path, list[Path]]:
    """The files to write, and what becomes part of each."""
    from ..errors import Errors

    if output.suffix == ".spacy":
        return {output: list(files)}
    if not splits:
        folder = input_path if input_path.is_dir() else input_path.parent
        return {output / file.relative_to(folder).with_suffix(".spacy"): [file] for file in files}
    found: dict[Path, list[Path]] = {}
    for file in files:
        split = _SPLIT.search(file.stem)
        if split is not None:
            found.setdefault(output / f"{split[0]}.spacy", []).append(file)
    if not found:
        raise ValueError(Errors.CONVERT_SPLITS.format(path=input_path))
    return found


def _write(docs: "list[Doc]", target: Path) -> None:
    from spacy.tokens import DocBin

    target.parent.mkdir(parents=True, exist_ok=True)
    DocBin(docs=docs, store_user_data=False).to_disk(target)


def _count(docs: "list[Doc]") -> Counter[str]:
    """RETURNS (Counter[str]): Numbers of sentences, words and so on, with a key for each different
    label.
    """
    from ..trees.constituents import SPANS_KEY

    counts: Counter[str] = Counter()
    for doc in docs:
        # Without boundaries, a Doc counts as one sentence.
        has_sents = doc.has_annotation("SENT_START")
        counts["sentences"] += sum(1 for _ in doc.sents) if has_sents else min(len(doc), 1)
        counts["words"] += len(doc)
        counts["entities"] += len(doc.ents)
        for token in doc:
            counts[f"tag {token.tag_}"] += bool(token.tag_)
            counts[f"dependency {token.dep_}"] += bool(token.dep_)
        if SPANS_KEY in doc.spans:
            for span in doc.spans[SPANS_KEY]:
                counts[f"constituent {span.label_}"] += 1
    return counts


def _summary(counts: Counter[str]) -> str:
    """RETURNS (str): One line: sentences, words, entities, and how many different labels of each
    kind.
    """
    parts = [f"{counts['sentences']:,} sentences", f"{counts['words']:,} words"]
    kinds = {"tag": "tags", "constituent": "constituent labels", "dependency": "dependency labels"}
    for kind, name in kinds.items():
        different = sum(1 for key, n in counts.items() if n and key.startswith(f"{kind} "))
        if different:
            parts.append(f"{different} {name}")
    if counts["entities"]:
        parts.append(f"{counts['entities']:,} entities")
    return ", ".join(parts)
