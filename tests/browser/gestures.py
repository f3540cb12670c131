"""What people do on the page, and what it shows them."""

from typing import Any

SAW = "She saw the man with the telescope."
WITH, LAST = 4, 7


def arcs(page: Any) -> dict[int, tuple[int, str]]:
    """Head and label of each word with an arc, as they are drawn."""
    drawn = page.locator("#sentences .displacy-arrow").evaluate_all(
        "arcs => arcs.map((a) => [a.dataset.dependent, a.dataset.head, a.dataset.label])"
    )
    return {int(dependent): (int(head), label) for dependent, head, label in drawn}


def words(page: Any) -> list[str]:
    return page.locator("#sentences .word .text").all_inner_texts()


def labels(page: Any) -> list[str]:
    return page.locator("#sentences .word .label").all_inner_texts()


def select_word(page: Any, i: int) -> None:
    page.locator(f'#sentences .word[data-token="{i}"]').click()
    page.locator("#inspector.open").wait_for()


def drag(page: Any, dependent: int, head: int | None) -> None:
    """Drag a word of the tree onto another one, or above the tree."""

    def centre(token: int) -> tuple[float, float]:
        word = page.locator(f'.displacy-token[data-token="{token}"] .displacy-word')
        box = word.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.locator(".displacy").first.scroll_into_view_if_needed()
    page.mouse.move(*centre(dependent))
    page.mouse.down()
    top = page.locator(".displacy").first.bounding_box()["y"]
    x, y = centre(dependent if head is None else head)
    page.mouse.move(x, y - 30, steps=4)
    page.mouse.move(x, top - 15 if head is None else y, steps=4)
    page.mouse.up()


def teach(page: Any) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): What the server answers, when the page has shown it."""
    with page.expect_response("**/correct") as answer:
        page.get_by_role("button", name="Teach this").click()
    result: dict[str, Any] = answer.value.json()
    page.locator("#outcome h2").wait_for()
    return result


def undo(page: Any) -> dict[str, Any]:
    with page.expect_response("**/undo") as answer:
        page.get_by_role("button", name="Undo", exact=True).click()
    page.locator("#outcome", has_text="Undone").wait_for()
    result: dict[str, Any] = answer.value.json()
    return result
