import itertools
import pickle

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.answers.candidate import Candidate, softmax
from spacy_perceptron.answers.sentences import SentenceAnswers, cut_answers, join_answers
from spacy_perceptron.answers.stored import store_nbest, store_sentences, stored_sentences

# Two sentences of two and three tokens; heads are counted within the sentence.
FIRST = SentenceAnswers(
    0,
    2,
    [3.0, 1.0],
    [{"head": [0, 0], "dep": ["ROOT", "obj"]}, {"head": [1, 1], "dep": ["nsubj", "ROOT"]}],
)
SECOND = SentenceAnswers(
    2,
    5,
    [2.0, 1.5],
    [
        {"head": [1, 1, 1], "dep": ["nsubj", "ROOT", "punct"]},
        {"head": [0, 0, 0], "dep": ["ROOT", "obj", "punct"]},
    ],
)


def test_join_moves_heads_and_adds_scores():
    best = join_answers([FIRST, SECOND], 3, temperature=2.0)
    # 3 + 2, 3 + 1.5, 1 + 2.
    assert [candidate.score for candidate in best] == [5.0, 4.5, 3.0]
    assert [candidate.annotation["head"] for candidate in best] == [
        [0, 0, 3, 3, 3],
        [0, 0, 2, 2, 2],
        [1, 1, 3, 3, 3],
    ]
    assert best[1].annotation["dep"] == ["ROOT", "obj", "ROOT", "obj", "punct"]
    shares = softmax([5.0, 4.5, 3.0], temperature=2.0)
    assert [candidate.probability for candidate in best] == pytest.approx(shares)
    assert all(candidate.base_score is None for candidate in best)


def test_join_adds_base_scores_too():
    with_base = [
        SentenceAnswers(s.start, s.end, s.scores, s.annotations, [10.0, 20.0])
        for s in (FIRST, SECOND)
    ]
    best = join_answers(with_base, 4)
    assert [candidate.base_score for candidate in best] == [20.0, 30.0, 30.0, 40.0]
    assert best[0].to_dict()["base_score"] == 20.0
    assert "base_score" not in Candidate(1.0, 1.0).to_dict()
    # One sentence without: nothing can be said of the whole.
    assert join_answers([with_base[0], SECOND], 1)[0].base_score is None


def test_choose_keeps_scores_with_answers():
    chosen = SentenceAnswers(0, 1, [1.0, 2.0, 3.0], [{"tag": [t]} for t in "ABC"], [4.0, 5.0, 6.0])
    chosen = chosen.choose([2, 0])
    assert chosen.scores == [3.0, 1.0]
    assert chosen.annotations == [{"tag": ["C"]}, {"tag": ["A"]}]
    assert chosen.base_scores == [6.0, 4.0]
    assert FIRST.choose([1]).base_scores is None


def test_cut_is_the_inverse_of_join():
    """Cut into sentences and joined again, each answer is one of the combinations."""
    whole = [
        {"head": [0, 0, 3, 3, 3], "dep": ["ROOT", "obj", "nsubj", "ROOT", "punct"]},
        {"head": [1, 1, 2, 2, 2], "dep": ["nsubj", "ROOT", "ROOT", "obj", "punct"]},
    ]
    cut = cut_answers([0, 2, 5], [[3.0, 1.0], [2.0, 1.5]], whole, k=5)
    assert cut == [FIRST, SECOND]
    for choice in itertools.product((0, 1), repeat=2):
        picked = [s.choose([i]) for s, i in zip(cut, choice, strict=True)]
        (joined,) = join_answers(picked, 1)
        expected = whole[choice[0]]["head"][:2] + whole[choice[1]]["head"][2:]
        assert joined.annotation["head"] == expected


def test_cut_leaves_out_repeated_answers():
    """The same tree of a sentence twice counts once, with its best score."""
    whole = [{"tag": ["A", "B"]}, {"tag": ["A", "C"]}, {"tag": ["D", "C"]}]
    first, second = cut_answers([0, 1, 2], [[3.0, 2.5, 1.0], [0.5, 0.25, 0.0]], whole, k=3)
    assert (first.scores, first.annotations) == ([3.0, 1.0], [{"tag": ["A"]}, {"tag": ["D"]}])
    assert (second.scores, second.annotations) == ([0.5, 0.25], [{"tag": ["B"]}, {"tag": ["C"]}])
    assert len(cut_answers([0, 1, 2], [[3.0, 2.5, 1.0], [0.5]], whole, k=1)[0]) == 1


