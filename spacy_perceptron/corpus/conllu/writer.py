"""CoNLL-U of Docs: all columns but DEPS, with the text, the documents and the paragraphs.

White space tokens are not written. Behind a word they are its `SpacesAfter=`; between sentences, an
empty line starts a paragraph (`# newpar`). What hangs on a white space token goes to its head, or
to the first word of the sentence if it is the root.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from spacy.tokens import Doc, Span, Token

from ...trees.conllu.sentences import NOTHING, PARAGRAPH, ConlluSentence, Word, misc_of
from ..spaces import is_white
from .docs import ROOT, UD_ROOT


def docs_to_conllu(docs: Iterable[Doc], *, first: int = 1) -> Iterator[ConlluSentence]:
    """Make CoNLL-U sentences of Docs.

    Docs are documents (`# newdoc`) unless each of them is a single sentence. XPOS is empty if all
    fine tags equal the coarse ones: then the treebank had none.

    docs (Iterable[Doc]): The Docs.
    first (int): The number of the first sentence.
    YIELDS (ConlluSentence): The sentences, numbered.
    """
    docs = list(docs)
    documents = [list(doc_to_conllu(doc)) for doc in docs]
    several = any(len(document) > 1 for document in documents)
    has_xpos = any(token.tag != token.pos for doc in docs for token in doc if not is_white(token))
    n = first - 1
    for document in documents:
        for i, sentence in enumerate(document):
            n += 1
            comments = [f"# sent_id = {n}", *sentence.comments]
            if several and i == 0:
                comments.insert(0, "# newdoc")
            words = sentence.words
            if not has_xpos:
                words = [replace(word, xpos=NOTHING) for word in words]
            yield replace(sentence, words=words, comments=comments)


def doc_to_conllu(doc: Doc) -> Iterator[ConlluSentence]:
    """Make CoNLL-U sentences of one Doc.

    doc (Doc): The Doc. Without sentence boundaries it is one sentence.
    YIELDS (ConlluSentence): The sentences, with `# text` and, between paragraphs, `# newpar`.
    """
    sents = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    spans = [tokens for span in sents if (tokens := [t for t in span if not is_white(t)])]
    has_heads = doc.has_annotation("DEP")
    before = ""
    for n, tokens in enumerate(spans):
        is_last = n + 1 == len(spans)
        end = len(doc) if is_last else spans[n + 1][0].i
        starts = [token.i for token in tokens[1:]] + [end]
        white = [_white(doc[t.i : start]) for t, start in zip(tokens, starts, strict=True)]
        comments = ["# newpar"] if _ends_paragraph(before) else []
        text = "".join(
            token.text + (" " if space else "") for token, space in zip(tokens, white, strict=True)
        )
        comments.append(f"# text = {' '.join(text.split())}")
        before = white[-1]
        if not is_last and before == PARAGRAPH:
            white[-1] = " "
        heads = _heads(tokens) if has_heads else [None] * len(tokens)
        words = [
            _word(token, head, misc_of(space))
            for token, head, space in zip(tokens, heads, white, strict=True)
        ]
        yield ConlluSentence(words, comments=comments)


def _white(span: Span) -> str:
    """The white space behind the word that starts a span of this word and white space."""
    return span[0].whitespace_ + "".join(token.text_with_ws for token in span[1:])


def _ends_paragraph(white: str) -> bool:
    """Whether there is an empty line in this white space."""
    return white.count("\n") > 1


def _word(token: Token, head: int | None, misc: str) -> Word:
    """A token as a word."""
    label = UD_ROOT if head == -1 or token.dep_ == ROOT else token.dep_
    return Word(
        form=token.text,
        lemma=token.lemma_ or NOTHING,
        upos=token.pos_ or NOTHING,
        xpos=token.tag_ or NOTHING,
        # spaCy sorts them by code point, UD without regard to case.
        feats="|".join(sorted(str(token.morph).split("|"), key=str.lower)) or NOTHING,
        head=head,
        deprel=NOTHING if head is None else label or NOTHING,
        misc=misc,
    )


def _heads(tokens: Sequence[Token]) -> list[int | None]:
    """The index of every word's head among the words of its sentence; -1 for the root, None for
    words without a head.
    """
    places = {token.i: place for place, token in enumerate(tokens)}
    heads: list[int | None] = []
    root: int | None = None
    for place, token in enumerate(tokens):
        above = token.head
        while is_white(above) and above.head.i != above.i:
            above = above.head
        if above.i == token.i and not token.dep:
            heads.append(None)
        elif above.i != token.i and above.i in places:
            heads.append(places[above.i])
        elif root is None or above.i == token.i:
            root = place if root is None else root
            heads.append(-1)
        else:
            heads.append(root)
    return heads
