import re

import pytest
from hypothesis import given

from spacy_perceptron.trees.brackets import (
    escape_word,
    parse_brackets,
    read_brackets,
    to_brackets,
    unescape_word,
)
from spacy_perceptron.trees.tree import Tree, base_label, clean_label, function_tags

from ..real_data import data_path
from ..strategies import trees, words


def read(text, **options):
    return list(parse_brackets(text.splitlines(), name="x.mrg", **options))


def leaf(tag, word):
    return Tree(tag, word=word)


DOG = Tree(
    "ROOT",
    [
        Tree(
            "S",
            [
                Tree("NP-SBJ", [leaf("DT", "The"), leaf("NN", "dog")]),
                Tree("VP", [leaf("VBD", "sat")]),
            ],
        )
    ],
)


@pytest.mark.parametrize(
    "text",
    [
        "(ROOT (S (NP-SBJ (DT The) (NN dog)) (VP (VBD sat))))",
        "(TOP (S (NP-SBJ (DT The) (NN dog)) (VP (VBD sat))))",
        "( (S (NP-SBJ (DT The) (NN dog)) (VP (VBD sat))))",
        "((S (NP-SBJ (DT The)(NN dog))(VP (VBD sat))))",
        "(S (NP-SBJ (DT The) (NN dog)) (VP (VBD sat)))",
        "( (S\n    (NP-SBJ (DT The)\n      (NN dog) )\n    (VP (VBD sat) )))",
        "(S (NP-SBJ-1 (DT The) (NN dog)) (VP=2 (VBD sat) (NP (-NONE- *-1))))",
    ],
)
def test_all_spellings_of_a_tree_are_read_alike(text):
    (sentence,) = read(text)
    assert sentence.tree == DOG
    assert sentence.tree.words() == ["The", "dog", "sat"]
    assert sentence.tree.tags() == ["DT", "NN", "VBD"]
    assert (sentence.sent_id, sentence.entities, sentence.line) == ("", None, 1)


def test_trees_compare_by_structure():
    flat = Tree("NP", [leaf("DT", "a"), Tree("NP", [leaf("NN", "b")])])
    other = Tree("NP", [leaf("DT", "a"), Tree("NP"), leaf("NN", "b")])
    assert flat != other
    assert flat != leaf("NP", "a")
    assert flat != "(NP (DT a) (NP (NN b)))"


def test_many_trees_with_comments():
    text = (
        "# a remark\n# sent_id = a-1\n# entities = PERSON: Ada Okafor; GPE: Lagos\n"
        "(S (NP (NNP Ada) (NNP Okafor)) (VP (VBD left)\n   (NP (NNP Lagos))))\n\n"
        "(S (VP (VB Go))) (S (VP (VB Stay)))\n# sent_id = last\n(S (VP (VB Run)))\n"
    )
    found = [(s.sent_id, s.entities, s.line, s.tree.words()) for s in read(text)]
    assert found == [
        ("a-1", [(0, 2, "PERSON"), (3, 4, "GPE")], 4, ["Ada", "Okafor", "left", "Lagos"]),
        ("", None, 7, ["Go"]),
        ("", None, 7, ["Stay"]),
        ("last", None, 9, ["Run"]),
    ]


def test_entities_are_matched_from_left_to_right():
    # The second Lagos is meant because the mention before it ends later than the first one. The
    # semicolon is a word of the mention, not the end of it.
    text = (
        "# entities = ORG: Lagos ; Sons; GPE: Lagos; MONEY: -LRB- 5\n"
        "(NP (NNP Lagos) (: ;) (NNPS Sons) (IN of) (NNP Lagos) (-LRB- -LRB-) (CD 5))"
    )
    assert read(text)[0].entities == [(0, 3, "ORG"), (4, 5, "GPE"), (5, 7, "MONEY")]


def test_escapes():
    text = r"(NP (-LRB- -LRB-) (NN and\/or) (SYM \*) (-LCB- -LCB-) (NN -LSB-a-RSB-) (-RRB- -RRB-))"
    assert read(text)[0].tree.words() == ["(", "and/or", "*", "{", "[a]", ")"]
    assert to_brackets(read(text)[0].tree) == f"(ROOT {text})"
    kept = read(text, unescape=False)[0].tree
    assert kept.words() == ["-LRB-", r"and\/or", r"\*", "-LCB-", "-LSB-a-RSB-", "-RRB-"]
    assert to_brackets(kept, escape=False) == f"(ROOT {text})"
    assert to_brackets(leaf("$(", "New York")) == "($-LRB- New_York)"


