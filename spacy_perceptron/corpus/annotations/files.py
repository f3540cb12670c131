"""Files of JSONL: which tool they are from, reading them as Docs, and writing Docs."""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spacy.tokens import Doc

from ...errors import Errors, Warnings
from ...values import Values
from ..tokens import make_tokenizer
from . import doccano, prodigy
from .from_docs import choose_role, doc_to_text
from .texts import AUTO, ROLES, AnnotatedText, find_role, lost_names
from .to_docs import text_to_doc

SUFFIX = ".jsonl"
# Lines to look at to tell whose a file is.
_N_LINES = 100


class Format(NamedTuple):
    """A format of JSONL.

    is_own (Callable): Whether a record can only be in this format.
    parse (Callable): Reads a record, given where it is; None for one that is no gold.
    dump (Callable): Makes a record, given its number.
    lost (Callable): Names what a record has no place for.
    """

    is_own: Callable[[Mapping[str, Any]], bool]
    parse: Callable[[Mapping[str, Any], str], AnnotatedText | None]
    dump: Callable[[AnnotatedText, int], dict[str, Any]]
    lost: Callable[[AnnotatedText], list[str]]


FORMATS = {
    module.NAME: Format(module.is_own, module.parse, module.dump, module.lost)
    for module in (prodigy, doccano)
}


def detect_format(path: Path) -> str | None:
    """Tell which tool a file is from.

    path (Path): The file.
    RETURNS (Optional[str]): `prodigy` or `doccano`; None if its first lines do not say, or say
        both.
    """
    found: set[str] = set()
    for number, (_, record) in enumerate(_read_records(path)):
        if number == _N_LINES:
            break
        found.update(name for name, one in FORMATS.items() if one.is_own(record))
    return found.pop() if len(found) == 1 else None


def read_annotations(path: Path, name: str, *, lang: str = "en", role: str = AUTO) -> list[Doc]:
    """Read a file as Docs, one for each record.

    path (Path): The file.
    name (str): The format, `prodigy` or `doccano`.
    lang (str): The language whose tokenizer to use for records without tokens.
    role (str): What marks are: `ents`, `pos` or `tag`; `auto` to tell from the file.
    RETURNS (list[Doc]): The Docs.
    """
    _check(name, role)
    records = list(_read_records(path))
    texts = [FORMATS[name].parse(record, where) for where, record in records]
    gold = [text for text in texts if text is not None]
    if len(gold) < len(texts):
        counts = prodigy.count_answers([record for _, record in records])
        warnings.warn(Warnings.ANNOTATIONS_ANSWERS.format(path=path, **counts), stacklevel=2)
    tokenizer = make_tokenizer(lang)
    vocab = tokenizer("").vocab
    role = find_role(gold) if role == AUTO else role
    return [text_to_doc(text, tokenizer, vocab, role) for text in gold]


def annotation_lines(
    docs: Iterable[Doc], name: str, *, role: str = AUTO, where: str = "JSONL"
) -> list[str]:
    """Write Docs as lines of JSON. Warns of what the format has no place for.

    docs (Iterable[Doc]): The Docs.
    name (str): The format, `prodigy` or `doccano`.
    role (str): What to mark: `ents`, `pos` or `tag`; `auto` for what there is, in this order.
    where (str): What to call the output in the warning.
    RETURNS (list[str]): The lines, without line breaks.
    """
    _check(name, role)
    docs = list(docs)
    role = choose_role(docs, role)
    texts = [doc_to_text(doc, role) for doc in docs]
    for text in texts:
        text.lost += FORMATS[name].lost(text)
    if names := lost_names(texts):
        n = sum(bool(text.lost) for text in texts)
        message = Warnings.ANNOTATIONS_LOST.format(
            where=where, format=name, names=", ".join(names), n=n, n_docs=len(texts)
        )
        warnings.warn(message, stacklevel=2)
    records = (FORMATS[name].dump(text, number) for number, text in enumerate(texts))
    return [json.dumps(record, ensure_ascii=False) for record in records]


def write_annotations(docs: Sequence[Doc], path: Path, name: str, *, role: str = AUTO) -> None:
    """Write Docs to a file.

    docs (Sequence[Doc]): The Docs.
    path (Path): The file.
    name (str): The format, `prodigy` or `doccano`.
    role (str): What to mark; see `annotation_lines`.
    """
    lines = annotation_lines(docs, name, role=role, where=str(path))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _check(name: str, role: str) -> None:
    Values(str, choices=tuple(FORMATS)).check("format", name)
    Values(str, choices=(AUTO, *ROLES)).check("spans", role)


def _read_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """YIELDS (tuple[str, dict]): File and line, and the record there."""
    # Of the line breaks of Unicode, only this one is one here.
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}:{number}"
            try:
                record = json.loads(line.decode("utf-8-sig")) if line.strip() else None
            except (ValueError, RecursionError) as error:
                message = Errors.ANNOTATIONS_JSON.format(where=where, error=error)
                raise ValueError(message) from error
            if record is not None:
                if not isinstance(record, dict):
                    error_text = "it is not an object"
                    message = Errors.ANNOTATIONS_JSON.format(where=where, error=error_text)
                    raise ValueError(message)
                yield where, record


def find_format(path: Path) -> str:
    """The same as `detect_format`; raises ValueError if it cannot be told.

    path (Path): The file.
    RETURNS (str): `prodigy` or `doccano`.
    """
    name = detect_format(path)
    if name is None:
        raise ValueError(Errors.ANNOTATIONS_FORMAT.format(path=path))
    return name
