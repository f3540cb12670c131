"""`calibrate`: make a component's confidence mean how often it is right."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli

if TYPE_CHECKING:
    import numpy as np
    from spacy.language import Language
    from spacy.training import Example

    from ..calibration import Calibratable, Calibration

    Outcomes = tuple[np.ndarray, np.ndarray]

BAR_WIDTH = 30


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
        str | None, typer.Option("--component", help="Name of the component")
    ] = None,
    method: Annotated[Method, typer.Option("--method", help="Map to fit")] = Method.auto,
    output_path: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Folder for the calibrated pipeline; default: in place"
        ),
    ] = None,
    plot_path: Annotated[Path | None, typer.Option("--plot", help="PNG file to write")] = None,
    test_path: Annotated[
        Path | None, typer.Option("--test", help="Gold corpus to check on (.spacy)", exists=True)
    ] = None,
    gold_preproc: Annotated[
        bool, typer.Option("--gold-preproc", help="Use gold sentences, tokens")
    ] = False,
) -> None:
    """Fit a component's calibration on a dev corpus and save it with the pipeline.

    The error after calibration is measured on the test corpus, or else by two-fold cross-fitting on
    the dev corpus; never on the tokens it was fitted on.
    """
    from spacy.util import load_model
    from wasabi import msg

    nlp = load_model(model_path)
    try:
        name, pipe = find_component(nlp, component)
        dev = read_examples(nlp, name, dev_path, gold_preproc)
        test = read_examples(nlp, name, test_path, gold_preproc) if test_path is not None else None
        pipe.calibration, chosen, dev_after = calibrate(pipe, dev, method)
    except ValueError as error:
        msg.fail(str(error), exits=1)
    msg.info(
        f"{name}: {chosen.value}, temperature {pipe.calibration.temperature:.3f}, "
        f"{len(pipe.calibration.knots or [])} knots"
    )
    measured = {"dev, cross-fitted": (pipe.raw_confidences(dev, 1.0), dev_after)}
    if test is not None:
        test_after = apply(pipe, test, pipe.calibration)
        measured["test"] = (pipe.raw_confidences(test, 1.0), test_after)
    _report(name, measured, plot_path)
    nlp.to_disk(output_path or model_path)
    msg.good(f"Saved the calibrated pipeline to {output_path or model_path}")


def find_component(nlp: "Language", name: str | None) -> tuple[str, "Calibratable"]:
    """Find the component to calibrate.

    nlp (Language): The pipeline.
    name (Optional[str]): Its name, or None for the only one there is.
    RETURNS (tuple[str, Calibratable]): Its name and the component.
    """
    from ..errors import Errors

    able: dict[str, Any] = {n: p for n, p in nlp.pipeline if hasattr(p, "raw_confidences")}
    if not able:
        names = ", ".join(nlp.pipe_names)
        raise ValueError(Errors.CALIBRATION_NO_COMPONENT.format(names=names))
    names = ", ".join(able)
    if name is None:
        if len(able) > 1:
            raise ValueError(Errors.CALIBRATION_WHICH_COMPONENT.format(names=names))
        name = next(iter(able))
    if name not in able:
        raise ValueError(Errors.CALIBRATION_WRONG_COMPONENT.format(name=name, names=names))
    return name, able[name]


def read_examples(
    nlp: "Language", name: str, path: Path, gold_preproc: bool = False
) -> list["Example"]:
    """Read a corpus and run what stands before a component over it.

    nlp (Language): The pipeline.
    name (str): The component.
    path (Path): The gold corpus.
    gold_preproc (bool): Whether to use gold sentences and tokens.
    RETURNS (list[Example]): Examples as the component meets them.
    """
    from spacy.training import Corpus

    examples = list(Corpus(path, gold_preproc=gold_preproc)(nlp))
    upstream = nlp.pipe_names[: nlp.pipe_names.index(name)]
    with nlp.select_pipes(enable=upstream):
        docs = list(nlp.pipe([eg.predicted for eg in examples]))
    for eg, doc in zip(examples, docs, strict=True):
        eg.predicted = doc
    return examples


def calibrate(
    pipe: "Calibratable", examples: list["Example"], method: Method
) -> tuple["Calibration", Method, "Outcomes"]:
    """Fit a calibration on all examples, and cross-fit to see how good it is.

    pipe (Calibratable): The component.
    examples (list[Example]): The dev corpus.
    method (Method): The map to fit.
    RETURNS (tuple[Calibration, Method, Outcomes]): The calibration, the map chosen, and calibrated
        confidences and outcomes of each half by the map fitted on the other one.
    """
    import numpy as np

    from ..calibration import log_loss
    from ..errors import Errors

    if len(examples) < 2:
        raise ValueError(Errors.CALIBRATION_TOO_FEW_DOCS.format(n_docs=len(examples)))
    halves = (examples[::2], examples[1::2])
    candidates = [m for m in Method if m is not Method.auto] if method is Method.auto else [method]
    outcomes = {}
    for candidate in candidates:
        parts = [
            apply(pipe, tested, fit(pipe, fitted, candidate))
            for fitted, tested in (halves, halves[::-1])
        ]
        outcomes[candidate] = (
            np.concatenate([confidence for confidence, _ in parts]),
            np.concatenate([correct for _, correct in parts]),
        )
    # The simpler map comes first and wins ties.
    best = min(candidates, key=lambda candidate: log_loss(*outcomes[candidate]))
    return fit(pipe, examples, best), best, outcomes[best]


def fit(pipe: "Calibratable", examples: list["Example"], method: Method) -> "Calibration":
    """Fit one kind of map.

    pipe (Calibratable): The component.
    examples (list[Example]): What to fit on.
    method (Method): The map.
    RETURNS (Calibration): The calibration.
    """
    from ..calibration import Calibration, fit_isotonic, fit_temperature

    calibration = Calibration()
    if method is not Method.isotonic:
        calibration.temperature = fit_temperature(lambda t: pipe.raw_confidences(examples, t))
    if method is not Method.temperature:
        calibration.knots = fit_isotonic(*pipe.raw_confidences(examples, calibration.temperature))
    return calibration


def apply(
    pipe: "Calibratable", examples: list["Example"], calibration: "Calibration"
) -> "Outcomes":
    """Get calibrated confidences.

    pipe (Calibratable): The component; its own calibration plays no part.
    examples (list[Example]): What to predict.
    calibration (Calibration): The calibration.
    RETURNS (Outcomes): Calibrated confidences, and whether the labels are correct.
    """
    confidence, correct = pipe.raw_confidences(examples, calibration.temperature)
    return calibration.apply(confidence), correct


def _report(
    name: str, measured: dict[str, tuple["Outcomes", "Outcomes"]], plot_path: Path | None
) -> None:
    """Print errors, and the reliability on what was measured last; plot it if wanted.

    name (str): The component.
    measured (dict[str, tuple[Outcomes, Outcomes]]): Before and after, by what it was measured on.
    plot_path (Optional[Path]): The PNG file.
    """
    _print_errors(measured)
    where, (before, after) = list(measured.items())[-1]
    _print_reliability(f"Reliability after calibration ({where})", after)
    if plot_path is not None:
        _plot(plot_path, name, where, before, after)


def _print_errors(measured: dict[str, tuple["Outcomes", "Outcomes"]]) -> None:
    """Print errors before and after calibration.

    measured (dict[str, tuple[Outcomes, Outcomes]]): Both, by what they were measured on.
    """
    from wasabi import msg

    from ..calibration import expected_calibration_error, log_loss

    rows = []
    for where, pair in measured.items():
        measures = (expected_calibration_error, log_loss)
        errors = [measure(*outcomes) for measure in measures for outcomes in pair]
        rows.append((where, len(pair[0][0]), *(f"{error:.4f}" for error in errors)))
    header = ("Corpus", "Tokens", "ECE before", "ECE after", "Log loss before", "Log loss after")
    msg.table(rows, header=header, divider=True, aligns=["l"] + ["r"] * 5)


def _print_reliability(title: str, outcomes: "Outcomes") -> None:
    """Print accuracy against confidence, bin by bin; a bar shows accuracy, a mark the confidence.

    title (str): Heading.
    outcomes (Outcomes): Confidences and outcomes.
    """
    from wasabi import msg

    from ..calibration import reliability_bins

    rows = []
    for b in reliability_bins(*outcomes, n_bins=10):
        if b.count:
            cells = list(("#" * round(b.accuracy * BAR_WIDTH)).ljust(BAR_WIDTH + 1))
            cells[round(b.confidence * BAR_WIDTH)] = "|"
            figures = (b.count, f"{b.confidence:.3f}", f"{b.accuracy:.3f}", "".join(cells))
            rows.append((f"{b.low:.1f} - {b.high:.1f}", *figures))
    msg.divider(title)
    header = ("Bin", "Tokens", "Confidence", "Accuracy", "# accuracy, | confidence")
    msg.table(rows, header=header, divider=True, aligns=("l", "r", "r", "r", "l"))


def _plot(path: Path, name: str, where: str, before: "Outcomes", after: "Outcomes") -> None:
    """Write a reliability diagram, if matplotlib is there.

    path (Path): The PNG file.
    name (str): The component.
    where (str): What the figures were measured on.
    before (Outcomes): Confidences and outcomes before calibration.
    after (Outcomes): The same after it.
    """
    from wasabi import msg

    from ..calibration import expected_calibration_error, reliability_bins
    from ..errors import Warnings

    try:
        from matplotlib.figure import Figure
    except ImportError:
        msg.warn(Warnings.CALIBRATION_NO_MATPLOTLIB)
        return
    axes = (figure := Figure(figsize=(5, 5), layout="constrained")).subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linestyle="--", label="perfect")
    for label, outcomes in (("before", before), ("after", after)):
        bins = [b for b in reliability_bins(*outcomes, n_bins=10) if b.count]
        error = expected_calibration_error(*outcomes)
        x, y = [b.confidence for b in bins], [b.accuracy for b in bins]
        axes.plot(x, y, marker="o", label=f"{label} (ECE {error:.4f})")
    axes.set(xlabel="confidence", ylabel="accuracy", title=f"{name} ({where})")
    axes.legend(loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png", dpi=150)
    msg.good(f"Wrote {path}")
