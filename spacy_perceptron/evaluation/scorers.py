"""Scorers, registered under `spacy_perceptron.<name>.v1`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spacy.scorer import PRFScore, Scorer, get_ner_prf
from spacy.tokens import Doc, Token
from spacy.training import Example

from ..answers.sentence_starts import can_be_judged, known_sentences, read_starts
from .counts import count_metrics

# Figures of parsers beyond spaCy's own.
PARSER_METRICS = ("dep_uas_all", "dep_las_all", "dep_exact", "dep_exact_labelled")
# As in spaCy's own scorer of parsers.
_UNSCORED_LABELS = ("p", "punct")


def make_tagger_scorer() -> Callable[..., dict[str, Any]]:
    """RETURNS (Callable): A scorer for taggers."""
    return score_tags


def score_tags(
    examples: Iterable[Example],
    *,
    attribute: str = "tag",
    attributes: Sequence[str] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Accuracy of the tagger's attributes over words with a gold value. White space does not count:
    spaCy gives it tags of its own and counts them as gold, but not as predicted.

    examples (Iterable[Example]): Predictions and gold.
    attribute (str): `tag`, `pos` or `morph`; the pipe passes its own.
    attributes (Optional[Sequence[str]]): Several of them.
    **settings: Other settings of the pipe; they do not matter here.
    RETURNS (dict): `tag_acc`, `pos_acc` and `morph_acc`, as far as these are predicted. `morph_acc`
        counts words with all features right; spaCy's `morph_micro_p`, `morph_micro_r`,
        `morph_micro_f` and `morph_per_feat` count single features.
    """
    examples = list(examples)
    scores: dict[str, Any] = {}
    for name in [attribute] if attributes is None else attributes:
        if name == "morph":
            getter = _morph_key
            scores |= Scorer.score_token_attr(examples, name, getter=getter)
            scores |= Scorer.score_token_attr_per_feat(examples, name, getter=getter)
        else:
            scores |= Scorer.score_token_attr(examples, name, getter=_word_value)
    return scores


def _word_value(token: Token, attribute: str) -> int:
    return 0 if token.is_space else int(getattr(token, attribute))


def _morph_key(token: Token, attribute: str) -> int:
    return 0 if token.is_space else int(getattr(token, attribute).key)


def make_parser_scorer() -> Callable[..., dict[str, Any]]:
    """RETURNS (Callable): A scorer for dependency parsers."""
    return score_parses


def score_parses(examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
    """Heads and labels over tokens with gold values; None for what gold says nothing about.

    spaCy's own figures leave out punctuation and ignore case in labels: `dep_uas`, `dep_las`,
    `dep_las_per_type`, and `sents_p`, `sents_r`, `sents_f`. White space, which has no gold label in
    treebanks, is left out too: spaCy's scorer would leave out the words of all other docs in the
    same places. With all words and labels as they are:
    `dep_uas_all`, `dep_las_all`, and the shares of sentences with all heads right, `dep_exact`, and
    all labels too, `dep_exact_labelled`. There, a token that is no gold token counts as wrong.

    examples (Iterable[Example]): Predictions and gold.
    **settings: Settings of the pipe, some of which spaCy's scorer would take for its own; none
        matters here.
    RETURNS (dict): The scores.
    """
    examples = list(examples)
    scores = Scorer.score_spans(examples, "sents", has_annotation=_has_sentences)
    del scores["sents_per_type"]
    scores.update(
        Scorer.score_deps(examples, "dep", getter=_lower_label, ignore_labels=_UNSCORED_LABELS)
    )
    for name, counts in count_metrics(examples, PARSER_METRICS, only_annotated=False).items():
        scores[name] = counts.value if counts.stats[:, 2].any() else None
    return scores


def _has_sentences(doc: Doc) -> bool:
    return doc.has_annotation("SENT_START")


def _lower_label(token: Token, attribute: str) -> str:
    if token.orth_.isspace():
        return _UNSCORED_LABELS[0]
    label: str = token.vocab.strings.as_string(getattr(token, attribute))
    return label.lower()


def make_ner_scorer() -> Callable[..., dict[str, Any]]:
    """RETURNS (Callable): A scorer for entity recognizers."""
    return score_entities


def score_entities(examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
    """Precision, recall and F-score of entities: exact spans with labels, and boundaries alone.

    spaCy's own figures are `ents_p`, `ents_r`, `ents_f` and `ents_per_type`; those of boundaries
    are `ents_boundary_p`, `ents_boundary_r` and `ents_boundary_f`. As in spaCy, examples without
    gold entity annotation do not count, nor do predictions where it is missing.

    examples (Iterable[Example]): Predictions and gold.
    **settings: Settings of the pipe; they do not matter here.
    RETURNS (dict): The scores, None where nothing is annotated.
    """
    examples = list(examples)
    scores = dict(get_ner_prf(examples))
    boundaries = PRFScore()
    annotated = False
    for example in examples:
        if not example.y.has_annotation("ENT_IOB"):
            continue
        annotated = True
        gold = {(ent.start_char, ent.end_char) for ent in example.y.ents}
        aligned = example.get_aligned_ner()
        found = {
            (ent.start_char, ent.end_char)
            for ent in example.x.ents
            if None not in aligned[ent.start : ent.end]
        }
        boundaries.score_set(found, gold)
    for name in ("precision", "recall", "fscore"):
        key = f"ents_boundary_{name[0]}"
        scores[key] = getattr(boundaries, name) if annotated else None
    return scores


def make_senter_scorer() -> Callable[..., dict[str, Any]]:
    """RETURNS (Callable): A scorer for sentence segmenters."""
    return score_sentences


def score_sentences(examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
    """Precision, recall and F-score of sentences: `sents_p`, `sents_r` and `sents_f`.

    They are spaCy's own figures where gold boundaries are complete. Where they are not, sentences
    count as far as gold says that they are right or wrong.

    examples (Iterable[Example]): Predictions and gold.
    **settings: Settings of the pipe; they do not matter here.
    RETURNS (dict): The scores, None if nothing is annotated.
    """
    score = PRFScore()
    annotated = False
    for example in examples:
        gold, predicted = example.reference, example.predicted
        if not gold.has_annotation("SENT_START"):
            continue
        annotated = True
        starts = read_starts(gold)
        sents = predicted.sents if predicted.has_annotation("SENT_START") else ()
        found = {(sent.start, sent.end) for sent in example.get_aligned_spans_x2y(sents)}
        judged = {sent for sent in found if can_be_judged(*sent, starts)}
        score.score_set(judged, known_sentences(starts))
    return {
        f"sents_{name[0]}": getattr(score, name) if annotated else None
        for name in ("precision", "recall", "fscore")
    }