def test_sentences_of_constituents():
    """Spans have no value per token: cut, joined and stored all the same."""
    whole: list[dict[str, list]] = [
        {"constituents": [[0, 2, "VP"], [2, 5, "S"], [2, 3, "NP"]]},
        {"constituents": [[0, 2, "VP"], [1, 2, "NP"], [2, 5, "S"]]},
    ]
    first, second = cut_answers([0, 2, 5], [[3.0, 1.0], [2.0, 1.5]], whole, k=5)
    assert first.annotations == [
        {"constituents": [[0, 2, "VP"]]},
        {"constituents": [[0, 2, "VP"], [1, 2, "NP"]]},
    ]
    assert second.annotations == [
        {"constituents": [[0, 3, "S"], [0, 1, "NP"]]},
        {"constituents": [[0, 3, "S"]]},
    ]
    joined = [candidate.annotation for candidate in join_answers([first, second], 4)]
    # 3 + 2, 3 + 1.5, 1 + 2, 1 + 1.5: the second mixes the first halves of both answers.
    assert joined[0] == whole[0]
    assert joined[1] == {"constituents": [[0, 2, "VP"], [2, 5, "S"]]}
    assert joined[3] == whole[1]
    doc = make_doc()
    store_sentences(doc, "parser", [first, second])
    copy = Doc(doc.vocab).from_bytes(doc.to_bytes())
    assert [c.annotation for c in join_answers(stored_sentences(copy, "parser"), 4)] == joined


def make_doc() -> Doc:
    return Doc(Vocab(), words=["Go", "home", "He", "naps", "."])


def test_stored_sentences_survive():
    doc = make_doc()
    assert stored_sentences(doc, "parser") == []
    store_sentences(doc, "parser", [FIRST, SECOND])
    copies = [
        doc,
        next(iter(DocBin(docs=[doc], store_user_data=True).get_docs(doc.vocab))),
        Doc(doc.vocab).from_bytes(doc.to_bytes()),
        pickle.loads(pickle.dumps(doc)),
    ]
    for copy in copies:
        found = stored_sentences(copy, "parser")
        assert [(s.start, s.end, s.scores) for s in found] == [
            (0, 2, [3.0, 1.0]),
            (2, 5, [2.0, 1.5]),
        ]
        assert join_answers(found, 4) == join_answers([FIRST, SECOND], 4)
    assert stored_sentences(doc, "tagger") == []


def test_the_list_of_a_doc_counts_as_one_sentence():
    doc = make_doc()
    store_nbest(doc, "tagger", [Candidate(2.0, 1.0, {"tag": list("ABCDE")}, base_score=7.0)])
    (found,) = stored_sentences(doc, "tagger")
    assert (found.start, found.end, found.scores) == (0, 5, [2.0])
    assert found.annotations == [{"tag": list("ABCDE")}]


@pytest.mark.parametrize("text", ["", " ", "Go home. He naps.  Now go."])
def test_pipes_keep_lists_of_sentences(text: str):
    """Joined, they are what the pipe says of the whole doc."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    tagger = nlp.add_pipe("easy_first_tagger", name="tagger", config={"nbest": 3})
    gold = Doc(nlp.vocab, words=["Go", "home"], tags=["A", "B"])
    nlp.initialize(lambda: [Example(nlp.make_doc("Go home"), gold)])
    doc = nlp(text)
    sentences = stored_sentences(doc, "tagger")
    assert [s.start for s in sentences][:1] == [0]
    assert sentences[-1].end == len(doc)
    assert all(a.end == b.start for a, b in itertools.pairwise(sentences))
    assert len(sentences) == max(1, len(list(doc.sents)))
    joined = join_answers(sentences, 3)
    assert [c.annotation for c in joined] == [c.annotation for c in tagger.nbest(doc, 3)]
    for sentence in sentences:
        assert all(len(a["tag"]) == sentence.end - sentence.start for a in sentence.annotations)
