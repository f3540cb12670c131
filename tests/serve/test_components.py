import pytest
import spacy
from spacy.language import Language

from spacy_perceptron.serve.components import can_share, choose, find_components
from spacy_perceptron.serve.refusals import RefusedRequest


def test_what_a_page_is_told_of_components(nlp: Language):
    found = {one.name: one.to_dict() for one in find_components(nlp)}
    assert [*found] == ["senter", "tagger", "parser", "phrases", "ner"]
    told = {name: (one["kind"], one["names"], one["drawing"]) for name, one in found.items()}
    assert told == {
        "senter": ("boundaries", ["sent_start"], ""),
        "tagger": ("tags", ["tag"], ""),
        "parser": ("heads", ["head", "dep"], "arcs"),
        "phrases": ("constituents", ["constituents"], "brackets"),
        "ner": ("entities", ["ent"], ""),
    }
    assert found["parser"]["factory"] == "mira_parser"
    assert all(one["abilities"] == ["nbest", "explain", "correct"] for one in found.values())


def test_labels_to_choose_from(nlp: Language):
    labels = {one.name: one.labels for one in find_components(nlp)}
    assert labels["senter"] == {}
    assert {*labels["tagger"]["tag"]} == {*nlp.get_pipe("tagger").labels}
    assert {"SBJ", "OBJ", "ROOT"} <= {*labels["parser"]["dep"]}
    assert {"NP", "VP", "S"} <= {*labels["phrases"]["constituents"]}
    assert "PERSON" in labels["ner"]["ent"]


def test_labels_of_a_tagger_of_several_attributes():
    nlp = spacy.blank("xx")
    pipe = nlp.add_pipe("easy_first_tagger", config={"attributes": ["tag", "pos", "morph"]})
    doc = spacy.tokens.Doc(
        nlp.vocab,
        words=["she", "runs"],
        tags=["PRP", "VBZ"],
        pos=["PRON", "VERB"],
        morphs=["Person=3", ""],
    )
    example = spacy.training.Example(nlp.make_doc("she runs"), doc)
    pipe.initialize(lambda: [example], nlp=nlp)
    (component,) = find_components(nlp)
    assert component.kind_name == "tags"
    assert {name: {*values} for name, values in component.labels.items()} == {
        "tag": {"PRP", "VBZ"},
        "pos": {"PRON", "VERB"},
        "morph": {"Person=3", "_"},
    }


def test_pipelines_with_components_of_others_are_not_shared(nlp: Language):
    assert can_share(nlp)
    other = spacy.blank("en")
    assert can_share(other)
    other.add_pipe("sentencizer")
    assert not can_share(other)


def test_components_that_can_not_do_it(nlp: Language):
    components = find_components(nlp)
    assert choose(components, "tagger", "nbest", "small").name == "tagger"
    for name, ability in (("none", "nbest"), ("tagger", "fly")):
        with pytest.raises(RefusedRequest, match="'small' has no component") as refused:
            choose(components, name, ability, "small")
        assert (refused.value.status, refused.value.field) == (404, "component")
