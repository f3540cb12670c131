"""`correct`: teach a component that one of its other answers is the right one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from . import perceptron_cli
from .shared.failures import reported


@perceptron_cli.command("correct")
def correct_cli(
    model: Annotated[str, typer.Argument(help="Trained pipeline: folder or package")],
    text: Annotated[str, typer.Argument(help="The text")],
    answer: Annotated[
        int,
        typer.Option("--answer", help="Which answer is right: its number in `nbest`"),
    ],
    output_path: Annotated[
        Path,
        typer.Option("--output", "-o", help="Folder for the corrected pipeline", file_okay=False),
    ],
    component: Annotated[
        str | None,
        typer.Option(
            "--component", help="Name of the component; default: the last one that can learn so"
        ),
    ] = None,
    margin: Annotated[
        float, typer.Option("--margin", help="By how much the right answer should win")
    ] = 1.0,
) -> None:
    """Choose the right one of the answers to a text; the component learns it at once.

    Prints the answers before and after. Corrections can be made one after the other, each to the
    pipeline that the last one has written.
    """
    from spacy.training import Example
    from wasabi import msg

    from ..components._shared.saving import save_pipeline
    from ..display.answer_table import print_answers
    from ..display.answers import ask
    from ..errors import Errors, Warnings
    from ..values import WIDTH
    from .shared.pipes import load_pipeline

    with reported():
        if not text.strip():
            raise ValueError(Errors.CLI_NO_TEXT)
        WIDTH.check("answer", answer)
        nlp, name = load_pipeline(model, component, "correct")
        pipe: Any = nlp.get_pipe(name)
        doc = nlp(text)
        before = ask(pipe, doc, answer)
        if len(before.candidates) < answer:
            n_answers = len(before.candidates)
            raise ValueError(Errors.CORRECT_ANSWER.format(answer=answer, n=n_answers))
        right = before.candidates[answer - 1]
        n_steps = pipe.correct(Example(doc, right.apply(doc.copy())), margin=margin)
        after = ask(pipe, nlp(text), answer)
        save_pipeline(nlp, output_path)
    print_answers(before)
    if not n_steps:
        msg.info(f"'{name}' gave answer {answer} already")
    else:
        print_answers(after)
        if after.kind.key(after.predicted) == before.kind.key(right.annotation):
            msg.good(f"'{name}' took {n_steps} steps to learn answer {answer}")
        else:
            msg.warn(Warnings.CORRECT_NOT_LEARNED.format(name=name, n=n_steps))
    msg.good(f"Saved the pipeline to {output_path}")
