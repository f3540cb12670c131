"""Teaches a tagger one corrected sentence at once (passive-aggressive, Crammer et al. 2006)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from spacy.training import Example

from ...errors import Errors
from ...learn.perceptron import passive_aggressive_step
from ...models.linear import set_weights, weight_table

if TYPE_CHECKING:
    from ..easy_first_tagger import EasyFirstTagger
    from .pipe import SequencePipe

# Lexeme rows, tags given in advance and gold tags.
Sentence = tuple[np.ndarray, np.ndarray | None, np.ndarray]
# Each step mends the first mistake that is left; sentences need a few.
MAX_STEPS = 50


def correct_tags(tagger: "EasyFirstTagger", example: Example, *, margin: float) -> int:
    """Change the weights that predict until they give the example's gold tags.

    tagger (EasyFirstTagger): The tagger.
    example (Example): The prediction's text with the tags it should have.
    margin (float): By how much the correct tagging should win.
    RETURNS (int): Number of changes; 0 when the prediction was right.
    """
    require_known_labels(tagger, example)
    words = tagger._read_words([example.predicted])
    gold = tagger._gold_tags(example)[words.is_word]
    n_forgotten = _forget_words(tagger, words.orths, gold)
    sentences = [
        (rows, fixed, gold[start : start + len(rows)])
        for (rows, fixed), start in zip(tagger._sentences(words), words.starts[:-1], strict=True)
    ]
    return correct_sentences(tagger, sentences, margin=margin) + n_forgotten


def require_known_labels(pipe: "SequencePipe", example: Example) -> None:
    """Refuse to correct to labels that a component does not have.

    pipe (SequencePipe): The component, whose averages are brought up to date.
    example (Example): The prediction's text with the labels it should have.
    """
    pipe.sync()
    pipe._require_labels()
    unknown = sorted(set(pipe._labels_of(example)) - set(pipe.labels))
    if unknown:
        raise ValueError(Errors.CORRECT_LABEL.format(name=pipe.name, label=unknown[0]))


def correct_sentences(pipe: "SequencePipe", sentences: Iterable[Sentence], *, margin: float) -> int:
    """Change the weights that predict until sentences get their gold tags.

    pipe (SequencePipe): The component.
    sentences (Iterable[Sentence]): Lexeme rows, given tags and gold tags.
    margin (float): By how much the correct tagging should win.
    RETURNS (int): Number of changes.
    """
    table = weight_table(pipe.model, trainable=True)
    decoder = pipe._make_decoder(table, cached=False)
    n_steps = 0
    for rows, fixed, gold in sentences:
        for _ in range(MAX_STEPS):
            found = decoder.violation(rows, gold, pipe.beam_width, fixed=fixed)
            if found is None:
                break
            correct, predicted, correct_score, predicted_score = found
            difference = decoder.difference(correct, predicted)
            violation = predicted_score - correct_score
            step = passive_aggressive_step(difference, violation, margin=margin)
            table.update(*difference, 0.0, step=step)
            n_steps += 1
    if n_steps:
        set_weights(pipe.model, pipe._class_count(), table.averaged(0))
        pipe._drop_learner()
        pipe._weights_changed()
    return n_steps


def _forget_words(tagger: "EasyFirstTagger", orths: np.ndarray, gold: np.ndarray) -> int:
    """Take words that are corrected to another tag out of the dictionary; how many?"""
    fixed = tagger._fixed_tags(orths)
    if fixed is None:
        return 0
    strings = tagger._attributes.vocab.strings
    wrong = (fixed != -1) & (gold != -1) & (fixed != gold)
    words = {strings[int(orth)] for orth in orths[wrong]}
    for word in words:
        del tagger.cfg["dictionary"][word]
    if words:
        tagger._weights_changed()
    return len(words)
