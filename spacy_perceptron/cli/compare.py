"""`compare`: is one pipeline better than another, or is it luck?"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli
from .shared.failures import reported, writing

if TYPE_CHECKING:
    from ..evaluation.counts import MetricCounts

FEW_DOCS = 20


@perceptron_cli.command("compare")
def compare_cli(
    model_a: Annotated[str, typer.Argument(help="First pipeline: folder or package")],
    model_b: Annotated[str, typer.Argument(help="Second pipeline: folder or package")],
    corpus_path: Annotated[Path, typer.Argument(help="Gold corpus (.spacy)", exists=True)],
    metrics: Annotated[
        list[str] | None, typer.Option("--metric", "-m", help="Metric; default: all available")
    ] = None,
    n_samples: Annotated[
        int, typer.Option("--n-samples", help="Number of bootstrap samples")
    ] = 10000,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the bootstrap")] = 0,
    output_path: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file to write", dir_okay=False)
    ] = None,
    gold_preproc: Annotated[
        bool, typer.Option("--gold-preproc", help="Use gold sentences and tokens")
    ] = False,
) -> None:
    """Compare two pipelines on the same gold corpus, with significance tests.

    McNemar's test compares tokens, or sentences for exact match; the bootstrap resamples documents.
    Differences are B minus A.
    """
    import srsly
    from wasabi import msg

    from ..errors import Warnings

    with reported():
        results = compare(
            model_a,
            model_b,
            corpus_path,
            metrics=metrics or [],
            n_samples=n_samples,
            seed=seed,
            gold_preproc=gold_preproc,
        )
    if results["n_docs"] < FEW_DOCS:
        msg.warn(Warnings.COMPARE_FEW_DOCS.format(n_docs=results["n_docs"]))
    _print_table(results["metrics"])
    if output_path is not None:
        with writing(output_path):
            srsly.write_json(output_path, results)


def compare(
    model_a: str,
    model_b: str,
    corpus_path: Path,
    *,
    metrics: list[str],
    n_samples: int,
    seed: int,
    gold_preproc: bool,
) -> dict[str, Any]:
    """Compare two pipelines.

    model_a (str): The first pipeline.
    model_b (str): The second one.
    corpus_path (Path): The gold corpus.
    metrics (list[str]): Names of metrics; none for all.
    n_samples (int): Number of bootstrap samples.
    seed (int): Seed of the bootstrap.
    gold_preproc (bool): Whether to use gold sentences and tokens.
    RETURNS (dict[str, Any]): The comparison as plain data.
    """
    from ..errors import Errors
    from ..evaluation.counts import METRICS
    from ..evaluation.significance import SAMPLES
    from ..values import SEED

    SAMPLES.check("n_samples", n_samples)
    SEED.check("seed", seed)
    counts_a = _count(model_a, corpus_path, metrics or list(METRICS), gold_preproc)
    counts_b = _count(model_b, corpus_path, metrics or list(METRICS), gold_preproc)
    names = [name for name in counts_a if name in counts_b]
    rows = {name: _compare(counts_a[name], counts_b[name], n_samples, seed) for name in names}
    if not rows:
        raise ValueError(Errors.COMPARE_NOTHING_IN_COMMON.format(names=", ".join(METRICS)))
    return {
        "model_a": model_a,
        "model_b": model_b,
        "corpus": str(corpus_path),
        "n_docs": len(counts_a[names[0]].stats),
        "n_samples": n_samples,
        "seed": seed,
        "metrics": rows,
    }


def _compare(a: "MetricCounts", b: "MetricCounts", n_samples: int, seed: int) -> dict[str, Any]:
    """Test one metric.

    a (MetricCounts): What A achieved.
    b (MetricCounts): What B achieved.
    n_samples (int): Number of bootstrap samples.
    seed (int): Seed of the bootstrap.
    RETURNS (dict[str, Any]): Values and test results as plain data.
    """
    from ..evaluation.counts import f_score
    from ..evaluation.significance import mcnemar, paired_bootstrap

    bootstrap = paired_bootstrap(a.stats, b.stats, f_score, n_samples=n_samples, seed=seed)
    row: dict[str, Any] = {
        "a": bootstrap.value_a,
        "b": bootstrap.value_b,
        "delta": bootstrap.delta,
        "bootstrap": {key: getattr(bootstrap, key) for key in ("p_value", "low", "high")},
    }
    if a.correct is not None and b.correct is not None:
        row["mcnemar"] = asdict(mcnemar(a.correct, b.correct))
    return row


def _count(
    model: str, corpus_path: Path, names: list[str], gold_preproc: bool
) -> dict[str, "MetricCounts"]:
    """Run a pipeline over the corpus and count what it gets right.

    model (str): The pipeline.
    corpus_path (Path): The gold corpus.
    names (list[str]): The metrics.
    gold_preproc (bool): Whether to use gold sentences and tokens.
    RETURNS (dict[str, MetricCounts]): Counts by metric.
    """
    from spacy.util import load_model
    from tqdm import tqdm

    from ..corpus.sentences import SentenceCorpus
    from ..evaluation.counts import count_metrics

    nlp = load_model(model)
    examples = list(SentenceCorpus(corpus_path, gold_preproc=gold_preproc)(nlp))
    docs = nlp.pipe([eg.predicted for eg in examples])
    progress = tqdm(docs, total=len(examples), desc=Path(model).name, unit="doc", disable=None)
    for eg, doc in zip(examples, progress, strict=True):
        eg.predicted = doc
    return count_metrics(examples, names)


def _print_table(metrics: dict[str, dict[str, Any]]) -> None:
    """Print a comparison.

    metrics (dict[str, dict[str, Any]]): Results by metric.
    """
    from wasabi import msg

    header = ("Metric", "A", "B", "B - A", "95 % interval", "p (bootstrap)", "p (McNemar)")
    rows = []
    for name, row in metrics.items():
        bootstrap, test = row["bootstrap"], row.get("mcnemar")
        rows.append(
            (
                name,
                f"{row['a'] * 100:.2f}",
                f"{row['b'] * 100:.2f}",
                f"{row['delta'] * 100:+.2f}",
                f"{bootstrap['low'] * 100:+.2f} .. {bootstrap['high'] * 100:+.2f}",
                f"{bootstrap['p_value']:.4f}",
                f"{test['p_value']:.4f}" if test is not None else "-",
            )
        )
    msg.table(rows, header=header, divider=True, aligns=["l"] + ["r"] * (len(header) - 1))
