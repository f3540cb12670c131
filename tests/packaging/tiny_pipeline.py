"""A pipeline trained on a few sentences by the installed package, with nothing but its own
dependencies: what every wheel has to pass."""

from pathlib import Path

import spacy

import spacy_perceptron
from spacy_perceptron.corpus.sample import create_sample_treebank_reader

N_SENTENCES = 12
N_EPOCHS = 12


def main() -> None:
    """Learn the sentences by heart, save, load, and find their trees again."""
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    nlp.add_pipe("mira_parser", name="parser", config={"model": {"n_bits": 16}})
    nlp.add_pipe("perceptron_ner", name="ner")
    examples = list(create_sample_treebank_reader(limit=N_SENTENCES)(nlp))
    nlp.initialize(lambda: examples)
    for _ in range(N_EPOCHS):
        nlp.update(examples, annotates=["tagger"])
    loaded = spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())
    scores = loaded.evaluate(examples)
    for name in ("tag_acc", "dep_uas", "ents_f"):
        assert scores[name] > 0.9, (name, scores[name])
    doc = loaded("The dog sleeps.")
    best = loaded.get_pipe("parser").nbest(doc, 2)
    assert len(best) == 2
    assert best[0].score >= best[1].score
    version = spacy_perceptron.__version__
    print(f"spacy-perceptron {version} in {Path(spacy_perceptron.__file__).parent} works")


if __name__ == "__main__":
    main()
