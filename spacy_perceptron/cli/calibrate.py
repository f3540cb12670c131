"""`calibrate`: make the confidences of components match how often they are right."""

from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli
from .shared.failures import reported

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.training import Example

    from ..answers.calibration import Calibratable, Calibration
    from ..display.reliability import Measured, Outcomes

    OutcomesAt = Callable[[float], Outcomes]


class Method(str, Enum):
    """Which map to fit; `auto` takes the one with the least log loss in cross-fitting."""

    auto = "auto"
    temperature = "temperature"
    isotonic = "isotonic"
    both = "both"


@perceptron_cli.command("calibrate")
def calibrate_cli(
    model_path: Annotated[
        Path, typer.Argument(help="Trained pipeline", exists=True, file_okay=False)
    ],
    dev_path: Annotated[Path, typer.Argument(help="Gold corpus to fit on (.spacy)", exists=True)],
    component: Annotated[
        str | None,
        typer.Option("--component", help="Name of the component to calibrate; default: all"),
    ] = None,
    method: Annotated[Method, typer.Option("--method", help="Map to fit")] = Method.auto,
    output_path: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Folder for the calibrated pipeline; default: in place"
        ),
    ] = None,
    plot_path: Annotated[
        Path | None,
        typer.Option("--plot", help="PNG file for reliability diagrams", dir_okay=False),
    ] = None,
    test_path: Annotated[
        Path | None, typer.Option("--test", help="Gold corpus to check on (.spacy)", exists=True)
    ] = None,
    gold_preproc: Annotated[
        bool, typer.Option("--gold-preproc", help="Use gold sentences and tokens")
    ] = False,
) -> None:
    """Fit the calibration of components on a dev corpus and save it with the pipeline.

    The error after calibration is measured on the test corpus, or else by two-fold cross-fitting on
    the dev corpus; never on the tokens it was fitted on.
    """
    from spacy.util import load_model
    from wasabi import msg

    from ..components._shared.saving import save_pipeline
    from ..display.reliability import plot
    from ..errors import Errors
    from .shared.pipes import find_components

    calibrated: dict[str, Measured] = {}
    with reported():
        nlp = load_model(model_path)
        for name in find_components(nlp, component, "raw_confidences"):
            corpora = [
                read_examples(nlp, name, path, gold_preproc)
                for path in (dev_path, test_path)
                if path is not None
            ]
            if measured := calibrate_component(nlp, name, corpora, method):
                calibrated[name] = measured
        if not calibrated:
            raise ValueError(Errors.CALIBRATION_NO_TOKENS)
        if plot_path is not None:
            plot(plot_path, calibrated)
        save_pipeline(nlp, output_path or model_path)
    msg.good(f"Saved the calibrated pipeline to {output_path or model_path}")


def read_examples(
    nlp: "Language", name: str, path: Path, gold_preproc: bool = False
) -> list["Example"]:
    """Read a corpus and run the components before a given one on it.

    nlp (Language): The pipeline.
    name (str): The component.
    path (Path): The gold corpus.
    gold_preproc (bool): Whether to use gold sentences and tokens.
    RETURNS (list[Example]): Examples as the component meets them.
    """
    from ..corpus.reader import set_sentences
    from ..corpus.sentences import SentenceCorpus

    examples = list(SentenceCorpus(path, gold_preproc=gold_preproc)(nlp))
    if gold_preproc:
        # spaCy's reader splits docs into sentences without marking them as single sentences.
        for eg in examples:
            set_sentences(eg.predicted, eg.reference)
    upstream = nlp.pipe_names[: nlp.pipe_names.index(name)]
    with nlp.select_pipes(enable=upstream):
        docs = list(nlp.pipe([eg.predicted for eg in examples]))
    for eg, doc in zip(examples, docs, strict=True):
        eg.predicted = doc
    return examples