def test_empty_elements():
    text = "(S (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (SBAR (-NONE- 0) (S (-NONE- *T*-2)))))"
    assert to_brackets(read(text)[0].tree) == "(ROOT (S (VP (VB Go))))"
    kept = read(text, keep_empty=True)[0].tree
    assert kept.words() == ["*", "Go", "0", "*T*-2"]
    # A sentence of nothing but empty elements is no sentence, and takes its comments with it.
    both = "# sent_id = gone\n(S (NP (-NONE- *)))\n(S (VP (VB Go)))"
    assert [(s.sent_id, s.tree.words()) for s in read(both)] == [("", ["Go"])]


def test_labels():
    assert clean_label("NP-SBJ-1") == "NP-SBJ"
    assert clean_label("NP-SBJ=2-13") == "NP-SBJ"
    assert clean_label("PP-LOC-PRD-3") == "PP-LOC-PRD"
    assert clean_label("NP=1", keep_function_tags=False) == "NP"
    assert clean_label("PRT|ADVP-CLR", keep_function_tags=False) == "PRT|ADVP"
    assert clean_label("-NONE-") == base_label("-NONE-") == "-NONE-"
    assert function_tags("PP-LOC-PRD-3") == {"LOC", "PRD"}
    assert function_tags("-LRB-") == set()
    text = "(S (NP-SBJ-1 (PRP$ My) (NN dog)) (VP (VBD sat)))"
    stripped = read(text, keep_function_tags=False)[0].tree
    assert to_brackets(stripped) == "(ROOT (S (NP (PRP$ My) (NN dog)) (VP (VBD sat))))"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(S (NP (NN a))", 1, "starts on line 1 is not closed"),
        ("\n(S (NP (NN a))\n\n(ROOT (S (NN b)))", 4, "starts on line 2 is not closed"),
        ("(S (NP (NN a))\n# sent_id = 2\n(S (NN b))", 2, "starts on line 1 is not closed"),
        ("(S (NN a))\n(S (NN b)))", 2, "closing bracket without an opening one"),
        ("(S (NP (DT the) dog))", 1, "the word 'dog' stands inside the node 'NP'"),
        ("(S (NP the (NN dog)))", 1, "the word 'the' stands inside the node 'NP'"),
        ("(S (NP (-NONE- *) dog))", 1, "the word 'dog' stands inside the node 'NP'"),
        ("(S (NN the dog))", 1, "(NN the dog has more than one word"),
        ("(S\n (NP)\n (NN a))", 2, "the node (NP) has neither a word nor children"),
        ("(S () (NN a))", 1, "the node () has neither"),
        ("(S (NP ((NN a))))", 1, "bracket without a label inside the tree that starts on line 1"),
        ("(S (NN a)) (. .)", 1, "(. .) is a leaf outside any tree"),
        ("(S (NN a))\nhello (S (NN b))", 2, "the text 'hello' stands outside any tree"),
        ("#comment\n(S (NN a))", 1, "the text '#comment' stands outside any tree"),
        (
            "# entities = GPE: Rome\n(S (NN a))",
            1,
            "the GPE mention 'Rome' is not found from word 1",
        ),
        ("# entities = GPE: a; GPE: a\n(S (NN a))", 1, "'a' is not found from word 2"),
        ("# entities = Rome\n(S (NN Rome))", 1, "can't read the entity 'Rome'"),
    ],
)
def test_damage_is_named(text, line, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read(text)
    assert str(error.value).startswith(f"x.mrg:{line}: ")


def test_good_trees_before_the_damage_are_read():
    reader = parse_brackets(["(S (NN a))", "(S (NN b)"])
    assert next(reader).tree.words() == ["a"]
    with pytest.raises(ValueError, match="<text>:2"):
        next(reader)


def test_files_with_byte_order_mark_and_windows_lines(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_bytes("\ufeff(S\r\n  (NN café))\r\n".encode())
    assert [s.tree.words() for s in read_brackets(path)] == [["café"]]
    path.write_text("(S (NN a)", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{path}:1: ")):
        list(read_brackets(path))


def test_depth_is_no_limit():
    depth = 20_000
    text = "(X (NN a) " * depth + "(NN b)" + ")" * depth
    tree = read(text)[0].tree
    assert len(tree.words()) == depth + 1
    assert to_brackets(tree) == f"(ROOT {text})"
    assert tree == read(text)[0].tree


@given(trees())
def test_round_trip(tree):
    (sentence,) = parse_brackets([to_brackets(tree)])
    assert sentence.tree == tree


@given(words())
def test_escaping_is_undone(word):
    escaped = escape_word(word)
    assert not set(escaped) & set("()[]{}")
    assert unescape_word(escaped) == word


@pytest.mark.slow
def test_round_trip_of_a_real_treebank():
    files = sorted(data_path("wsj").glob("*.mrg"))
    assert [file.name for file in files] == ["dev.mrg", "test.mrg", "train.mrg"]
    counts = []
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        assert [to_brackets(sentence.tree) for sentence in read_brackets(file)] == lines
        counts.append(len(lines))
    assert counts == [329, 332, 3253]
