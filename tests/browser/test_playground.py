"""The playground as people use it, with pointer and keys."""

import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import spacy

from .conftest import Server, Watch, write
from .gestures import LAST, SAW, WITH, arcs, drag, labels, select_word, teach, undo, words
from .small_pipelines import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

Visit = Callable[..., Any]


def test_trees_are_drawn_as_one_types(visit: Visit):
    page = visit(SAW)
    page.fill("#text", "")
    page.locator("section.sentence").first.wait_for(state="detached")
    page.locator("#text").press_sequentially("She sang. He laughed.", delay=5)
    page.locator("#sentences .word", has_text="laughed").wait_for()
    assert words(page) == ["She", "sang", ".", "He", "laughed", "."]
    assert page.locator("section.sentence").count() == 2
    # All but the roots have an arc, and there is a tree of phrases besides.
    assert len(arcs(page)) == 4
    assert page.locator("#sentences svg.constituents").count() == 2
    assert re.fullmatch(r"6 words, 2 sentences, [\d.]+ ms", page.inner_text("#status"))
    page.fill("#text", "")
    page.locator("section.sentence").first.wait_for(state="detached")


def test_answers_that_come_late_are_dropped(visit: Visit):
    """The answer to the first text is held back until that to the second is there."""
    page = visit(SAW)
    held = []

    def hold(route: Any) -> None:
        if json.loads(route.request.post_data)["text"] == "Go now.":
            held.append(route)
        else:
            route.continue_()

    page.route("**/annotate", hold)
    page.fill("#text", "Go now.")
    page.wait_for_function("document.querySelector('#sentences.stale')")
    page.wait_for_timeout(250)
    write(page, "We sang.")
    assert len(held) == 1
    held[0].fulfill(json={"error": "late"}, status=500)
    page.wait_for_timeout(100)
    assert words(page) == ["We", "sang", "."]
    assert page.locator("#alert").is_hidden()


def test_what_is_shown_is_taught(visit: Visit):
    """The text box can be ahead of it, with a text of as many words."""
    page = visit(SAW)
    before = labels(page)
    select_word(page, 3)
    wanted = "VB" if before[3] != "VB" else "JJ"
    page.locator("#inspector").get_by_label("Tag").select_option(wanted)
    page.locator("#teach").wait_for()
    other = SAW.replace("man", "dog")
    with page.expect_request("**/correct") as asked:
        page.evaluate(
            """text => {
              const box = document.getElementById("text");
              box.value = text;
              box.dispatchEvent(new Event("input"));
              document.getElementById("teach").click();
            }""",
            other,
        )
    assert asked.value.post_data_json["text"] == SAW
    page.locator("#sentences:not(.stale) .word", has_text="dog").wait_for()
    page.locator("#actions .n", has_text="1 correction").wait_for()
    assert page.locator("#staged .staged").count() == 0
    undo(page)


def test_undoing_beside_a_text_that_is_too_long(visit: Visit):
    page = visit(SAW)
    before = labels(page)
    select_word(page, 3)
    page.locator("#inspector").get_by_label("Tag").select_option(
        "VB" if before[3] != "VB" else "JJ"
    )
    teach(page)
    page.fill("#text", "w " * 6000)
    page.locator("#alert", has_text="longer than").wait_for()
    assert undo(page)["n_corrections"] == 0
    write(page, f"{SAW} ")
    assert labels(page) == before


def test_edits_that_are_taken_back_are_not_told(visit: Visit):
    page = visit(SAW)
    before = labels(page)
    for i, wanted in ((0, "VB"), (2, "CD"), (0, before[0])):
        select_word(page, i)
        page.locator("#inspector").get_by_label("Tag").select_option(wanted)
    notes = page.locator("#staged li")
    notes.nth(1).wait_for(state="detached")
    assert f"the: {before[2]} → CD" in notes.inner_text()
    page.get_by_role("button", name="Cancel").click()


