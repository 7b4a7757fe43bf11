"""What people do on the page of a game that they keep by hand, for tests of it."""

from typing import Any

PHONE = (360, 740)


def keep(game: Any, *plays: tuple[int, str], trump: str = "3C", players: int = 2) -> None:
    """Enter a trump and plays, as the page does."""
    game.ask(lambda: game.live.press({"type": "set_trump", "card": trump}))
    for n, (seat, card) in enumerate(plays):
        press = {"type": "add_play", "trick": n // players + 1, "seat": seat, "card": card}
        game.ask(lambda press=press: game.live.press(press))


def played(game: Any) -> list[tuple[int, str | None]]:
    return [(play.seat, play.card and str(play.card)) for play in game.hand().all_plays]


def tap(page: Any, card: str) -> None:
    page.locator(f"#picker .picker-suits [data-suit={card[-1]}]").first.click()
    page.locator(f"#picker .picker-ranks [data-card='{card}']").click()


def noted(page: Any) -> str:
    page.wait_for_function("() => !document.querySelector('#picker').open && !document.querySelector('#toast').hidden")
    return str(page.locator("#toast").inner_text())
