"""`python -m spacy perceptron clusters`: learn, convert and show word clusters."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option
from wasabi import Printer

from . import perceptron_cli
from .shared.failures import reported

if TYPE_CHECKING:
    from ..corpus.clusters.learning import LearnOptions
    from ..corpus.clusters.lists import ClusteredWord
    from ..corpus.clusters.texts import Words

MAX_VECTORS = 200_000
# What a line of the table has room for.
MAX_COLUMN = 100
_PACKAGES = {"scipy": "SciPy", "sklearn": "scikit-learn"}

clusters_cli = typer.Typer(
    name="clusters", help="Learn, convert and show word clusters.", no_args_is_help=True
)
perceptron_cli.add_typer(clusters_cli)

Output = Annotated[
    Path,
    Option("--output", "-o", help="A list (.txt, .txt.gz) or a table (.bin)", dir_okay=False),
]
NClusters = Annotated[int, Option("--n-clusters", "-n", min=2, help="Number of clusters")]
Lang = Annotated[str, Option("--lang", "-l", help="Language code")]


@clusters_cli.command("learn")
def learn_cli(
    texts: Annotated[
        list[Path],
        Argument(help="Raw text (.txt, .jsonl, also .gz; .spacy), or folders of it", exists=True),
    ],
    output: Output,
    n_clusters: NClusters = 1000,
    min_count: Annotated[
        int, Option("--min-count", min=1, help="Leave out words that occur less often")
    ] = 4,
    lang: Lang = "en",
    tokenized: Annotated[
        bool, Option("--tokenized", help="Words have spaces between them already")
    ] = False,
    dimensions: Annotated[
        int, Option("--dimensions", min=1, help="Length of the vectors that are clustered")
    ] = 100,
    exclude: Annotated[
        list[Path] | None,
        Option(
            "--exclude",
            help="Corpus whose sentences to leave out (.spacy, .conllu, .txt); can be repeated",
            exists=True,
        ),
    ] = None,
) -> None:
    """Learn word clusters from raw text."""
    with reported("No clusters were learned"), _extra():
        from ..corpus.clusters.learning import LearnOptions

        options = LearnOptions(n_clusters, min_count, dimensions)
        learn(
            texts,
            output,
            options=options,
            lang=lang,
            tokenized=tokenized,
            exclude=exclude or [],
            msg=Printer(),
        )


@clusters_cli.command("from-vectors")
def from_vectors_cli(
    source: Annotated[
        str, Argument(help="A pipeline with vectors, or a text file of word2vec or GloVe (.gz)")
    ],
    output: Output,
    n_clusters: NClusters = 1000,
    max_words: Annotated[
        int, Option("--max-words", min=0, help="Take the first ones only; 0 for all")
    ] = MAX_VECTORS,
) -> None:
    """Make word clusters of word vectors."""
    with reported("No clusters were made"), _extra():
        from_vectors(source, output, n_clusters=n_clusters, max_words=max_words, msg=Printer())


@clusters_cli.command("from-lookups")
def from_lookups_cli(output: Output, lang: Lang = "en") -> None:
    """Take the Brown clusters of the package spacy-lookups-data."""
    with reported("No clusters were found"):
        from_lookups(lang, output, msg=Printer())


@clusters_cli.command("from-lexicon")
def from_lexicon_cli(output: Output, lang: Lang = "en") -> None:
    """Put the lemmas of the package spacy-lookups-data, and their forms, into clusters by what they
    can be."""
    with reported("No clusters were made"):
        from_lookups(lang, output, lexicon=True, msg=Printer())


@clusters_cli.command("show")
def show_cli(
    path: Annotated[Path, Argument(help="List of clusters (.txt, .txt.gz)", exists=True)],
    words: Annotated[int, Option("--words", min=1, help="Words of each cluster")] = 10,
    clusters: Annotated[int, Option("--clusters", min=1, help="Number of clusters")] = 20,
    prefix: Annotated[str, Option("--prefix", help="What their paths start with")] = "",
) -> None:
    """Show clusters, spread over the tree, with their most frequent words."""
    with reported():
        show(path, n_words=words, n_clusters=clusters, prefix=prefix, msg=Printer())


def learn(
    texts: Sequence[Path],
    output: Path,
    *,
    options: "LearnOptions",
    lang: str = "en",
    tokenized: bool = False,
    exclude: Sequence[Path] = (),
    msg: Printer | None = None,
) -> None:
    """Learn clusters and write them.

    texts (Sequence[Path]): Files, or folders of them.
    output (Path): The file to write; its suffix tells the format.
    options (LearnOptions): The options of learning.
    lang (str): The language whose tokenizer cuts text into words.
    tokenized (bool): Cut text at white space.
    exclude (Sequence[Path]): Corpora whose sentences to leave out.
    msg (Printer | None): Where to report, None for nowhere.
    """
    from ..corpus.clusters.learning import learn_clusters
    from ..corpus.clusters.lists import check_output
    from ..corpus.clusters.texts import Exclusion, find_texts, make_cutter

    msg = msg or Printer(no_print=True)
    start = time.process_time()
    check_output(output)
    files = find_texts(texts)
    cut = make_cutter(lang, tokenized=tokenized)
    exclusion = Exclusion(find_texts(exclude))
    sentences = exclusion.filter(_read(files, cut))
    learned = learn_clusters(sentences, options, report=msg.text)
    if exclude:
        msg.text(f"Left out {exclusion.n_dropped:,} sentences of the corpora to exclude")
    _write(learned.words, output, f"{learned.n_read:,} words read", start, msg)


def from_vectors(
    source: str,
    output: Path,
    *,
    n_clusters: int = 1000,
    max_words: int = MAX_VECTORS,
    msg: Printer | None = None,
) -> None:
    """Make clusters of word vectors and write them.

    source (str): A text file, or the name or folder of a pipeline.
    output (Path): The file to write; its suffix tells the format.
    n_clusters (int): Number of clusters.
    max_words (int): Take the first words only; 0 for all.
    msg (Printer | None): Where to report, None for nowhere.
    """
    from tqdm import tqdm

    from ..corpus.clusters.embeddings import load_embeddings
    from ..corpus.clusters.learning import cluster_embeddings
    from ..corpus.clusters.lists import check_output

    msg = msg or Printer(no_print=True)
    start = time.process_time()
    check_output(output)
    with tqdm(desc="Reading vectors", unit=" words", disable=None) as bar:
        embeddings = load_embeddings(source, max_words=max_words, progress=bar.update)
    n_words, dimensions = embeddings.vectors.shape
    msg.text(f"Making {n_clusters:,} clusters of {n_words:,} vectors")
    words = cluster_embeddings(embeddings, n_clusters)
    _write(words, output, f"{n_words:,} vectors of {dimensions:,} dimensions", start, msg)


def from_lookups(
    lang: str, output: Path, *, lexicon: bool = False, msg: Printer | None = None
) -> None:
    """Write clusters that spaCy's tables have.

    lang (str): The language code.
    output (Path): The file to write; its suffix tells the format.
    lexicon (bool): Make them of the tables of lemmas; if not, take the Brown clusters.
    msg (Printer | None): Where to report, None for nowhere.
    """
    from ..corpus.clusters.lexicon import lexicon_clusters
    from ..corpus.clusters.lists import check_output
    from ..corpus.clusters.lookups import lookup_clusters

    start = time.process_time()
    check_output(output)
    words = lexicon_clusters(lang) if lexicon else lookup_clusters(lang)
    what = "lemmas" if lexicon else "table"
    _write(words, output, f"{what} of {lang!r}", start, msg or Printer(no_print=True))


def show(
    path: Path,
    *,
    n_words: int = 10,
    n_clusters: int = 20,
    prefix: str = "",
    msg: Printer | None = None,
) -> None:
    """Print clusters with their most frequent words.

    path (Path): A list of clusters.
    n_words (int): How many words of each.
    n_clusters (int): How many clusters. If there are more, those shown are spread evenly.
    prefix (str): What the paths of the clusters start with.
    msg (Printer | None): Where to print, None for nowhere.
    """
    from ..corpus.clusters.lists import read_clustered_words
    from ..errors import Errors

    msg = msg or Printer(no_print=True)
    clusters: dict[str, list[ClusteredWord]] = {}
    for word in read_clustered_words(path):
        if word.path.startswith(prefix):
            clusters.setdefault(word.path, []).append(word)
    if not clusters:
        raise ValueError(Errors.CLUSTERS_PREFIX.format(path=path, prefix=prefix))
    paths = sorted(clusters)
    shown = min(n_clusters, len(paths))
    rows = []
    for i in range(shown):
        found = sorted(clusters[paths[i * len(paths) // shown]], key=lambda word: -word.count)
        total = sum(word.count for word in found)
        best = " ".join(word.word for word in found[:n_words])
        rows.append((found[0].path, f"{len(found):,}", f"{total:,}", best))
    header = ("path", "words", "count", "most frequent words")
    msg.table(rows, header=header, divider=True, aligns=("l", "r", "r", "l"), max_col=MAX_COLUMN)
    msg.text(f"{shown:,} of {len(paths):,} clusters")


def _read(files: "Iterable[Path]", cut: "Callable[[str], Words]") -> "Iterator[Words]":
    """Read the sentences of files, with a progress bar for each."""
    from tqdm import tqdm

    from ..corpus.clusters.texts import read_words

    for file in files:
        yield from tqdm(read_words(file, cut), desc=file.name, unit=" lines", disable=None)


def _write(
    words: "Sequence[ClusteredWord]", output: Path, source: str, start: float, msg: Printer
) -> None:
    """Write clusters, and say what they are made of and how long that took."""
    from ..corpus.clusters.lists import save_clusters

    output.parent.mkdir(parents=True, exist_ok=True)
    save_clusters(words, output)
    n_clusters = len({word.path for word in words})
    seconds = time.process_time() - start
    msg.good(
        f"{output}: {source}, {len(words):,} types kept, {n_clusters:,} clusters, "
        f"{seconds:.1f} CPU seconds"
    )


@contextmanager
def _extra() -> Iterator[None]:
    """Name the extra to install if a package is missing."""
    from ..errors import Errors

    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in _PACKAGES:
            raise
        raise ValueError(Errors.CLUSTERS_EXTRA.format(name=_PACKAGES[name])) from error