def calibrate_component(
    nlp: "Language", name: str, corpora: list[list["Example"]], method: Method
) -> "Measured":
    """Fit the calibration of one component and print what it changes.

    nlp (Language): The pipeline; the component's calibration is replaced.
    name (str): The component.
    corpora (list[list[Example]]): What to fit on and, optionally, what to check on.
    method (Method): The map to fit.
    RETURNS (Measured): Outcomes before and after, by what they were measured on; nothing if the
        corpus has no gold annotation for the component, which then stays as it is.
    """
    from wasabi import msg

    from ..display.reliability import print_report
    from ..errors import Warnings

    pipe: Any = nlp.get_pipe(name)
    dev, *tests = corpora
    before = pipe.raw_confidences(dev, 1.0)
    if not len(before[0]):
        msg.warn(Warnings.CALIBRATION_SKIPPED.format(name=name))
        return {}
    pipe.calibration, chosen, after = calibrate(pipe, dev, method)
    measured = {"dev, cross-fitted": (before, after)}
    for test in tests:
        outcomes_at = remember(pipe, test)
        measured["test"] = (outcomes_at(1.0), apply(outcomes_at, pipe.calibration))
    msg.info(
        f"{name}: {chosen.value}, temperature {pipe.calibration.temperature:.3f}, "
        f"{len(pipe.calibration.knots or [])} knots"
    )
    print_report(measured)
    return measured


def calibrate(
    pipe: "Calibratable", examples: list["Example"], method: Method
) -> tuple["Calibration", Method, "Outcomes"]:
    """Fit a calibration on all examples, and cross-fit to measure how good it is.

    pipe (Calibratable): The component.
    examples (list[Example]): The dev corpus.
    method (Method): The map to fit.
    RETURNS (tuple[Calibration, Method, Outcomes]): The calibration, the map chosen, and calibrated
        confidences and outcomes of each half by the map fitted on the other one.
    """
    import numpy as np

    from ..answers.calibration import log_loss
    from ..errors import Errors

    if len(examples) < 2:
        raise ValueError(Errors.CALIBRATION_TOO_FEW_DOCS.format(n_docs=len(examples)))
    halves = [remember(pipe, part) for part in (examples[::2], examples[1::2])]
    candidates = [m for m in Method if m is not Method.auto] if method is Method.auto else [method]
    outcomes = {}
    for candidate in candidates:
        parts = [apply(tested, fit(fitted, candidate)) for fitted, tested in (halves, halves[::-1])]
        outcomes[candidate] = (
            np.concatenate([confidence for confidence, _ in parts]),
            np.concatenate([correct for _, correct in parts]),
        )
    # The simpler map comes first and wins ties.
    best = min(candidates, key=lambda candidate: log_loss(*outcomes[candidate]))
    return fit(remember(pipe, examples), best), best, outcomes[best]


def remember(pipe: "Calibratable", examples: list["Example"]) -> "OutcomesAt":
    """Decode examples once per temperature: fitting tries the same ones for each map.

    pipe (Calibratable): The component; its own calibration is not used.
    examples (list[Example]): What to predict.
    RETURNS (OutcomesAt): Gives confidences and outcomes at a temperature.
    """

    @cache
    def outcomes_at(temperature: float) -> "Outcomes":
        return pipe.raw_confidences(examples, temperature)

    return outcomes_at


def fit(outcomes_at: "OutcomesAt", method: Method) -> "Calibration":
    """Fit one kind of map.

    outcomes_at (OutcomesAt): What to fit on.
    method (Method): The map.
    RETURNS (Calibration): The calibration.
    """
    from ..answers.calibration import Calibration, fit_isotonic, fit_temperature

    calibration = Calibration()
    if method is not Method.isotonic:
        calibration.temperature = fit_temperature(outcomes_at)
    if method is not Method.temperature:
        calibration.knots = fit_isotonic(*outcomes_at(calibration.temperature))
    return calibration


def apply(outcomes_at: "OutcomesAt", calibration: "Calibration") -> "Outcomes":
    """Get calibrated confidences.

    outcomes_at (OutcomesAt): Gives confidences before calibration.
    calibration (Calibration): The calibration.
    RETURNS (Outcomes): Calibrated confidences, and whether the decisions are correct.
    """
    confidence, correct = outcomes_at(calibration.temperature)
    return calibration.apply(confidence), correct
