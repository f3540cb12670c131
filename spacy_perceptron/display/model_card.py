"""What a pipeline says of itself: name, version, licence, sources and figures.

`meta.json` holds all of it, and spaCy makes the model card, README.md, from that. The licences of
the data stand in a file of their own, LICENSES_SOURCES. `spacy package` takes over all three.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from packaging.version import InvalidVersion, Version

from ..errors import Errors
from ..values import join_words

META, CARD, LICENSES = "meta.json", "README.md", "LICENSES_SOURCES"

_REQUIRED = ("name", "description", "author", "license", "sources")
_OPTIONAL = ("email", "url")
_SOURCE = ("name", "license", "author", "url")
# What is installed must be importable as `en_<name>`.
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# Not about accuracy, or given.
_NOT_COMPARED = ("speed", "token_", "sents_")


def merge_facts(facts: Sequence[Mapping[str, Any]], lang: str) -> dict[str, Any]:
    """Check what people write about a pipeline, and put it together.

    facts (Sequence[Mapping]): Contents of files. Later ones replace what earlier ones say, but for
        sources, which are added.
    lang (str): The language of the pipeline.
    RETURNS (dict[str, Any]): Entries of `meta.json`.
    """
    merged: dict[str, Any] = {}
    sources: list[dict[str, str]] = []
    for entries in facts:
        unknown = [name for name in entries if name not in (*_REQUIRED, *_OPTIONAL)]
        if unknown:
            known = join_words([*_REQUIRED, *_OPTIONAL])
            raise ValueError(Errors.CARD_UNKNOWN.format(name=unknown[0], known=known))
        sources.extend(_check_source(source) for source in entries.get("sources", []))
        merged.update(entries)
    merged["sources"] = sources
    missing = [name for name in _REQUIRED if not merged.get(name)]
    if missing:
        raise ValueError(Errors.CARD_MISSING.format(names=join_words(missing)))
    name = merged["name"]
    if not _NAME.fullmatch(name) or name.startswith(f"{lang}_"):
        raise ValueError(Errors.CARD_NAME.format(name=name, lang=lang))
    return merged


def _check_source(source: Any) -> dict[str, str]:
    """RETURNS (dict[str, str]): A source of data, with a name and a licence."""
    if (
        not isinstance(source, dict)
        or not {"name", "license"} <= {*source} <= {*_SOURCE}
        or not all(value and isinstance(value, str) for value in source.values())
    ):
        raise ValueError(Errors.CARD_SOURCE.format(source=source, known=join_words(_SOURCE)))
    return source


def merge_scores(scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Put figures of several evaluations together, such as those of trees and those of entities.

    scores (Sequence[Mapping]): What `spacy evaluate --output` wrote. Of two figures of the same
        name, the earlier one is taken.
    RETURNS (dict[str, Any]): All figures but those without a value.
    """
    merged: dict[str, Any] = {}
    for figures in scores:
        for name, value in figures.items():
            if value is not None and value != {}:
                merged.setdefault(name, value)
    return merged


def describe(
    meta: Mapping[str, Any],
    facts: Mapping[str, Any],
    *,
    version: str,
    scores: Mapping[str, Any],
    gold_scores: Mapping[str, Any],
) -> dict[str, Any]:
    """Complete the `meta.json` of a pipeline.

    meta (Mapping[str, Any]): The one that training has written.
    facts (Mapping[str, Any]): Name, description, author, licence and sources.
    version (str): The version of the pipeline.
    scores (Mapping[str, Any]): Figures from raw text.
    gold_scores (Mapping[str, Any]): Figures on the tokens and sentences of the corpus.
    RETURNS (dict[str, Any]): The new one.
    """
    try:
        Version(version)
    except InvalidVersion as error:
        raise ValueError(Errors.CARD_VERSION.format(version=version)) from error
    notes = [_learned_from(facts["sources"])]
    table = _compare(scores, gold_scores)
    if table:
        notes.append(table)
    return {
        # spaCy would link the author to an empty address.
        **{name: value for name, value in meta.items() if value != ""},
        **facts,
        "version": version,
        "performance": merge_scores([scores, gold_scores]),
        "notes": "\n\n".join(notes),
    }


def licenses(sources: Sequence[Mapping[str, str]]) -> str:
    """RETURNS (str): The text of LICENSES_SOURCES: a paragraph for each source."""
    paragraphs = []
    for source in sources:
        lines = [source["name"], *(source[name] for name in ("author", "url") if name in source)]
        paragraphs.append("\n".join([*lines, f"Licence: {source['license']}"]))
    return "\n\n".join(paragraphs) + "\n"


def _learned_from(sources: Sequence[Mapping[str, str]]) -> str:
    return "Learned from: " + "; ".join(f"{s['name']} ({s['license']})" for s in sources) + "."


def _compare(scores: Mapping[str, Any], gold_scores: Mapping[str, Any]) -> str:
    """RETURNS (str): A table of figures from raw text and on gold tokens, in Markdown; nothing if
    there are none on gold tokens."""
    from wasabi import MarkdownRenderer

    rows = [
        (f"`{name.upper()}`", _percent(scores.get(name)), _percent(value))
        for name, value in gold_scores.items()
        if isinstance(value, int | float) and not name.startswith(_NOT_COMPARED)
    ]
    if not rows:
        return ""
    md = MarkdownRenderer()
    md.add("The figures above are those of raw text, where that was measured. By comparison:")
    md.add(md.table(rows, ["Type", "Raw text", "Words and sentences given"]))
    text: str = md.text
    return text


def _percent(value: Any) -> str:
    return f"{value * 100:.2f}" if isinstance(value, int | float) else ""
