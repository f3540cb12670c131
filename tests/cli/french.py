"""A corpus of made-up French, with all that a treebank has."""

from pathlib import Path

import spacy
from spacy.tokens import DocBin

from spacy_perceptron.corpus.convert import ConvertOptions, convert_file

# form, lemma, coarse tag, fine tag, features, head, label, whether a space follows
Row = tuple[str, str, str, str, str, int, str, bool]
_DET: Row = ("Le", "le", "DET", "DA", "Definite=Def|Gender=Masc", 2, "det", True)
SUBJECTS = {
    "chat": "Gender=Masc|Number=Sing",
    "chien": "Gender=Masc|Number=Sing",
    "voisin": "Gender=Masc|Number=Sing",
    "facteur": "Gender=Masc|Number=Sing",
}
VERBS = {"dort": "dormir", "mange": "manger", "part": "partir", "rentre": "rentrer"}


def sentence(noun: str, verb: str, mark: str) -> list[Row]:
    """Four words; the last one follows without a space."""
    return [
        _DET,
        (noun, noun, "NOUN", "NC", SUBJECTS[noun], 3, "nsubj", True),
        (verb, VERBS[verb], "VERB", "VB", "Mood=Ind|Tense=Pres", 0, "root", False),
        (mark, mark, "PUNCT", "PU", "_", 3, "punct", True),
    ]


def conllu(n_docs: int) -> str:
    """Docs of four sentences. Half of them end in marks that French would split."""
    nouns, verbs = list(SUBJECTS), list(VERBS)
    lines: list[str] = []
    for doc in range(n_docs):
        lines.append(f"# newdoc id = {doc}")
        for i in range(4):
            mark = ("." if i % 2 else "!" * (2 + (doc + i) % 3)) if doc % 2 else "."
            rows = sentence(nouns[(doc + i) % 4], verbs[(doc * 3 + i) % 4], mark)
            for number, (form, lemma, pos, tag, morph, head, label, space) in enumerate(rows, 1):
                misc = "_" if space else "SpaceAfter=No"
                cells = [number, form, lemma, pos, tag, morph, head, label, "_", misc]
                lines.append("\t".join(map(str, cells)))
            lines.append("")
    return "\n".join(lines) + "\n"


def write_corpus(folder: Path, n_docs: int, *, name: str, documents: bool = True) -> Path:
    """Write the corpus as a .spacy file."""
    source = folder / f"{name}.conllu"
    source.write_text(conllu(n_docs), encoding="utf-8")
    options = ConvertOptions(lang="fr", documents=documents, n_sents=0 if documents else 1)
    path = folder / f"{name}.spacy"
    DocBin(docs=convert_file(source, options=options)).to_disk(path)
    return path


def read_corpus(path: Path) -> list:
    """The Docs of a corpus."""
    return list(DocBin().from_disk(path).get_docs(spacy.blank("fr").vocab))
