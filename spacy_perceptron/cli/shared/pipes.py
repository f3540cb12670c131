"""Which components of a pipeline a command works on.

A component can be named. Otherwise, a command about one component takes the last one that can
answer, and says so; a command that changes components changes all it can.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language


def load_pipeline(model: str, component: str | None, ability: str) -> tuple["Language", str]:
    """Load a pipeline and choose the component to ask.

    model (str): Folder or package.
    component (Optional[str]): Its name, or None for the last one with the ability.
    ability (str): The method it must have, such as `nbest`.
    RETURNS (tuple[Language, str]): The pipeline and the component's name.
    """
    import typer
    from spacy.util import load_model

    from ...errors import Warnings

    nlp = load_model(model)
    able = find_components(nlp, component, ability)
    if len(able) > 1:
        # Not on standard output, which may be read by a program.
        message = Warnings.CLI_LAST_COMPONENT.format(name=able[-1], names=", ".join(able))
        typer.echo(message, err=True)
    return nlp, able[-1]


def find_components(nlp: "Language", component: str | None, ability: str) -> list[str]:
    """Find the components with an ability.

    nlp (Language): The pipeline.
    component (Optional[str]): The name of the only one wanted, or None for all.
    ability (str): The method they must have, such as `nbest`.
    RETURNS (list[str]): Their names in the order of the pipeline, at least one.
    """
    from ...errors import Errors

    def is_able(pipe: Any) -> bool:
        return callable(getattr(pipe, ability, None))

    able = [name for name, pipe in nlp.pipeline if is_able(pipe)]
    if not able:
        names = ", ".join(nlp.pipe_names) or "none"
        raise ValueError(Errors.CLI_NO_COMPONENT.format(ability=ability, names=names))
    if component is None:
        return able
    if component not in able:
        names = ", ".join(able)
        message = Errors.CLI_WRONG_COMPONENT.format(name=component, ability=ability, names=names)
        raise ValueError(message)
    return [component]
