"""`python -m spacy perceptron init-config`: a training config for a language and a corpus."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option
from wasabi import Printer

from . import perceptron_cli
from .shared.failures import reported, writing

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..corpus.survey import Survey
    from ..recipes.choices import Wish
    from ..recipes.plan import TokenizerPlan


@perceptron_cli.command("init-config")
def init_config_cli(
    output: Annotated[Path, Argument(help="Config to write (.cfg)", dir_okay=False)],
    lang: Annotated[str, Option("--lang", "-l", help="Language code")],
    train: Annotated[Path, Option("--train", help="Training corpus (.spacy)", exists=True)],
    dev: Annotated[
        Path | None, Option("--dev", help="Development corpus (.spacy)", exists=True)
    ] = None,
    pipeline: Annotated[
        str | None,
        Option(
            "--pipeline",
            "-p",
            help="Components, separated by commas: senter, tagger, lemmatizer, parser, "
            "easy_first_parser, incremental_parser, max_margin_parser, ner. "
            "Default: all that can learn from the corpus",
        ),
    ] = None,
    fast: Annotated[bool, Option("--fast", help="Prefer speed to accuracy")] = False,
    accurate: Annotated[bool, Option("--accurate", help="Prefer accuracy to speed")] = False,
    fit_tokenizer: Annotated[
        bool,
        Option(
            "--fit-tokenizer/--default-tokenizer",
            help="Add rules to the language's tokenizer where they pay",
        ),
    ] = True,
    clusters: Annotated[
        list[Path] | None,
        Option(
            "--clusters",
            help="Word clusters, made by the command clusters; can be repeated",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    force: Annotated[bool, Option("--force", "-F", help="Overwrite the config")] = False,
) -> None:
    """Write a training config made for a language and a corpus, and say what it is made of."""
    names = None
    if pipeline is not None:
        names = [name.strip() for name in pipeline.split(",") if name.strip()]
    with reported("No config was made"):
        text = init_config(
            lang=lang,
            train=train,
            dev=dev,
            pipeline=names,
            style=_style(fast=fast, accurate=accurate),
            fit=fit_tokenizer,
            clusters=clusters or (),
            output=output,
            force=force,
            msg=Printer(),
        )
    with writing(output):
        output.write_text(text, encoding="utf-8")


def init_config(
    *,
    lang: str,
    train: Path,
    dev: Path | None = None,
    pipeline: list[str] | None = None,
    style: str = "",
    fit: bool = True,
    clusters: Sequence[Path] = (),
    output: Path | None = None,
    force: bool = False,
    msg: Printer | None = None,
) -> str:
    """Make a training config.

    lang (str): The language.
    train (Path): The training corpus.
    dev (Optional[Path]): The development corpus.
    pipeline (Optional[list[str]]): Kinds of components, None for all that can learn from the
        corpus.
    style (str): `fast`, `accurate`, or nothing for in between.
    fit (bool): Whether to learn rules of the tokenizer.
    clusters (Sequence[Path]): Files with word clusters.
    output (Optional[Path]): Where it will be written.
    force (bool): Whether there may be a file already.
    msg (Optional[Printer]): Where to say what was found and chosen, None for nowhere.
    RETURNS (str): The config, with comments.
    """
    from ..corpus.survey import survey_corpus
    from ..corpus.tokens import make_tokenizer
    from ..errors import Errors, Warnings
    from ..recipes.choices import Wish, make_recipe
    from ..recipes.clusters import name_clusters
    from ..recipes.plan import plan_pipeline, plan_tokenizer

    msg = msg or Printer(no_print=True)
    if output is not None and output.exists() and not force:
        raise ValueError(Errors.INIT_EXISTS.format(path=output))
    # Notices an unknown language before all else.
    make_tokenizer(lang)
    tables = {name: path.as_posix() for name, path in name_clusters(clusters).items()}
    docs = _read(train)
    survey = survey_corpus(docs)
    _print_survey(survey, train, msg)
    plan = plan_pipeline(pipeline, survey)
    wish = Wish(lang, plan.kinds, style, clusters=tables)
    tokenizer = plan_tokenizer(lang, docs, _read(dev) if dev is not None else [], fit=fit)
    _print_tokens(docs, lang, tokenizer, msg)
    for warning in plan.warnings:
        msg.warn(warning)
    if tables and not wish.uses_clusters():
        msg.warn(Warnings.INIT_NO_CLUSTERS)
    recipe = make_recipe(wish, survey, tokenizer=tokenizer.config, rules=tokenizer.rules)
    _print_choices(wish, survey, msg)
    config = recipe.to_config()
    config.header = _header(wish, survey, train, output)
    paths = {"paths.train": train.as_posix(), "paths.dev": dev and dev.as_posix()}
    config.change(paths)
    return config.to_text()


def _style(*, fast: bool, accurate: bool) -> str:
    from ..errors import Errors
    from ..recipes.kinds import ACCURATE, FAST

    if fast and accurate:
        raise ValueError(Errors.INIT_STYLES)
    return FAST if fast else ACCURATE if accurate else ""


def _read(path: Path) -> "list[Doc]":
    from spacy.vocab import Vocab

    from ..corpus.bins import read_docs
    from ..errors import Errors

    docs = read_docs(path, Vocab())
    if not docs:
        raise ValueError(Errors.INIT_EMPTY.format(path=path))
    return docs


def _print_survey(survey: "Survey", train: Path, msg: Printer) -> None:
    from ..corpus.survey import count_columns

    msg.divider(f"Found in {train}")
    msg.table(count_columns(survey))


def _print_tokens(docs: "list[Doc]", lang: str, plan: "TokenizerPlan", msg: Printer) -> None:
    from ..corpus.tokens import token_warnings
    from ..errors import Warnings

    if not plan.has_text:
        msg.warn(Warnings.INIT_NO_TEXT)
        return
    msg.info(f"The tokenizer of {lang!r} finds {plan.default.f:.2%} (F) of the words.")
    if plan.fitted is not None:
        verdict = (
            f"{len(plan.rules)} patterns and {len(plan.rules.special_cases)} special cases are "
            "written into the config."
            if plan.rules
            else "They are not worth it."
        )
        msg.info(f"With rules learned from the corpus: {plan.fitted.f:.2%}. {verdict}")
    best = plan.fitted if plan.rules and plan.fitted is not None else plan.default
    for warning in token_warnings(docs, lang, best):
        msg.warn(warning)


def _print_choices(wish: "Wish", survey: "Survey", msg: Printer) -> None:
    from ..recipes.choices import choose

    chosen = choose(wish, survey)
    clusters = _count_clusters(wish)
    msg.divider("Chosen")
    rows = [
        ("pipeline", ", ".join(wish.kinds)),
        ("tagger predicts", ", ".join(survey.attributes) if "tagger" in wish.kinds else "-"),
        ("epochs", f"{chosen.epochs} of {chosen.steps:,} steps"),
        ("evaluation", f"every {chosen.eval_frequency:,} steps"),
        ("jackknifing", f"{chosen.folds} folds, {chosen.fold_epochs} epochs each"),
        ("min_weight of the tagger", f"{chosen.min_weight}"),
        *(("word clusters", text) for text in clusters),
    ]
    msg.table(rows)


def _count_clusters(wish: "Wish") -> list[str]:
    """What there is of word clusters, which are read to find out now whether they can be."""
    from ..corpus.clusters.carrier import load_table

    counts: list[str] = []
    if not wish.uses_clusters():
        return counts
    for name, path in wish.clusters.items():
        table = load_table(Path(path))
        title = f"{name}: " if name else ""
        counts.append(f"{title}{len(table):,} words in {len(table.paths):,} clusters")
    return counts


def _header(wish: "Wish", survey: "Survey", train: Path, output: Path | None) -> list[str]:
    name = output.as_posix() if output is not None else "config.cfg"
    lines = [
        f"{', '.join(wish.kinds)} for {wish.lang!r}, trained by",
        f"  python -m spacy train {name} --output training",
        f"Made by init-config for {train.as_posix()}: {survey.sentences:,} sentences, "
        f"{survey.words:,} words.",
    ]
    if wish.style:
        lines[-1] += f" Settings are chosen to be {wish.style}."
    return [f"# {line}" for line in lines]
