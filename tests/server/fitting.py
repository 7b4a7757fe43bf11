"""What does not fit on a page: cut off, broken inside a word, over the edge; and how large a browser's letters are."""

from typing import Any

_CUT = """() => {
  const wide = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > wide) found.push(`sideways: ${document.documentElement.scrollWidth}`);
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const style = getComputedStyle(one), box = one.getBoundingClientRect(), words = one.textContent.trim().slice(0, 40);
    const unseen = one.closest(".visually-hidden, .skip, .brand, [hidden]");
    if (!own || unseen || style.visibility === "hidden" || style.clipPath !== "none" || box.width < 2) continue;
    if (box.right > wide + 1 || box.left < -1) found.push(`over the edge: ${words}`);
    if (style.overflowY !== "visible" && one.scrollHeight > one.clientHeight + 3) found.push(`cut below: ${words}`);
    if (style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1) found.push(`cut aside: ${words}`);
    for (let up = one.parentElement; up; up = up.parentElement) {
      const frame = up.getBoundingClientRect(), hides = getComputedStyle(up).overflowX === "hidden";
      if (hides && (box.right > frame.right + 1 || box.bottom > frame.bottom + 1)) found.push(`cut: ${words}`);
    }
  }
  return [...new Set(found)];
}"""

_BROKEN = """(all) => all.filter((one) => one.checkVisibility()).flatMap((one) => {
  const found = [], walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    for (const word of walk.currentNode.textContent.matchAll(/\\\\S+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top / 4))).size > 1) found.push(word[0]);
    }
  }
  return found;
})""".replace("\\\\", "\\")

NAMES = ".tile-name, .slot-name, .last-name, .result-title"


def cut_off(page: Any) -> list[str]:
    """What of the words on a page cannot be read, or lies beyond its edge."""
    return list(page.evaluate(_CUT))


def broken_words(page: Any, selector: str = NAMES) -> list[str]:
    """Words that go on in another line, in what is meant."""
    return list(page.locator(selector).evaluate_all(_BROKEN))


def set_letters(page: Any, size: int) -> None:
    """Set the browser's own size of letters, as people do who need larger ones."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
    page.wait_for_function(
        "(size) => { const one = document.createElement('p'); one.style.fontSize = 'medium'; document.body.append(one);"
        " const px = getComputedStyle(one).fontSize; one.remove(); return px === `${size}px`; }",
        arg=size,
    )
