"""Checks of dependency trees shared by the tests."""

from spacy.pipeline._parser_internals import nonproj


def check_tree(heads, labels):
    """One root, which alone is labelled ROOT, and a way to it from everywhere; projective."""
    roots = [i for i, head in enumerate(heads) if head == i]
    assert len(roots) == 1
    assert [i for i, label in enumerate(labels) if label == "ROOT"] == roots
    for i in range(len(heads)):
        steps = 0
        while heads[i] != i:
            i = heads[i]
            steps += 1
            assert steps <= len(heads), "cycle"
    assert not nonproj.is_nonproj_tree(heads)
