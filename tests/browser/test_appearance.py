"""How the playground looks, and whether people can use it who do not see it or not well."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Watch
from .gestures import SAW, drag, select_word

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WIDE = {"width": 1360, "height": 900}
NARROW = {"width": 360, "height": 740}
LOOKS = {
    "light": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "narrow": {"viewport": NARROW, "reduced_motion": "reduce"},
}
TEXT = f"Anna lives in London. {SAW}"
Visit = Callable[..., Any]


def show_editor(page: Any) -> None:
    select_word(page, 1)
    page.locator("#inspector .weights").wait_for()
    page.locator("#answers .answer").first.wait_for()


def show_edits(page: Any) -> None:
    page.locator("#answers .answer").nth(1).click()
    page.locator("#sentences .differs").first.wait_for()
    select_word(page, 0)
    menu = page.locator("#inspector").get_by_label("Tag")
    menu.select_option(index=(menu.evaluate("menu => menu.selectedIndex") + 1) % 5)
    page.locator("#staged .staged").wait_for()


def show_comparison(page: Any) -> None:
    page.get_by_role("tab", name="Compare").click()
    page.locator("#view-compare svg.displacy").nth(1).wait_for()


def show_corpus(page: Any) -> None:
    page.get_by_role("tab", name="Corpus").click()
    page.locator(".sentence-row").first.wait_for(timeout=30_000)
    page.locator(".sentence-row").first.click()
    page.locator(".detail svg").nth(1).wait_for()


VIEWS = {
    "editor": show_editor,
    "edits": show_edits,
    "comparison": show_comparison,
    "corpus": show_corpus,
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_views_can_be_used_by_all(
    visit: Visit, take_picture: Callable[[Any, str], Path], view: str, look: str
):
    """Nothing is wider than the window, and axe finds nothing serious."""
    sync_playwright = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="needs axe-playwright-python"
    )
    # The checker is a script that the page itself would not run.
    page = visit(TEXT, bypass_csp=True, **LOOKS[look])
    VIEWS[view](page)
    picture = take_picture(page, f"{view}-{look}")
    assert picture.stat().st_size > 10_000
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = sync_playwright.Axe().run(page).response["violations"]
    serious = [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_right_to_left_looks(visit: Visit, take_picture: Callable[[Any, str], Path]):
    page = visit("Anna saw the man with the telescope .", pipeline="leftward")
    select_word(page, 2)
    page.locator("#inspector .weights").wait_for()
    take_picture(page, "right-to-left")
    sides = [
        page.locator(f'.displacy-token[data-token="{i}"]').first.bounding_box()["x"] for i in (0, 6)
    ]
    assert sides[0] > sides[1]


def test_wide_words_stand_side_by_side(visit: Visit):
    """Capitals, and letters that are as wide as they are high."""
    page = visit("Although WWWWWWWWWW MMMMMMMMMM WWWWWWWWWW 国际货币基金组织 国际货币基金组织 .")
    page.locator("#sentences .displacy-word").first.wait_for()
    edges = page.locator("#sentences .displacy-word").evaluate_all(
        "words => words.map((w) => [w.getBBox().x, w.getBBox().x + w.getBBox().width])"
    )
    assert len(edges) == 7
    assert edges[0][0] >= 0
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(edges))


def test_a_drag_is_shown(visit: Visit, take_picture: Callable[[Any, str], Path]):
    page = visit(SAW)
    drag(page, 4, 0)
    page.locator("#staged .staged").wait_for()
    take_picture(page, "dragged")
    assert page.locator(".staged-arc").evaluate("arc => arc.getBBox().width") > 50


def test_the_focus_can_be_seen(visit: Visit, watch: Watch):
    """Whatever the keys reach has an outline, or its box has."""
    page = visit(SAW)
    page.locator("#answers .answer").first.wait_for()
    page.locator(".skip").focus()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        what, visible = page.evaluate(
            """() => {
              const one = document.activeElement;
              const style = getComputedStyle(one.closest("textarea") ? one.closest(".box") : one);
              const seen = style.outlineStyle !== "none" || style.boxShadow !== "none";
              return [one.id || one.className || one.tagName, seen];
            }"""
        )
        if what == "BODY":
            break
        assert visible, what
        reached.add(what.split()[0])
    assert {"text", "word", "tree", "answer"} <= reached
