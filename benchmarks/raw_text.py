"""From raw text to every column of CoNLL-U on UD English EWT, against spaCy and UDPipe 1."""

from __future__ import annotations

import argparse

from .comparisons.comparison import QUICK, Comparison, Scale, choose_systems, train_and_measure
from .corpora.raw_text import ewt_documents
from .options import add_common_arguments, add_training_arguments
from .systems.base import System
from .systems.peers.spacy_pipelines import raw_spacy_systems
from .systems.peers.udpipe_raw import raw_udpipe_system

GROUPS = ("ours", "spacy", "udpipe")
PEERS = ("ufal.udpipe",)
TARGET = 0.80
UDPIPE_PARTS = ("tokenizer", "tagger", "parser")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "LAS (spaCy's dep_las)")
    for name in UDPIPE_PARTS:
        what = f"options for training UDPipe's {name}"
        parser.add_argument(f"--udpipe-{name}", default="", metavar="OPTIONS", help=what)


def make_systems(args: argparse.Namespace, scale: Scale) -> list[System]:
    available: list[System] = [
        *raw_spacy_systems(max_steps=scale.spacy_steps, max_minutes=args.max_minutes_spacy),
        raw_udpipe_system(
            **{name: getattr(args, f"udpipe_{name}") for name in UDPIPE_PARTS}, quick=args.quick
        ),
    ]
    return choose_systems(available, args.only, GROUPS)


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = Scale(**(QUICK if args.quick else {})).limit_spacy(args.max_steps_spacy)
    systems = make_systems(args, scale)
    how = Comparison("raw_text", GROUPS, scale, systems, PEERS, make_corpus=ewt_documents)
    train_and_measure(how, args, lambda workshop: {})
