"""Sentences that explain tables: what columns mean, and what a run was like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

FOOTPRINT_NOTE = (
    "Size: the saved model; 1 MB is a million bytes. Load time is taken in a fresh process that "
    "has imported the library. Memory is that of this process: its peak while annotating test, and "
    "by how much its peak and what stays resident exceed those of the same process without a "
    "model. The peak grows with the batch size of `nlp.pipe`."
)
LEAST_P = 1e-6
# Steps without a better score after which spaCy's default config ends a training.
PATIENCE = 1_600


def corpus_sizes(data: Mapping[str, Any]) -> str:
    """The number of words in each split."""
    return ", ".join(f"{split} {words:,}" for split, words in data["corpus"]["words"].items())


def speed_note(data: Mapping[str, Any]) -> str:
    """What the columns on speed mean."""
    return (
        "Speed: the median of several turns on one thread, feature extraction included, on inputs "
        "that are ready before the clock starts. The text is new to the process, which has "
        f"annotated {data['scale']['other_words']:,} words of training text before. "
        "× spaCy: the median ratio of CPU times within a turn."
    )


def dev_target(data: Mapping[str, Any]) -> float:
    """The dev score until which training was timed."""
    target: float = data["systems"][0]["training"]["target"]
    return target


def training_note(data: Mapping[str, Any]) -> str:
    """What the columns on training mean."""
    return (
        "Training times include initialization, evaluation on dev and saving; train and dev are "
        "read with gold tokens. To best: until the best checkpoint on dev. To target: until a dev "
        f"score of {dev_target(data):.1%}."
    )


def steps_note(data: Mapping[str, Any]) -> list[str]:
    """How the training of spaCy's pipeline ended; nothing if it did not take part."""
    trainings = {system["key"]: system["training"] for system in data["systems"]}
    checkpoints = trainings.get("spacy", {}).get("checkpoints")
    if not checkpoints:
        return []
    last, limit = checkpoints[-1]["step"], data["scale"]["spacy_steps"]
    if limit and last >= limit:
        return [f"spaCy's training was stopped after {last:,} steps."]
    return [
        f"spaCy's training ended by itself after {last:,} steps, when its score on dev had not "
        f"improved for {PATIENCE:,}."
    ]


def flagged_trainings(systems: Sequence[Mapping[str, Any]]) -> list[str]:
    """Remarks on trainings that were cut short or belong to another run."""
    remarks = []
    for flag, what in (
        ("stopped_early", "were cut short by the time limit"),
        ("reused", "were done in an earlier run, under that run's load"),
    ):
        labels = [system["label"] for system in systems if system["training"][flag]]
        if labels and len(labels) == len(systems):
            remarks.append(f"All trainings {what}.")
        elif labels:
            remarks.append(f"These trainings {what}: {'; '.join(labels)}.")
    return remarks


def bounded_p(p_value: float) -> str:
    """A p-value, or the bound below which its exact value does not matter."""
    return f"{p_value:.2g}" if p_value >= LEAST_P else f"< {LEAST_P:g}"


def comparison_note(comparison: Mapping[str, Any]) -> str:
    """The outcome of McNemar's test in a sentence."""
    what = "labelled arcs" if comparison["labelled"] else "heads"
    bounded = bounded_p(comparison["p_value"])
    chance = bounded if bounded.startswith("<") else f"= {bounded}"
    return (
        f"McNemar's test on {what}: {comparison['only_a']:,} are right only in "
        f"{comparison['a']}, {comparison['only_b']:,} only in {comparison['b']}, "
        f"p {chance}."
    )


def remarks(data: Mapping[str, Any]) -> list[str]:
    """What was written into the results by hand about this run; a new run drops it."""
    return list(data.get("remarks", ()))
