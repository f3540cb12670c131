"""`evaluate-conllu`: the CoNLL 2018 measures of a system's CoNLL-U output."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import perceptron_cli
from .shared.failures import reported, writing

if TYPE_CHECKING:
    from ..evaluation.conll.measures import Score


@perceptron_cli.command("evaluate-conllu")
def evaluate_conllu_cli(
    gold_path: Annotated[Path, typer.Argument(help="Gold CoNLL-U file", dir_okay=False)],
    system_path: Annotated[Path, typer.Argument(help="The system's file", dir_okay=False)],
    output_path: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file to write", dir_okay=False)
    ] = None,
) -> None:
    """Compare CoNLL-U files of the same text by the measures of the CoNLL 2018 shared task.

    Words may differ: they are aligned by the characters they cover.
    """
    import srsly

    from ..evaluation.conll.measures import evaluate_conllu
    from ..trees.conllu.reading import read_conllu

    with reported():
        gold, system = list(read_conllu(gold_path)), list(read_conllu(system_path))
        scores = evaluate_conllu(gold, system, names=(str(gold_path), str(system_path)))
    _print_table(scores)
    if output_path is not None:
        results = {
            name: {
                "correct": score.correct,
                "gold": score.gold,
                "system": score.system,
                "precision": score.precision,
                "recall": score.recall,
                "f": score.f,
                "aligned_accuracy": score.aligned_accuracy,
            }
            for name, score in scores.items()
        }
        with writing(output_path):
            srsly.write_json(output_path, results)


def _print_table(scores: "dict[str, Score]") -> None:
    from wasabi import msg

    rows = []
    for name, score in scores.items():
        values = [score.precision, score.recall, score.f, score.aligned_accuracy]
        rows.append([name, *("-" if value is None else f"{100 * value:.2f}" for value in values)])
    header = ["measure", "precision", "recall", "F", "of aligned"]
    msg.table(rows, header=header, divider=True, aligns=["l"] + ["r"] * 4)
