import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.stored import store_nbest, stored_sentences
from spacy_perceptron.components._reranking.mixing import find_mixture
from spacy_perceptron.components.kernel_reranker import KernelReranker, scale_scores
from spacy_perceptron.corpus.reader import PRESETS, copy_tokens
from spacy_perceptron.corpus.sample import load_sample

NAME = "reranker"
N_SENTENCES = 40
BASES = {
    "parser": ("mira_parser", {"order": 1}, "subset_tree"),
    "tagger": ("easy_first_tagger", {"beam_width": 2}, "tagging"),
    "ner": ("perceptron_ner", {}, "smoothed_tagging"),
}


def model(kernel: str, **settings: Any) -> dict[str, Any]:
    how = {"kernel": kernel, "decay": 0.4, "base_weight": 0.0, **settings}
    return {"@architectures": "spacy_perceptron.KernelModel.v1", **how}


def examples(nlp: Language, split: str = "train", limit: int = N_SENTENCES) -> list[Example]:
    """Gold tags are there for the parser; taggers overwrite them."""
    references = load_sample(nlp.vocab, split)[:limit]
    return [Example(copy_tokens(doc, [PRESETS["tag"]]), doc) for doc in references]


def train_base(base: str) -> Language:
    """A base that has not learned much, so that its first answer is often not its best."""
    nlp = spacy.blank("en")
    factory, settings, _ = BASES[base]
    nlp.add_pipe(factory, name=base, config={"nbest": 8, **settings})
    train = examples(nlp)[: N_SENTENCES // 4]
    nlp.initialize(lambda: train)
    nlp.update(train)
    return nlp


def predicted(nlp: Language, base: str, split: str = "train") -> list[Example]:
    """Examples with the base's answers."""
    pairs = examples(nlp, split)
    pipe = nlp.get_pipe(base)
    return [Example(pipe(eg.predicted), eg.reference) for eg in pairs]


def add_reranker(nlp: Language, base: str, **settings: Any) -> KernelReranker:
    of_model = settings.pop("model", {})
    of_model = model(BASES[base][2], **of_model)
    how = {"model": of_model, "base": base, "k": 8, "passes": 0, **settings}
    return nlp.add_pipe("kernel_reranker", name=NAME, config=how)


def train(nlp: Language, base: str, epochs: int = 4, **settings: Any) -> KernelReranker:
    pipe = add_reranker(nlp, base, **settings)
    lists = predicted(nlp, base)
    pipe.initialize(lambda: lists, nlp=nlp)
    for _ in range(epochs):
        pipe.update(lists)
    return pipe


def annotation(doc: Doc) -> list[tuple]:
    return [(t.tag_, t.head.i, t.dep_, t.ent_iob_, t.ent_type_) for t in doc]


@pytest.fixture(scope="module", params=list(BASES))
def base(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def trained(base: str) -> Language:
    nlp = train_base(base)
    train(nlp, base)
    return nlp


def test_gets_better_on_what_it_has_seen(base: str):
    """Without a mixture the perceptron separates its lists, so it reaches the oracle."""
    nlp = train_base(base)
    pipe = train(nlp, base, epochs=40, holdout=0, model={"combine": "final"})
    lists = predicted(nlp, base)
    before = pipe.score(lists)
    # The list is found with a wider beam: its first answer can be another than the base's.
    assert before["rerank_base"] == pytest.approx(before["rerank_score"], abs=0.02)
    assert before["rerank_base"] < before["rerank_oracle"]
    for example in lists:
        pipe(example.predicted)
    after = pipe.score(lists)
    assert after["rerank_base"] == before["rerank_base"]
    assert after["rerank_score"] == after["rerank_oracle"] == before["rerank_oracle"]
    expected = (after["rerank_score"] - before["rerank_base"]) / (1 - before["rerank_base"])
    assert after["rerank_error_reduction"] == pytest.approx(expected)


def test_scores_are_none_without_answers_or_gold(base: str, trained: Language):
    pipe = trained.get_pipe(NAME)
    names = {"rerank_base", "rerank_oracle", "rerank_score", "rerank_error_reduction"}
    assert pipe.score(examples(trained)) == dict.fromkeys(names)
    doc = trained("Dogs sleep")
    assert pipe.score([Example(doc, Doc(trained.vocab, words=["Dogs", "sleep"]))]) == (
        dict.fromkeys(names)
    )


def test_the_best_answer_is_what_is_written(base: str):
    nlp = train_base(base)
    pipe = train(nlp, base, epochs=10, holdout=0)
    n_changed = 0
    for example in predicted(nlp, base):
        doc = example.predicted
        first = annotation(doc)
        candidates = pipe.nbest(doc, 8)
        answers = {c.base_score for c in candidates}
        assert answers == {c["score"] for c in doc._.nbest[base]}
        scores = [c.score for c in candidates]
        assert scores == sorted(scores, reverse=True)
        expected = annotation(candidates[0].apply(doc.copy()))
        assert annotation(pipe(doc)) == expected
        n_changed += expected != first
    assert n_changed > 0


def test_nothing_is_lost_without_answers(base: str, trained: Language):
    """A doc that the base has not seen, and one with a single answer."""
    nlp = train_base(base)
    pipe = train(nlp, base, epochs=1)
    docs = [eg.predicted for eg in predicted(nlp, base, "dev")[:3]]
    before = [annotation(doc) for doc in docs]
    for doc in docs:
        doc.user_data.clear()
    with pytest.warns(UserWarning, match=f"finds no n-best answers of '{base}'"):
        assert [annotation(pipe(doc)) for doc in docs] == before
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pipe(docs[0])
    assert pipe.nbest(docs[0], 3)[0].annotation == {}
    for doc in docs:
        store_nbest(doc, base, [Candidate(1.0, 1.0, {"tag": ["X"] * len(doc)})])
    assert [annotation(pipe(doc)) for doc in docs] == before


@pytest.mark.parametrize("text", ["", "  ", "Go", "Go home. He sleeps.  They saw Ann Lee."])
def test_short_and_long_texts(base: str, trained: Language, text: str):
    nlp = trained
    doc = nlp.make_doc(text)
    for i, token in enumerate(doc):
        token.tag_ = "NN"
        token.is_sent_start = i == 0 or doc[i - 1].text == "."
    doc = nlp.get_pipe(NAME)(nlp.get_pipe(base)(doc))
    assert [t.is_sent_start for t in doc] == [
        i == 0 or doc[i - 1].text == "." for i in range(len(doc))
    ]
    assert len(stored_sentences(doc, base)) == max(1, text.count("."))


def test_sentences_are_reranked_one_by_one(base: str, trained: Language):
    """Two sentences in a doc get what each gets alone."""
    pipe, of_base = trained.get_pipe(NAME), trained.get_pipe(base)
    first, second = (eg.predicted for eg in examples(trained, "dev")[:2])
    joined = Doc.from_docs([first, second])
    starts = [i in (0, len(first)) for i in range(len(joined))]
    for token, start in zip(joined, starts, strict=True):
        token.is_sent_start = start
    alone = [pipe(of_base(doc.copy())) for doc in (first, second)]
    together = pipe(of_base(joined))
    found = [(t.tag_, t.head.i - t.i, t.dep_, t.ent_iob_, t.ent_type_) for t in together]
    assert found == [
        (t.tag_, t.head.i - t.i, t.dep_, t.ent_iob_, t.ent_type_) for doc in alone for t in doc
    ]


def test_confidences_of_changed_tokens_are_unknown():
    nlp = train_base("parser")
    pipe = train(nlp, "parser", epochs=4)
    seen = set()
    for example in predicted(nlp, "parser", "dev"):
        doc = example.predicted
        before = [(t.head.i, t._.head_confidence) for t in doc]
        pipe(doc)
        for token, (head, confidence) in zip(doc, before, strict=True):
            expected = confidence if token.head.i == head else None
            assert token._.head_confidence == expected
            seen.add(expected is None)
    assert seen == {True, False}


def test_round_trips(base: str, trained: Language, tmp_path):
    docs = [eg.predicted for eg in predicted(trained, base, "dev")[:8]]
    pipe = trained.get_pipe(NAME)
    expected = [[(c.score, c.base_score) for c in pipe.nbest(doc, 8)] for doc in docs]
    trained.to_disk(tmp_path / "model")
    copies = [
        spacy.load(tmp_path / "model"),
        pickle.loads(pickle.dumps(trained)),
        spacy.blank("en").from_config(trained.config).from_bytes(trained.to_bytes()),
    ]
    for copy in copies:
        other = copy.get_pipe(NAME)
        given = [Doc(copy.vocab).from_bytes(doc.to_bytes()) for doc in docs]
        assert [[(c.score, c.base_score) for c in other.nbest(d, 8)] for d in given] == expected


def test_trees_seen_in_another_way(base: str, trained: Language, tmp_path):
    """Weights are about what the kernel compared in training; the options are for trees alone."""
    trained.to_disk(tmp_path)
    for name, value in (("use_labels", False), ("use_words", True), ("coarse_tags", False)):
        config = {"components": {NAME: {name: value}}}
        if BASES[base][2] == "subset_tree":
            with pytest.raises(ValueError, match=rf"Can't load '{NAME}' .*trained with `{name} = "):
                spacy.load(tmp_path, config=config)
        else:
            assert spacy.load(tmp_path, config=config).has_pipe(NAME)


def test_worker_processes(base: str, trained: Language):
    texts = [doc.text for doc in load_sample(trained.vocab, "dev")[:6]]
    one = [annotation(doc) for doc in trained.pipe(texts)]
    assert [annotation(doc) for doc in trained.pipe(texts, n_process=2)] == one


def test_same_seed_same_bytes(base: str):
    made = [train(train_base(base), base, epochs=2).to_bytes() for _ in range(2)]
    assert made[0] == made[1]


def test_training_goes_on_after_loading(base: str):
    nlp = train_base(base)
    pipe = train(nlp, base, epochs=1, holdout=0)
    other = train_base(base)
    copy = add_reranker(other, base, holdout=0).from_bytes(pipe.to_bytes())
    lists, others = predicted(nlp, base)[:5], predicted(other, base)[:5]
    for p, data in ((pipe, lists), (copy, others)):
        p._random.seed(1)
        p.update(data)
    expected = [c.score for c in pipe.nbest(lists[0].predicted, 8)]
    assert [c.score for c in copy.nbest(others[0].predicted, 8)] == pytest.approx(expected)


@pytest.mark.parametrize("combine", ["averaged", "voted", "final"])
def test_chunks_learn_apart_and_decide_together(combine: str):
    nlp = train_base("tagger")
    pipe = train(nlp, "tagger", holdout=0, model={"chunks": 3, "combine": combine})
    lists = predicted(nlp, "tagger")
    perceptrons = pipe._get_state().perceptrons
    assert len(perceptrons) == 3
    # Four epochs over lists with something to choose, dealt out in turns.
    seen = [p.n_examples for p in perceptrons]
    assert sum(seen) == 4 * sum(len(pipe._lists(eg)[1]) for eg in lists)
    assert min(seen) > 0
    doc = lists[0].predicted
    (answers,) = pipe._find_answers(doc)
    structures = pipe._encode(doc, answers)
    base_scores = scale_scores(answers, pipe.cfg["base_scale"])
    total = np.sum([p.scores(structures, base_scores) for p in perceptrons], axis=0)
    (reranked,) = pipe._rerank([doc], [[answers]], pipe._get_state())
    found = np.array(reranked.scores)
    assert found - found[0] == pytest.approx(total - total[0], abs=1e-6)


def test_passes_are_limited():
    nlp = train_base("tagger")
    pipe = train(nlp, "tagger", epochs=5, holdout=0, passes=2)
    (perceptron,) = pipe._get_state().perceptrons
    pipe = train(train_base("tagger"), "tagger", epochs=1, holdout=0)
    (once,) = pipe._get_state().perceptrons
    assert perceptron.n_examples == 2 * once.n_examples > 0


def least_lead(margin: float) -> float:
    """By how much the target leads the next answer after training, for each of its mistakes."""
    nlp = train_base("tagger")
    pipe = train(nlp, "tagger", 30, holdout=0, margin=margin, model={"combine": "final"})
    (perceptron,) = pipe._get_state().perceptrons
    leads = []
    for example in predicted(nlp, "tagger"):
        for one in pipe._lists(example)[1]:
            scores = perceptron.scores(one.structures, one.base_scores)
            others = np.arange(len(scores)) != one.target
            lead = scores[one.target] - scores[others]
            leads += (lead / (one.losses[others] - one.losses[one.target])).tolist()
    return min(leads)


def test_targets_win_by_the_margin():
    assert 0 <= least_lead(0.0) < 3
    assert least_lead(20.0) >= 20


def test_a_budget_limits_what_is_kept():
    nlp = train_base("tagger")
    pipe = train(nlp, "tagger", holdout=0, model={"budget": 5})
    (perceptron,) = pipe._get_state().perceptrons
    assert perceptron.n_supports <= 5 < perceptron.n_mistakes


def test_explanations_add_up(base: str, trained: Language):
    """Fragments and the base's score explain the difference, if all fragments are listed."""
    pipe = trained.get_pipe(NAME)
    shown = 0
    for example in predicted(trained, base, "dev")[:10]:
        explanation = pipe.explain(example.predicted, 0)
        (answers,) = pipe._find_answers(example.predicted)
        if len(answers) == 1:
            continue
        best, other = pipe.nbest(example.predicted, 2)
        assert explanation.chosen_score == pytest.approx(best.score)
        assert explanation.runner_up_score == pytest.approx(other.score)
        (of_base,) = (f for f in explanation.features if f.template == "base score")
        gap = (best.base_score - other.base_score) / pipe.cfg["base_scale"]
        assert of_base.difference == pytest.approx(gap * pipe.cfg["mixture"], abs=1e-9)
        if len(explanation.features) <= 20:
            total = sum(f.difference for f in explanation.features)
            margin = explanation.chosen_score - explanation.runner_up_score
            assert total == pytest.approx(margin, abs=1e-6)
        shown += len(explanation.features)
        assert f"{base} answer" in str(explanation)
    assert shown > 20
    with pytest.raises(ValueError, match=f"no answers of '{base}' for token 999"):
        pipe.explain(example.predicted, 999)


def test_mixture_by_hand():
    """The kernel prefers the second candidate by 1, the base the first one by 1. If the first is
    right, the largest weight is taken; if the second is, the largest with which the kernel wins."""
    scores, base_scores = [np.array([0.0, 1.0])] * 2, [np.array([0.0, -1.0])] * 2
    right_first = [np.array([0.0, 1.0])] * 2
    assert find_mixture(scores, base_scores, right_first) == 0.25 * 2**8
    wrong_first = [np.array([1.0, 0.0])] * 2
    largest = find_mixture(scores, base_scores, wrong_first)
    assert pytest.approx(largest) == 0.25 * 2**1.5
    assert largest < 1
    assert find_mixture([np.zeros(2)], base_scores[:1], right_first[:1]) == 0.0
    assert find_mixture([], [], []) == 0.0


def test_held_out_docs_are_not_learned_from():
    nlp = train_base("tagger")
    pipe = train(nlp, "tagger", epochs=1, holdout=4)
    kept = [eg for eg in predicted(nlp, "tagger") if pipe._lists(eg)[1]]
    (perceptron,) = pipe._get_state().perceptrons
    assert 0 < perceptron.n_examples < N_SENTENCES
    assert len(pipe._lists.held_out) > 0
    assert len(kept) + len(pipe._lists.held_out) <= 2 * N_SENTENCES
    assert pipe.cfg["mixture"] >= 0


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"k": 1}, "`k` must be between 2 and 10000, not 1"),
        ({"nbest": -1}, "`nbest` must be between 0 and 10000"),
        ({"holdout": -2}, "`holdout` must be 0 or more"),
        ({"passes": -1}, "`passes` must be 0 or more"),
        ({"margin": -0.5}, "`margin` must be 0 or more, not -0.5"),
        ({"model": model("string")}, "'tagging' or 'smoothed_tagging', not 'string'"),
        ({"model": model("tagging", decay=0.0)}, "`decay` must be above 0 and at most 1, not 0.0"),
        ({"model": model("tagging", combine="sum")}, "'voted' or 'final', not 'sum'"),
        ({"model": model("tagging", chunks=0)}, "`chunks` must be between 1 and 1000, not 0"),
        ({"model": model("tagging", budget=-1)}, "`budget` must be 0 or more, not -1"),
    ],
)
def test_bad_settings(settings: dict[str, Any], match: str):
    with pytest.raises(ValueError, match=match):
        spacy.blank("en").add_pipe("kernel_reranker", config=settings)