def test_other_sentences_are_told(visit: Visit):
    """Boundaries can be all that has changed."""
    page = visit(SAW)

    def cut(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        told["after"] = {**told["before"], "sentences": [[0, 2], [2, 8]]}
        route.fulfill(response=answer, json=told)

    page.route("**/correct", cut)
    select_word(page, 3)
    page.locator("#inspector").get_by_label("Tag").select_option("VB")
    teach(page)
    row = page.locator("#outcome tbody tr").all_inner_texts()
    assert [cells.split("\t") for cells in row] == [["the", "sentence", "inside", "begins one"]]
    undo(page)


def test_the_focus_is_kept(visit: Visit):
    """Whoever uses keys is led from the word to what became of the edit."""
    page = visit(SAW)
    page.locator("#answers .answer").nth(1).wait_for()
    page.locator('#sentences .word[data-token="2"]').focus()
    page.keyboard.press("n")
    page.locator("#sentences .differs").first.wait_for()
    assert page.evaluate("document.activeElement.dataset.token") == "2"
    page.keyboard.press("t")
    page.locator("#inspector .of-tag:focus").wait_for()
    page.locator("#inspector").get_by_label("Tag").select_option("CD")
    page.locator("#teach").focus()
    # Whatever else is drawn meanwhile.
    page.get_by_role("checkbox", name="phrases").evaluate("box => box.click()")
    page.locator("svg.constituents").wait_for(state="detached")
    page.keyboard.press("Enter")
    page.locator("#outcome h2:focus").wait_for()
    page.get_by_role("button", name="Undo this").press("Enter")
    page.locator("#outcome h2.undone:focus").wait_for()


def test_components_can_be_hidden(visit: Visit):
    page = visit(SAW)
    assert page.locator("#sentences svg").count() == 2
    page.get_by_role("checkbox", name="phrases").uncheck()
    page.locator("svg.constituents").wait_for(state="detached")
    page.get_by_role("checkbox", name="parser").uncheck()
    page.locator("svg.displacy").wait_for(state="detached")
    page.get_by_role("checkbox", name="phrases").check()
    # Of a tree there is most to ask.
    page.locator("#answers button[data-key=of-phrases][aria-pressed=true]").wait_for()
    page.get_by_role("checkbox", name="phrases").uncheck()
    page.get_by_role("checkbox", name="tagger").uncheck()
    page.locator("#sentences .word .label").first.wait_for(state="detached")
    page.reload()
    page.locator("#sentences .word").first.wait_for()
    assert page.locator("#sentences svg").count() == 0


def test_next_answer(visit: Visit):
    page = visit(SAW)
    entries = page.locator("#answers .answer")
    entries.first.wait_for()
    shares = [float(text.split()[0]) for text in page.locator(".answer .share").all_inner_texts()]
    assert len(shares) == 5
    assert shares == sorted(shares, reverse=True)
    before = arcs(page)
    page.get_by_role("button", name="Next answer").click()
    page.locator("#sentences .displacy-arrow.differs, .displacy-token.differs").first.wait_for()
    assert arcs(page) != before
    assert page.locator(".answer[aria-current]").get_attribute("data-key") == "answer-1"
    assert page.locator("#sentences .word.differs").count() > 0
    page.get_by_role("button", name="Previous answer").click()
    page.locator("#sentences .word.differs").first.wait_for(state="detached")
    assert arcs(page) == before


def test_an_answer_can_be_taken(visit: Visit):
    page = visit(SAW)
    page.locator("#answers .answer").nth(1).click()
    page.locator("#sentences .differs").first.wait_for()
    wanted = arcs(page)
    page.get_by_role("button", name="This one is right").click()
    assert "Answer 2 of parser is right" in page.inner_text("#staged")
    result = teach(page)
    after = next(one for one in result["after"]["components"] if one["name"] == "parser")
    assert {i: (after["annotation"]["head"][i], after["annotation"]["dep"][i]) for i in wanted} == (
        wanted
    )
    assert arcs(page) == wanted
    undo(page)


def test_words_are_explained(visit: Visit):
    page = visit(SAW)
    with page.expect_response("**/explain") as answer:
        select_word(page, 1)
    explanation = answer.value.json()
    table = page.locator("#inspector table.weights")
    table.wait_for()
    assert table.locator("caption").inner_text() == explanation["title"]
    shown = table.locator("tbody tr .template").all_inner_texts()
    assert shown == [row["template"] for row in explanation["rows"]]
    # The bars go to the right for the choice, to the left against it.
    signs = table.locator("tbody td:nth-child(2)").evaluate_all(
        "cells => cells.map(c => c.className)"
    )
    assert signs == ["against" if row["difference"] < 0 else "for" for row in explanation["rows"]]
    figures = table.locator("tbody td:nth-child(2) .n").all_inner_texts()
    assert [float(text) for text in figures] == pytest.approx(
        [row["difference"] for row in explanation["rows"]], abs=0.006
    )


@pytest.mark.parametrize(
    ("place", "component"),
    [
        (".displacy-arrow .displacy-label", "parser"),
        (".constituents-phrase .constituents-label", "phrases"),
    ],
)
def test_arcs_and_phrases_are_explained(visit: Visit, place: str, component: str):
    page = visit(SAW)
    with page.expect_request("**/explain") as asked:
        page.locator(f"#sentences {place}").first.click()
    body = asked.value.post_data_json
    assert body["component"] == component
    assert ("span" in body) == (component == "phrases")
    page.locator("#inspector table.weights").wait_for()


def test_a_tag_is_corrected_in_a_menu(visit: Visit):
    page = visit(SAW)
    before = labels(page)
    select_word(page, 1)
    wanted = "NN" if before[1] != "NN" else "JJ"
    page.locator("#inspector").get_by_label("Tag").select_option(wanted)
    assert f"{before[1]} → {wanted}" in page.inner_text("#staged")
    # Nothing is taught before one says so.
    assert labels(page) == before
    result = teach(page)
    assert result["learned"]
    assert result["after"]["tokens"][1]["tag"] == wanted
    assert labels(page)[1] == wanted
    row = page.locator("#outcome tbody tr", has_text="tag").first
    assert row.locator("del").inner_text() == before[1]
    assert row.locator("ins").inner_text() == wanted
    assert re.search(r"check texts?", page.inner_text("#outcome"))
    assert page.locator("#actions .n").inner_text() == "1 correction"
    page.locator("#outcome h2").focus()
    page.keyboard.press("Control+z")
    page.locator("#outcome", has_text="Undone").wait_for()
    assert labels(page) == before
    assert page.locator("#actions .n").inner_text() == "No corrections"
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()


def test_a_head_is_dragged(visit: Visit):
    page = visit(SAW)
    before = arcs(page)
    head = 1 if before[WITH][0] != 1 else 3
    drag(page, WITH, head)
    page.locator("#staged", has_text=f"with hangs on {'saw' if head == 1 else 'man'}").wait_for()
    assert page.locator(".staged-arc").count() == 1
    assert page.locator(f'.displacy-arrow.gone[data-dependent="{WITH}"]').count() == 1
    result = teach(page)
    # The tree of the same response is drawn.
    assert result["after"]["tokens"][WITH]["head"] == head
    assert arcs(page)[WITH][0] == head
    undone = undo(page)
    assert undone["n_corrections"] == 0
    assert arcs(page) == before


def test_dragging_keeps_it_a_tree(visit: Visit):
    """Onto a word below it, and above the tree: there is one root, and no circle."""
    page = visit(SAW)
    before = arcs(page)
    (root,) = {*range(8)} - {*before}
    below = next(i for i, (head, _) in before.items() if head == root)
    drag(page, root, below)
    page.locator("#staged .staged").wait_for()
    with page.expect_request("**/correct") as asked:
        teach(page)
    heads = asked.value.post_data_json["annotation"]["head"]
    assert heads[root] == below
    assert heads[below] == below
    undo(page)
    # The last word, so that the arc to the old root passes over no root.
    drag(page, LAST, None)
    page.locator("#staged", has_text=". hangs on the root").wait_for()
    with page.expect_request("**/correct") as asked:
        teach(page)
    heads = asked.value.post_data_json["annotation"]["head"]
    assert [i for i, head in enumerate(heads) if head == i] == [LAST]
    undo(page)


def test_edits_can_be_cancelled(visit: Visit):
    page = visit(SAW)
    before = arcs(page)
    drag(page, WITH, 0)
    page.locator("#staged .staged").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.locator("#staged .staged").wait_for(state="detached")
    assert page.locator(".staged-arc").count() == 0
    assert arcs(page) == before
    # A word that is dropped where it was stays as it is.
    drag(page, WITH, WITH)
    assert page.locator("#staged .staged").count() == 0


def test_correction_by_keys_alone(visit: Visit):
    page = visit(SAW)
    before = arcs(page)
    head = 1 if before[WITH][0] != 1 else 3
    page.locator("#text").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('word')"):
            break
    assert page.evaluate("document.activeElement.dataset.token") == "0"
    for _ in range(WITH):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("h")
    page.locator("#status", has_text="Head of “with”").wait_for()
    for _ in range(WITH - head):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.locator("#staged", has_text="with hangs on").wait_for()
    page.wait_for_function("document.activeElement.id === 'teach'")
    with page.expect_response("**/correct"):
        page.keyboard.press("Enter")
    page.locator("#outcome h2").wait_for()
    assert arcs(page)[WITH][0] == head
    page.keyboard.press("Control+z")
    page.locator("#outcome", has_text="Undone").wait_for()
    assert arcs(page) == before


def test_entities_are_marked_and_removed(visit: Visit):
    page = visit(SAW)
    select_word(page, 3)
    entity = page.locator("#inspector").get_by_label("Entity")
    label = entity.locator("option").nth(1).inner_text()
    entity.select_option(label)
    result = teach(page)
    assert [(one["start"], one["label"]) for one in result["after"]["ents"]] == [(3, label)]
    assert page.locator("#sentences .ent-label").all_inner_texts() == [label]
    page.locator("#sentences .ent-label").click()
    page.locator("#inspector").get_by_label("Entity").select_option("")
    assert teach(page)["after"]["ents"] == []
    undo(page)
    assert undo(page)["n_corrections"] == 0


def test_labels_of_phrases_are_changed(visit: Visit):
    page = visit(SAW)
    phrase = page.locator("#sentences .constituents-phrase", has_text="NP").first
    phrase.locator(".constituents-label").click()
    page.locator("#inspector").get_by_label("Phrase").select_option("VP")
    assert "VP" in page.inner_text("#staged")
    with page.expect_request("**/correct") as asked:
        teach(page)
    rows = asked.value.post_data_json["annotation"]["constituents"]
    assert [row[2] for row in rows].count("VP") == 2
    undo(page)


def test_what_the_server_refuses_is_told(visit: Visit):
    page = visit(SAW)
    page.route(
        "**/correct", lambda route: route.fulfill(status=422, json={"error": "That is no tree."})
    )
    drag(page, WITH, 0)
    page.get_by_role("button", name="Teach this").click()
    page.locator("#alert", has_text="That is no tree.").wait_for()
    assert page.locator("#staged .staged").count() == 1


def test_a_server_that_is_gone_is_told(visit: Visit):
    page = visit(SAW)
    page.route("**/annotate", lambda route: route.abort())
    page.fill("#text", "We sang.")
    page.locator("#alert", has_text="The server does not answer").wait_for()
    page.unroute("**/annotate")
    write(page, "We sing.")
    assert page.locator("#alert").is_hidden()


def test_loading_and_failures_are_told(visit: Visit, server: Server):
    page = visit(SAW)
    about = page.evaluate("fetch('/pipelines').then((response) => response.json())")
    one = {**about["pipelines"][0], "status": "loading"}
    states = [one, {**one, "status": "failed", "error": "No such folder."}, about["pipelines"][0]]
    page.route(
        "**/pipelines",
        lambda route: route.fulfill(
            json={**about, "pipelines": [states.pop(0) if len(states) > 1 else states[0]]}
        ),
    )
    page.reload()
    page.locator("#pick", has_text="Loading").wait_for()
    page.locator("#pick", has_text="No such folder.").wait_for()
    page.get_by_role("button", name="Try again").click()
    page.locator("#sentences .word", has_text="telescope").wait_for()


def test_texts_that_are_too_long_are_told(visit: Visit):
    page = visit(SAW)
    page.fill("#text", "w " * 6000)
    page.locator("#alert", has_text="longer than 10000 characters").wait_for()


def test_long_texts_are_drawn_as_they_come_into_sight(visit: Visit):
    page = visit()
    write(page, "She sang a song. " * 80)
    page.locator("section.sentence").nth(79).wait_for(state="attached")
    assert page.locator("section.sentence").count() == 80
    assert page.locator("#sentences svg.displacy").count() < 40
    page.locator("section.sentence").nth(79).scroll_into_view_if_needed()
    page.locator("section.sentence").nth(79).locator("svg.displacy").wait_for()


def test_the_text_survives_a_reload(visit: Visit):
    page = visit("We sang songs.")
    page.reload()
    page.locator("#sentences .word", has_text="songs").wait_for()
    assert page.input_value("#text") == "We sang songs."
    assert words(page) == ["We", "sang", "songs", "."]


def test_a_text_in_the_address(visit: Visit, server: Server):
    page = visit()
    page.goto("about:blank")
    page.goto(f"{server.address}/#text=He%20laughed.")
    page.locator("#sentences .word", has_text="laughed").wait_for()


def test_two_tabs_at_once(visit: Visit):
    """What is taught in one counts for the other."""
    first = visit(SAW)
    second = visit("He laughed.")
    assert words(first) != words(second)
    before = labels(first)
    select_word(first, 3)
    wanted = "VB" if before[3] != "VB" else "JJ"
    first.locator("#inspector").get_by_label("Tag").select_option(wanted)
    teach(first)
    write(second, "They laughed.")
    write(second, SAW)
    second.locator("#sentences .word", has_text="telescope").wait_for()
    assert labels(second)[3] == wanted
    second.evaluate("dispatchEvent(new Event('focus'))")
    second.locator("#actions .n", has_text="1 correction").wait_for()
    assert second.get_by_role("button", name="Undo", exact=True).is_enabled()
    undo(first)
    # Whoever comes back to a tab sees what is said now.
    second.evaluate("dispatchEvent(new Event('focus'))")
    second.locator("#actions .n", has_text="No corrections").wait_for()
    second.locator('#sentences .word[data-token="3"]', has_text=before[3]).wait_for()
    assert labels(second) == before
    assert labels(first) == before
    assert second.input_value("#text") == SAW


def test_corrections_are_saved_and_exported(visit: Visit, server: Server):
    page = visit(SAW)
    select_word(page, 0)
    before = labels(page)[0]
    wanted = "NN" if before != "NN" else "JJ"
    page.locator("#inspector").get_by_label("Tag").select_option(wanted)
    teach(page)
    page.get_by_role("button", name="Save").click()
    page.locator("#outcome", has_text="Saved the pipeline").wait_for()
    path = page.locator("#outcome code").first.inner_text()
    assert path.startswith(str(server.output)) or server.output.name in path
    saved = next(server.output.rglob("pipeline/meta.json")).parent
    assert spacy.load(saved)(SAW)[0].tag_ == wanted
    page.locator(".menu summary").click()
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Doccano").click()
    lines = downloaded.value.path().read_text("utf-8").splitlines()
    assert SAW in json.loads(lines[0])["text"]
    undo(page)


@pytest.mark.parametrize("text", [f"<script>alert(1)</script> {HOSTILE} said so.", HOSTILE * 3])
def test_markup_in_texts_does_nothing(visit: Visit, text: str):
    """Dialogs, refused scripts and foreign requests would be noticed by the fixture."""
    page = visit()
    write(page, text)
    shown = "".join(words(page)).replace("…", "")
    assert "".join(text.split()).startswith(shown[:20])
    select_word(page, 0)
    page.locator("#inspector .weights").wait_for()
    page.locator("#answers .answer").first.wait_for()
    page.locator("#answers .answer").last.click()
    assert page.locator("main img, main script, main iframe").count() == 0
    page.wait_for_timeout(200)


def test_markup_in_labels_does_nothing(visit: Visit):
    page = visit("She sang.", pipeline="hostile")
    assert labels(page) == [HOSTILE] * 3
    select_word(page, 0)
    page.locator("#inspector .why").wait_for()
    assert page.locator("main img").count() == 0
    page.wait_for_timeout(200)


def test_pipelines_are_compared(visit: Visit):
    page = visit(SAW)
    page.get_by_role("tab", name="Compare").click()
    columns = page.locator("#view-compare .pair > div")
    columns.nth(1).locator("svg.displacy").wait_for()
    both = [columns.nth(side).locator(".word.differs").count() for side in (0, 1)]
    assert both[0] == both[1] > 0
    # With itself, a pipeline agrees.
    page.get_by_label("Second pipeline").select_option(index=0)
    page.locator("#view-compare", has_text="0 words of 8").wait_for()
    assert page.locator("#view-compare .differs").count() == 0


def test_only_what_both_say_is_compared(visit: Visit, server: Server):
    page = visit(SAW)
    page.get_by_role("tab", name="Compare").click()
    # It has a tagger alone.
    page.get_by_label("Second pipeline").select_option(index=server.names.index("hostile"))
    page.locator("#view-compare", has_text="8 words of 8").wait_for()
    assert page.locator("#view-compare .displacy-arrow").count() == 7
    assert page.locator("#view-compare .displacy-arrow.differs").count() == 0


def test_phrases_are_compared(visit: Visit):
    page = visit(SAW)
    asked: list[Any] = []

    def relabel(route: Any) -> None:
        asked.append(route)
        is_second = len(asked) == 2
        answer = route.fetch()
        told = answer.json()
        if is_second:
            rows = next(c for c in told["components"] if c["kind"] == "constituents")["annotation"]
            rows["constituents"][0][2] = "OTHER"
        route.fulfill(response=answer, json=told)

    page.get_by_role("tab", name="Compare").click()
    page.locator("#view-compare svg.displacy").nth(1).wait_for()
    page.route("**/annotate", relabel)
    page.get_by_label("Second pipeline").select_option(index=0)
    page.locator("#view-compare", has_text="0 words of 8 (0 %) and 1 phrase of").wait_for()
    # Drawings are the server's, so that of the changed answer has the label that it had.
    assert page.locator("#view-compare .constituents-phrase.differs").count() == 1


def test_pipelines_are_compared_once_both_are_loaded(visit: Visit, server: Server):
    page = visit(SAW)
    page.get_by_role("tab", name="Compare").click()
    about = page.evaluate("fetch('/pipelines').then((response) => response.json())")
    loading = [{**one, "status": "loading"} for one in about["pipelines"]]
    states = [loading, [about["pipelines"][0], *loading[1:]], about["pipelines"]]
    page.route(
        "**/pipelines",
        lambda route: route.fulfill(
            json={**about, "pipelines": states.pop(0) if len(states) > 1 else states[0]}
        ),
    )
    page.reload()
    page.locator("#view-compare", has_text="The pipelines are being loaded.").wait_for()
    page.locator("#view-compare svg.displacy").nth(1).wait_for()
    chosen = page.locator("#view-compare select").evaluate_all("all => all.map((s) => s.value)")
    assert chosen == ["0", "1"]
    assert page.locator("#alert").is_hidden()


def test_sentences_that_come_late_are_dropped(visit: Visit):
    page = visit(SAW)
    page.get_by_role("tab", name="Corpus").click()
    rows = page.locator(".sentence-row")
    rows.first.wait_for(timeout=30_000)
    held = []

    def hold(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/corpus/sentence", hold)
    rows.nth(0).click()
    rows.nth(1).click()
    page.locator(".detail").wait_for()
    held[0].continue_()
    page.wait_for_timeout(200)
    page.get_by_label("Order").focus()
    assert rows.nth(0).get_attribute("aria-expanded") == "false"
    text = rows.nth(1).locator(".text").inner_text()
    page.get_by_role("button", name="Open in the editor").click()
    assert page.input_value("#text") == text


def test_the_corpus_is_browsed(visit: Visit):
    page = visit(SAW)
    page.get_by_role("tab", name="Corpus").click()
    page.locator(".sentence-row").first.wait_for(timeout=30_000)
    page.locator("#view-corpus").get_by_label("Component").select_option("parser")
    sure = page.locator(".sentence-row .sure")
    page.locator("#view-corpus .controls", has_text="of 30 sentences").wait_for()
    shares = [float(text.split()[0]) for text in sure.all_inner_texts() if text != "–"]
    assert len(shares) > 3
    assert shares == sorted(shares)
    kind = page.locator(".kinds li button").nth(1)
    n = int(kind.locator(".n").inner_text())
    kind.click()
    page.locator(".kinds li:nth-child(2) button[aria-pressed=true]").wait_for()
    page.wait_for_function(f"document.querySelectorAll('.sentence-row').length <= {n}")
    assert 1 <= page.locator(".sentence-row").count() <= n
    page.locator(".sentence-row").first.click()
    detail = page.locator(".detail")
    detail.locator("svg.displacy").nth(1).wait_for()
    both = [detail.locator(".words").nth(side).locator(".differs").count() for side in (0, 1)]
    assert both[0] == both[1] > 0
    text = page.locator(".sentence-row .text").first.inner_text()
    page.get_by_role("button", name="Open in the editor").click()
    page.locator("#sentences .word").first.wait_for()
    assert page.input_value("#text") == text


def test_right_to_left(visit: Visit):
    """Text, words and trees begin on the right, and so do the arrow keys."""
    page = visit("Anna saw him .", pipeline="leftward")
    assert page.get_attribute("#text", "dir") == "rtl"
    centres = page.locator("#sentences .word").evaluate_all(
        "words => words.map((word) => word.getBoundingClientRect().left)"
    )
    assert centres == sorted(centres, reverse=True)
    places = page.locator(".displacy-word").evaluate_all(
        "all => all.map((w) => +w.getAttribute('x'))"
    )
    assert places == sorted(places, reverse=True)
    page.locator("#sentences .word").first.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.token") == "1"


def test_the_page_is_light(visit: Visit, server: Server, watch: Watch, browser: Any):
    """All that is loaded before a text is annotated."""
    context = browser.new_context()
    page = context.new_page()
    sizes = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(server.address, wait_until="networkidle")
    context.close()
    assert len(sizes) > 10
    assert sum(sizes) <= 200_000


def test_the_exported_corpus_is_of_spacy(visit: Visit):
    """Downloads have the names that the server gives them."""
    page = visit(SAW)
    select_word(page, 2)
    before = labels(page)[2]
    page.locator("#inspector").get_by_label("Tag").select_option("NN" if before != "NN" else "JJ")
    teach(page)
    page.locator(".menu summary").click()
    with page.expect_download() as downloaded:
        page.get_by_role("button", name=".spacy").click()
    assert downloaded.value.suggested_filename.endswith(".spacy")
    assert not zipfile.is_zipfile(downloaded.value.path())
    docs = list(
        spacy.tokens.DocBin().from_disk(downloaded.value.path()).get_docs(spacy.blank("en").vocab)
    )
    assert [doc.text for doc in docs] == [SAW]
    undo(page)
