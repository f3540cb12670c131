"""Word clusters in configs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from spacy.util import load_config_from_str, load_model_from_config
from thinc.api import Config

from spacy_perceptron.corpus.survey import Survey
from spacy_perceptron.features.sets.registry import TEMPLATE_SETS
from spacy_perceptron.recipes.choices import Wish, make_recipe
from spacy_perceptron.recipes.clusters import add_clusters, name_clusters
from spacy_perceptron.recipes.kinds import ACCURATE, FAST, KINDS
from spacy_perceptron.recipes.shipped import SHIPPED

ONE = {"": "data/clusters.txt"}
TWO = {"web": "data/web.txt.gz", "news": "data/news.bin"}
PLAIN = Survey(docs=90, sentences=900, words=9000, tags=40, labels=30, entities=100)
WITH_MORPH = replace(PLAIN, pos=17, morphs=100)


def make_config(*kinds: str, clusters: dict[str, str], style: str = "") -> Config:
    wish = Wish("en", kinds, style, clusters=clusters)
    return load_config_from_str(make_recipe(wish, PLAIN).to_config().to_text())


def sets(*names: str) -> list[str]:
    return [f"spacy_perceptron.{name}.v1" for name in names]


def test_a_single_file_has_no_name():
    path = Path("data/brown-1000.txt.gz")
    assert name_clusters([path]) == {"": path}
    assert name_clusters([]) == {}


def test_several_files_are_named():
    paths = [
        Path(f"a/{name}") for name in ("web.txt.gz", "Brown-c1000_p1.paths", "glove.6B.50d.bin")
    ]
    assert [*name_clusters(paths).items()] == [
        ("web", paths[0]),
        # Hyphens and digits can't be in templates.
        ("brown_c_p", paths[1]),
        ("glove", paths[2]),
    ]


def test_names_that_can_t_be():
    with pytest.raises(ValueError, match=r"2024\.txt need a name.*letters from a to z"):
        name_clusters([Path("web.txt"), Path("2024.txt")])
    with pytest.raises(ValueError, match=r"b/web\.bin and a/web\.txt would both be called 'web'"):
        name_clusters([Path("a/web.txt"), Path("b/web.bin")])


@pytest.mark.parametrize("style", ["", FAST, ACCURATE])
def test_all_sets_exist(style: str):
    named = [
        name for kind in KINDS.values() for x in kind.cluster_sets(style).values() for name in x
    ]
    assert {*named} <= {*TEMPLATE_SETS}
    assert all(any(".cluster" in text for text in TEMPLATE_SETS[name]) for name in named)
    assert KINDS["tagger"].cluster_sets(style)


def test_sets_are_added_to_those_that_are_there():
    def templates(clusters: dict[str, str], style: str = "") -> dict[str, Any]:
        components = make_config("tagger", "parser", clusters=clusters, style=style)["components"]
        assert components["tagger"]["refinement_templates"]["clusters"] == []
        return {
            "tagger": components["tagger"]["templates"]["sets"],
            "parser": components["parser"]["templates"]["sets"],
            "labels": components["parser"]["tree_label_templates"]["sets"],
        }

    without, plain = templates({}), templates(ONE)
    for name, added in {
        "tagger": sets("tagging_clusters"),
        "parser": sets("arcs_clusters", "second_order_clusters"),
        "labels": sets("tree_labels_clusters"),
    }.items():
        assert plain[name] == without[name] + added
    # A fast parser scores arcs alone.
    fast = templates(ONE, FAST)
    assert fast["parser"] == templates({}, FAST)["parser"] + sets("arcs_clusters")
    assert fast["labels"] == templates({}, FAST)["labels"] + sets("tree_labels_clusters")
    # A tagger that predicts morphology changes the sets of the parser first.
    morph = Wish("en", ["tagger", "parser"], clusters=ONE)
    config = load_config_from_str(make_recipe(morph, WITH_MORPH).to_config().to_text())
    assert config["components"]["parser"]["templates"]["sets"] == sets(
        "arcs", "second_order", "morph_arcs", "arcs_clusters", "second_order_clusters"
    )


def test_one_file():
    config = make_config("tagger", "lemmatizer", clusters=ONE)
    assert config.interpolate()["initialize"]["lookups"] == {
        "@misc": "spacy_perceptron.clusters.v1",
        "path": "data/clusters.txt",
        "tables": {},
        "lang": "en",
    }
    assert config["components"]["tagger"]["templates"]["clusters"] == []
    assert "clusters.v1" not in str(config["components"]["lemmatizer"])


def test_several_files():
    config = make_config("tagger", "ner", clusters=TWO)
    lookups = config.interpolate()["initialize"]["lookups"]
    assert (lookups["path"], lookups["tables"]) == (None, TWO)
    for name in ("tagger", "ner"):
        assert config["components"][name]["templates"]["clusters"] == ["web", "news"]
    text = make_recipe(Wish("en", ["tagger"], clusters=TWO), PLAIN).to_config().to_text()
    assert "# Word clusters, for templates" in text


def test_no_component_has_sets_for_them():
    assert make_config("lemmatizer", clusters=ONE)["initialize"]["lookups"] is None
    assert not Wish("en", ["lemmatizer"], clusters=ONE).uses_clusters()
    assert Wish("en", ["tagger", "lemmatizer"], clusters=ONE).uses_clusters()
    assert not Wish("en", ["tagger", "lemmatizer"]).uses_clusters()


@pytest.mark.parametrize("kind", [name for name in KINDS if name != "reranker"])
@pytest.mark.parametrize("style", ["", FAST])
def test_components_take_the_sets(kind: str, style: str):
    """With one table and with several, of which parsers of dependencies take the first and
    recognizers three."""
    four = dict.fromkeys(("web", "news", "vectors", "lexicon"), "clusters.txt")
    for clusters in (ONE, TWO, four):
        tables = {*[*clusters][: KINDS[kind].most_tables]}
        config = make_config(kind, clusters=clusters, style=style)
        nlp = load_model_from_config(config, auto_fill=True)
        (name,) = nlp.pipe_names
        asked = nlp.get_pipe(name)._cluster_names
        assert asked == (tables if KINDS[kind].cluster_sets(style) else set())
        assert nlp.config["components"][name] == config["components"][name]


def test_no_clusters():
    config = make_config("tagger", clusters={})
    assert config["initialize"]["lookups"] is None
    assert config["components"]["tagger"]["templates"]["sets"] == sets("tagging")


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("tables", [ONE, TWO])
def test_clusters_in_a_finished_config(name: str, tables: dict[str, str]) -> None:
    """They end up where `init-config` puts them."""
    wish, survey = SHIPPED[name]
    config, expected = (
        Config().from_str(make_recipe(wanted, survey).to_config().to_text(), interpolate=False)
        for wanted in (wish, replace(wish, clusters=tables))
    )
    add_clusters(config, tables)
    assert config == expected
