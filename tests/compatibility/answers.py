"""What a pipeline says about texts, as plain data. Only public interfaces are used, so that the
same question can be put to every version."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token

SPANS_KEY = "constituents"
CONFIDENCES = ("tag", "pos", "morph", "head", "ent")
N_BEST = 5
# So many texts, the shortest ones, of which one decision is explained: explanations take room.
N_EXPLAINED = 3


def find_answers(nlp: Language, texts: list[str], components: list[str]) -> list[dict[str, Any]]:
    """Annotate texts and ask some components for more.

    nlp (Language): The pipeline.
    texts (list[str]): The texts.
    components (list[str]): Names of the components to ask.
    RETURNS (list[dict[str, Any]]): For each text the annotation, confidences, stored answers,
        and by component the n-best answers and the explanation of a decision.
    """
    docs = list(nlp.pipe(texts, batch_size=8))
    explained = sorted(filter(_can_be_explained, docs), key=len)[:N_EXPLAINED]
    return [_describe(nlp, doc, components, explain=doc in explained) for doc in docs]


def _describe(nlp: Language, doc: Doc, components: list[str], *, explain: bool) -> dict[str, Any]:
    answers: dict[str, Any] = {
        "words": [token.text for token in doc],
        "tags": [token.tag_ for token in doc],
        "pos": [token.pos_ for token in doc],
        "heads": [token.head.i for token in doc],
        "deps": [token.dep_ for token in doc],
        "ents": [f"{token.ent_iob_}-{token.ent_type_}" for token in doc],
        "sentence_starts": [token.is_sent_start for token in doc],
        "confidences": dict(_confidences(doc)),
        "stored": doc._.nbest,
        "nbest": {},
        "explained": {},
    }
    if "lemmatizer" in components:
        answers["lemmas"] = [token.lemma_ for token in doc]
        answers["lemma_confidences"] = [token._.lemma_confidence for token in doc]
    if any(token.has_morph() for token in doc):
        answers["morphs"] = [str(token.morph) for token in doc]
        answers["morphs"] = [str(token.morph) for token in doc]
    if SPANS_KEY in doc.spans:
        answers["constituents"] = [
            [span.start, span.end, span.label_, span._.confidence] for span in doc.spans[SPANS_KEY]
        ]
        answers["partial"] = [start for start, _ in doc._.partial_parses]
    for name in components:
        pipe: Any = nlp.get_pipe(name)
        answers["nbest"][name] = [
            {
                "score": candidate.score,
                "probability": candidate.probability,
                "base_score": candidate.base_score,
                "annotation": {
                    key: [int(v) if key == "head" else str(v) for v in values]
                    for key, values in candidate.annotation.items()
                },
            }
            for candidate in pipe.nbest(doc, N_BEST)
        ]
        if explain:
            answers["explained"][name] = _all_rows(pipe.explain(doc, len(doc) // 2))
    return answers


def _all_rows(explanation: Any) -> str:
    """An explanation as text; up to version 0.4 it had no number of rows."""
    has_rows = hasattr(explanation, "rows")
    return str(replace(explanation, rows=None) if has_rows else explanation)


def _confidences(doc: Doc) -> Iterator[tuple[str, list[float | None]]]:
    for attribute in CONFIDENCES:
        name = f"{attribute}_confidence"
        # Extensions outlive the pipeline that registered them.
        if Token.has_extension(name):
            values = [token._.get(name) for token in doc]
            if any(value is not None for value in values):
                yield attribute, values


def _can_be_explained(doc: Doc) -> bool:
    """Nothing is decided about whitespace, and 0.2.0 showed coarse tags of brackets cut short."""
    return len(doc) > 3 and not any(t.is_space or t.tag_.startswith("-") for t in doc)
