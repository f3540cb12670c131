from spacy_perceptron.trees.conllu.expansions import Expansions
from spacy_perceptron.trees.conllu.reading import read_conllu
from spacy_perceptron.trees.conllu.sentences import ConlluSentence, MultiWord, Word
from spacy_perceptron.trees.conllu.subtokens import highest_word, merge_subtokens

from .samples import write_french


def test_words_with_the_same_head(tmp_path):
    """Both words of `du` hang on `voisin`: the first is the highest."""
    merged = merge_subtokens(next(read_conllu(write_french(tmp_path))))
    assert [word.form for word in merged.words] == [
        *["Le", "chat", "du", "voisin", "dort", "."],
    ]
    assert merged.words[2] == Word(
        "du", "de le", "ADP", "ADP_DET", "Definite=Def|Gender=Masc", 3, "case", "_"
    )
    assert [word.head for word in merged.words] == [1, 4, 3, 1, -1, 4]
    assert merged.multiwords == []


def test_the_highest_word_decides(tmp_path):
    """`-le` hangs on `Vois`, the root, whose person is kept."""
    sentence = list(read_conllu(write_french(tmp_path)))[2]
    word, mark = merge_subtokens(sentence).words
    assert (word.upos, word.xpos, word.head, word.deprel) == ("VERB", "VERB_PRON", -1, "root")
    assert (word.lemma, word.feats) == ("voir le", "Gender=Masc|Mood=Imp|Person=2")
    assert (word.misc, mark.head) == (r"SpacesAfter=\s\s", 0)


def test_no_cycle():
    """a <- x <- b <- root, with a and b in one token: x hangs on the token, the token on nothing.
    Had the first word decided, token and x would hang on each other.
    """
    words = [Word("a", head=2, deprel="d"), Word("b", head=-1, deprel="root"), Word("x", head=1)]
    sentence = ConlluSentence(words, [MultiWord(0, 2, "ab")])
    assert highest_word(sentence, 0, 2) == 1
    assert [word.head for word in merge_subtokens(sentence).words] == [-1, 0]


def test_missing_heads_and_cycles():
    words = [Word("a"), Word("b", head=2), Word("c", head=1)]
    sentence = ConlluSentence(words, [MultiWord(0, 2, "ab", "SpaceAfter=No")])
    merged = merge_subtokens(sentence)
    # A word with a head is above one without.
    assert [word.head for word in merged.words] == [1, 0]
    assert (merged.words[0].lemma, merged.words[0].feats) == ("_", "_")


def test_notes_of_the_words_are_kept():
    words = [Word("a", misc="NE=B-PER|SpaceAfter=No"), Word("b", misc="NE=L-PER|Gloss=x")]
    merged = merge_subtokens(ConlluSentence(words, [MultiWord(0, 2, "ab", "_")]))
    assert merged.words[0].misc == "NE=B-PER|Gloss=x"


def test_split_again(tmp_path):
    """Everything but the word-internal forms is as before."""
    sentences = list(read_conllu(write_french(tmp_path)))
    table = Expansions(sentences)
    assert len(table) == 2
    for sentence in sentences:
        again = table.split(merge_subtokens(sentence))
        assert again.multiwords == sentence.multiwords
        assert again.words == sentence.words


def test_split_in_new_sentences(tmp_path):
    table = Expansions(read_conllu(write_french(tmp_path)))
    # Not a token of the table: another tag.
    noun = ConlluSentence([Word("du", xpos="NOUN", head=-1, deprel="root")])
    assert table.split(noun) == noun
    words = [
        Word("Du", "de le", "ADP", "ADP_DET", "_", 1, "case"),
        Word("pain", "pain", "NOUN", "NOUN", "_", -1, "root"),
        Word("VOIS-LE", "voir le", "VERB", "VERB_PRON", "_", 1, "acl"),
        Word("bien", "bien", "ADV", "ADV", "_", 2, "advmod"),
    ]
    found = table.split(ConlluSentence(words))
    assert [word.form for word in found.words] == ["De", "le", "pain", "VOIS", "-LE", "bien"]
    assert [word.head for word in found.words] == [2, 2, -1, 2, 3, 3]
    assert [word.deprel for word in found.words] == [
        *["case", "det", "root", "acl", "obj", "advmod"],
    ]
    assert found.multiwords == [MultiWord(0, 2, "Du"), MultiWord(3, 5, "VOIS-LE")]
    # As the root, the highest word has the others below it.
    root = ConlluSentence([Word("du", "de le", "ADP", "ADP_DET", "_", -1, "root")])
    assert [word.head for word in table.split(root).words] == [-1, 0]
    # Without heads there are none to give.
    bare = ConlluSentence([Word("du", "de le", "ADP", "ADP_DET")])
    assert [(word.head, word.deprel) for word in table.split(bare).words] == [(None, "_")] * 2


def test_mark_words_in_a_row(tmp_path):
    """`Vois` and `-le` make up their token; `de` and `le` do not make up `du`."""
    table = Expansions(read_conllu(write_french(tmp_path)))
    words = [
        *(Word("VOIS", misc="SpaceAfter=No"), Word("-le", misc=r"SpacesAfter=\n")),
        *(Word("vois"), Word("-le")),
        *(Word("de", misc="SpaceAfter=No"), Word("le")),
    ]
    found = table.split(ConlluSentence(words))
    # The second pair is separated by a space.
    assert found.multiwords == [MultiWord(0, 2, "VOIS-le", r"SpacesAfter=\n")]
    assert [word.misc for word in found.words[:2]] == ["_", "_"]
    assert found.words[2:] == words[2:]
    assert found.spaces() == ["", "\n", " ", " ", "", " "]
