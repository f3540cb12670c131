"""`join`: put a component of one pipeline behind those of another one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from . import perceptron_cli
from .shared.failures import reported

if TYPE_CHECKING:
    from spacy.language import Language


@perceptron_cli.command("join")
def join_cli(
    model_path: Annotated[Path, Argument(help="Trained pipeline", exists=True, file_okay=False)],
    other_path: Annotated[
        Path, Argument(help="Pipeline with the component to add", exists=True, file_okay=False)
    ],
    component: Annotated[str, Option("--component", help="Name of the component to add")],
    output_path: Annotated[
        Path | None,
        Option("--output", "-o", help="Folder for the joined pipeline; default: in place"),
    ] = None,
) -> None:
    """Add a component of another pipeline, such as an entity recognizer that was trained apart."""
    from spacy.util import load_model
    from wasabi import msg

    from ..components._shared.saving import save_pipeline

    target = output_path or model_path
    with reported("The pipelines were not joined"):
        nlp = load_model(model_path)
        join(nlp, load_model(other_path), component)
        save_pipeline(nlp, target)
    msg.good(f"{target}: {', '.join(nlp.pipe_names)}")


def join(nlp: "Language", other: "Language", component: str) -> None:
    """Add a component of another pipeline, with the word clusters it may need.

    nlp (Language): The pipeline that gets the component, as its last one.
    other (Language): The pipeline that has it.
    component (str): Its name.
    """
    from ..corpus.clusters.carrier import copy_clusters, read_clusters
    from ..errors import Errors

    if component not in other.pipe_names:
        raise ValueError(
            Errors.JOIN_MISSING.format(name=component, names=", ".join(other.pipe_names))
        )
    if component in nlp.component_names:
        raise ValueError(Errors.JOIN_THERE.format(name=component))
    if read_clusters(other.vocab.lookups) and not read_clusters(nlp.vocab.lookups):
        copy_clusters(other.vocab, nlp.vocab)
    nlp.add_pipe(component, source=other)
