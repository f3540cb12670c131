"""Pictures for notebooks: what a Doc says, and how sure that is; lists of answers; explanations.

`render` is to these what `displacy.render` is to displaCy. The HTML needs nothing else, and no
scripts. Its style sheet concerns nothing around it, and its colours are mixed with that of the text
around it, so that it can be read in light and dark notebooks.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from spacy.tokens import Doc, Span
from spacy.util import is_in_jupyter

from ..answers.candidate import Candidate
from ..answers.explanation import Explanation
from ..answers.kinds import find_kind
from ..errors import Errors
from ..trees.constituents import SPANS_KEY
from .answers import Answers, find_confidences
from .doubt import printed
from .drawing import draw_candidates, draw_sentences, drawing_styles
from .figures import FIGURE_STYLE, render_figures
from .words import render_entities, render_rows, render_words

# What can be drawn of a Doc, and the names of its annotation.
KINDS = {
    "tags": ("tag", "pos"),
    "entities": ("ent",),
    "dependencies": ("head", "dep"),
    "constituents": (SPANS_KEY,),
}
# Other names: those of displaCy, and of what `nbest` has.
OTHER_NAMES = {"dep": "dependencies", "heads": "dependencies", "ent": "entities"}
# The attributes of tokens that are annotated where an answer is, if that has another name.
_ATTRIBUTES = {"head": "DEP", "ent": "ENT_IOB"}

NOTEBOOK_STYLE = f"""
.spacy-perceptron {{
  --ink: currentColor; --soft: color-mix(in srgb, currentColor 70%, transparent);
  --line: rgba(128, 128, 128, .35); --tag: color-mix(in srgb, currentColor 40%, #3b82f6);
  --differs: color-mix(in srgb, currentColor 30%, #e8590c); --doubt: 217, 119, 6;
  color: inherit; line-height: 1.45; margin: .3em 0;
{drawing_styles()}
{FIGURE_STYLE}
& * {{ box-sizing: border-box; }}
.tree svg {{ max-width: none; }}
.displacy .differs .displacy-arc {{ stroke-width: 2.5px; }}
.displacy .differs .displacy-label {{ text-decoration: underline; }}
.part {{ margin: 0 0 1em; }}
.name, .note {{ color: var(--soft); font-size: .8em; margin: .3em 0; }}
.words {{ display: flex; flex-wrap: wrap; gap: .3em .25em; margin: .2em 0; padding: 0;
  list-style: none; }}
.words li {{ padding: .2em .45em; margin: 0; border-radius: .4em; text-align: center;
  line-height: 1.25; max-width: 100%; overflow-wrap: anywhere; }}
.words li, .running span, .running mark {{
  background: rgba(var(--doubt), calc(var(--u, 0) * .5)); }}
.word {{ white-space: pre-wrap; }}
.label {{ font: 600 .74em/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  color: var(--tag); direction: ltr; unicode-bidi: isolate; }}
.figure {{ font-size: .7em; font-variant-numeric: tabular-nums; }}
.words .figure {{ display: block; }}
.running {{ margin: .2em 0; line-height: 2; white-space: pre-wrap; }}
.running mark {{ color: inherit; border: 1px solid var(--tag); border-radius: .35em;
  padding: .1em .3em; }}
.running mark .label, .running mark .figure {{ background: none; }}
.scroll {{ overflow-x: auto; }}
.scroll table {{ border-collapse: collapse; margin: 0; color: inherit; }}
.scroll th, .scroll td {{ text-align: center; padding: .15em .7em; border: 0; color: inherit;
  background: none; font-weight: 400; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.scroll .share {{ text-align: start; }}
.scroll mark {{ background: none; color: var(--differs); text-decoration: underline; }}
.bar {{ display: inline-block; vertical-align: middle; margin-inline-end: .6em; }}
.bar .all {{ fill: var(--line); }}
.bar .part {{ fill: #3b82f6; }}
}}
""".strip()

PAGE_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial,
  sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
""".strip()

Source = Doc | Span | Candidate | Explanation


def render(
    source: Source | Iterable[Source],
    kind: str | None = None,
    *,
    doc: Doc | None = None,
    page: bool = False,
    jupyter: bool | None = None,
) -> str | None:
    """Draw what a pipeline found, and how sure it is of that.

    source (Doc | Span | Candidate | Explanation | Iterable): A text, or a part of it, of which
        trees are drawn for whole sentences; a list of answers, as `nbest` gives it, where what
        differs from the text is marked; an explanation; or several texts or explanations.
    kind (Optional[str]): What to draw of a text: `tags`, `entities`, `dependencies` (displaCy's
        `dep` and `ent` are understood) or `constituents`; None for all that it has.
    doc (Optional[Doc]): The text that answers belong to.
    page (bool): Make a whole page, for a file.
    jupyter (Optional[bool]): Show it in a notebook; None to do so if this runs in one, as displaCy
        does.
    RETURNS (Optional[str]): HTML; None if it is shown.
    """
    sources: list[Any] = [source]
    if isinstance(source, Iterable) and not isinstance(source, Source):
        sources = list(source)
    if sources and all(isinstance(one, Candidate) for one in sources):
        _refuse_kind(kind)
        parts = [_draw_candidates(sources, doc)]
    else:
        parts = [_draw(one, kind) for one in sources]
    html = "\n".join([f"<style>\n{NOTEBOOK_STYLE}\n</style>", *parts])
    if page:
        html = _as_page(html)
    if jupyter or (jupyter is None and is_in_jupyter()):
        from IPython.display import HTML, display

        # The class keeps MathJax from reading dollar signs as formulas.
        display(HTML(f'<div class="tex2jax_ignore">{html}</div>'))
        return None
    return html


def _refuse_kind(kind: str | None) -> None:
    """Only of a text there is something to choose from."""
    if kind is not None:
        raise ValueError(Errors.RENDER_ONLY_DOCS.format(kind=kind))


def _draw(source: Any, kind: str | None) -> str:
    """One text or one explanation."""
    if isinstance(source, Explanation):
        _refuse_kind(kind)
        return source._repr_html_()
    if isinstance(source, Doc | Span):
        return _draw_text(source, kind)
    raise TypeError(Errors.RENDER_SOURCE.format(type=type(source).__name__))


def _as_page(html: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>spacy-perceptron</title>\n<style>\n{PAGE_STYLE}\n</style>\n</head>\n"
        f"<body>\n{html}\n</body>\n</html>\n"
    )


def _wrap(direction: str, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return f'<div class="spacy-perceptron" dir="{escape(direction)}">\n{body}\n</div>'


# --- Texts ------------------------------------------------------------------------------------


def _draw_text(source: Doc | Span, kind: str | None) -> str:
    """A text, with a part for each kind of annotation."""
    doc, part = source.doc, source[:]
    tokens = range(part.start, part.end)
    kinds = _choose_kinds(doc, kind)
    drawn = []
    for name in kinds:
        answers = _read(doc, [one for one in KINDS[name] if has_annotation(doc, one)])
        heading = f'<p class="name">{name}</p>\n' if len(kinds) > 1 else ""
        html = _PARTS[name](doc, answers, tokens)
        drawn.append(f'<div class="part">\n{heading}{html}\n</div>')
    return _wrap(_direction(doc), drawn)


def has_annotation(doc: Doc, name: str) -> bool:
    """Whether a Doc says anything of a kind.

    doc (Doc): The Doc.
    name (str): A name of annotation, such as `tag`.
    RETURNS (bool): Whether it does.
    """
    if name == SPANS_KEY:
        return bool(doc.spans.get(SPANS_KEY))
    return doc.has_annotation(_ATTRIBUTES.get(name, name.upper()))


def _choose_kinds(doc: Doc, kind: str | None) -> list[str]:
    """The kinds to draw."""
    if not len(doc):
        return []
    there = [one for one, names in KINDS.items() if any(has_annotation(doc, n) for n in names)]
    if kind is None:
        if not there:
            raise ValueError(Errors.RENDER_NOTHING)
        return there
    chosen = OTHER_NAMES.get(kind, kind)
    if chosen not in KINDS:
        raise ValueError(Errors.RENDER_KIND.format(kind=kind, known=", ".join(KINDS)))
    if chosen not in there:
        raise ValueError(
            Errors.RENDER_MISSING.format(kind=chosen, there=", ".join(there) or "none of these")
        )
    return [chosen]


def _read(doc: Doc, names: Sequence[str], candidates: Sequence[Candidate] = ()) -> Answers:
    """What a Doc says under some names, or the first candidate, if it says nothing."""
    kind = find_kind(dict.fromkeys(names, ()))
    is_there = all(has_annotation(doc, name) for name in names)
    return Answers(
        [token.text for token in doc],
        kind.read(doc) if is_there else candidates[0].annotation,
        find_confidences(doc, kind.confidences) if is_there else [None] * len(doc),
        list(candidates),
        [token.tag_ or token.pos_ for token in doc],
        _direction(doc),
        [i for i, token in enumerate(doc) if token.is_sent_start],
        kind.item_confidences(doc) if is_there else {},
    )


def _direction(doc: Doc) -> str:
    return str(doc.vocab.writing_system.get("direction", "ltr"))


def _draw_tags(doc: Doc, answers: Answers, tokens: range) -> str:
    """A line of words for each sentence."""
    starts = [i for i in answers.sentence_starts if tokens.start < i < tokens.stop]
    bounds = zip([tokens.start, *starts], [*starts, tokens.stop], strict=True)
    return "\n".join(render_words(answers, range(start, end)) for start, end in bounds)


def _draw_entities(doc: Doc, answers: Answers, tokens: range) -> str:
    return render_entities(doc, answers.confidences, tokens)


def _draw_trees(doc: Doc, answers: Answers, tokens: range) -> str:
    """A tree for each sentence, and the words whose heads are in doubt."""
    drawn = [
        sentence
        for sentence in draw_sentences(answers)
        if sentence.start < tokens.stop and tokens.start < sentence.end
    ]
    parts = [sentence.html for sentence in drawn]
    doubtful = [
        i
        for sentence in drawn
        for i in range(sentence.start, sentence.end)
        if printed(answers.confidences[i])
    ]
    if doubtful:
        parts += ['<p class="note">less sure:</p>', render_words(answers, doubtful)]
    return "\n".join(parts)


_PARTS: dict[str, Callable[[Doc, Answers, range], str]] = {
    "tags": _draw_tags,
    "entities": _draw_entities,
    "dependencies": _draw_trees,
    "constituents": _draw_trees,
}


# --- Lists of answers -------------------------------------------------------------------------


def _draw_candidates(candidates: Sequence[Candidate], doc: Doc | None) -> str:
    """Answers to a text, as trees or as rows."""
    if doc is None:
        raise ValueError(Errors.RENDER_NO_DOC)
    for candidate in candidates:
        _check_length(candidate, doc)
    answers = _read(doc, [*candidates[0].annotation], candidates)
    drawn = [[sentence.html for sentence in one] for one in draw_candidates(answers)]
    if any(drawn):
        html = render_figures(answers, list(zip(*drawn, strict=True)))
    else:
        html = render_rows(answers)
    return _wrap(answers.direction, [html])


def _check_length(candidate: Candidate, doc: Doc) -> None:
    """Refuse an answer to another text, as far as its length shows that."""
    for name, values in candidate.annotation.items():
        n_tokens = max((row[1] for row in values), default=0) if name == SPANS_KEY else len(values)
        if n_tokens > len(doc) or (name != SPANS_KEY and n_tokens < len(doc)):
            raise ValueError(Errors.RENDER_LENGTH.format(n_tokens=n_tokens, n_doc=len(doc)))
