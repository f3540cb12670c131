"""Answers of a component as a table, for `nbest` and `explain`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answers import Answers


def print_answers(answers: "Answers") -> None:
    """Print a row per word: what is predicted, how sure that is, and how each answer differs.
    Brackets are printed as trees.

    answers (Answers): The answers for one text.
    """
    from wasabi import msg

    from .constituents.text import print_trees

    if answers.kind.drawing == "brackets":
        print_trees(answers)
        return
    predicted = answers.describe().columns
    confidences = ["" if value is None else f"{value:.3f}" for value in answers.confidences]
    differences = [answers.differences(rank) for rank in range(len(answers.candidates))]
    columns = [answers.words, *predicted.values(), confidences, *differences]
    rows = [
        (i, *cells)
        for i, cells in enumerate(zip(*columns, strict=True))
        if not answers.words[i].isspace()
    ]
    labels = [name.capitalize() for name in predicted]
    shares = [f"{i}: {c.probability:.1%}" for i, c in enumerate(answers.candidates, start=1)]
    header = ("Token", "Word", *labels, "Confidence", *shares)
    aligns = ["r", "l", *("l" for _ in labels), "r", *("l" for _ in shares)]
    msg.table(rows, header=header, divider=True, aligns=aligns)