def test_the_kernel_must_fit_the_answers():
    nlp = train_base("tagger")
    pipe = nlp.add_pipe("kernel_reranker", config={"base": "tagger", "k": 4})
    lists = predicted(nlp, "tagger")
    pipe.initialize(lambda: lists, nlp=nlp)
    with pytest.raises(ValueError, match="'subset_tree' of 'kernel_reranker' does not fit"):
        pipe.update(lists)


def test_only_some_answers_can_be_reranked():
    nlp = train_base("tagger")
    pipe = train(nlp, "tagger", epochs=1)
    doc = nlp.make_doc("Go home")
    lemmas = [
        Candidate(2.0, 0.7, {"lemma": ["go", "home"]}),
        Candidate(1.0, 0.3, {"lemma": ["", ""]}),
    ]
    store_nbest(doc, "tagger", lemmas)
    with pytest.raises(ValueError, match="no kernel for answers with lemma"):
        pipe(doc)


def test_untrained_and_damaged(trained: Language, base: str):
    nlp = train_base(base)
    pipe = add_reranker(nlp, base)
    doc = predicted(nlp, base)[0].predicted
    with pytest.raises(ValueError, match="initialize"):
        pipe(doc)
    data = trained.get_pipe(NAME).to_bytes()
    with pytest.raises(ValueError, match="damaged"):
        pipe.from_bytes(data[: len(data) // 2])
    other = "tagger" if base != "tagger" else "parser"
    foreign = train_base(other)
    with pytest.raises(ValueError, match="damaged"):
        pipe.from_bytes(foreign.get_pipe(other).to_bytes())


def test_answers_survive_a_corpus_on_disk(base: str, trained: Language, tmp_path):
    docs = list(trained.pipe([eg.predicted for eg in examples(trained, "dev")[:5]]))
    DocBin(docs=docs, store_user_data=True).to_disk(tmp_path / "docs.spacy")
    for doc, copy in zip(
        docs, DocBin().from_disk(tmp_path / "docs.spacy").get_docs(trained.vocab), strict=True
    ):
        pipe = trained.get_pipe(NAME)
        assert [c.score for c in pipe.nbest(copy, 4)] == [c.score for c in pipe.nbest(doc, 4)]
