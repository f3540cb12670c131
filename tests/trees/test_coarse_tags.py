import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_perceptron.trees.coarse_tags import coarse_tag, token_tag


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("VBZ", "VB"), ("DT", "DT"), ("X", "X"), ("-LRB-", "-LRB-"), ("``", "``"), ("", "")],
)
def test_coarse_tags(tag: str, expected: str):
    """Tags of words are cut, those of punctuation are not."""
    assert coarse_tag(tag) == expected


def test_one_tag_stands_in_for_the_other():
    words = ["a", "b", "c", "d"]
    doc = Doc(Vocab(), words=words, tags=["VBZ", "VBZ", "", ""], pos=["AUX", "", "AUX", ""])
    assert [token_tag(token, coarse=True) for token in doc] == ["AUX", "VB", "AUX", ""]
    assert [token_tag(token, coarse=False) for token in doc] == ["VBZ", "VBZ", "AUX", ""]
