"""The sheet of an enrolled deck: every card with its number and its name, for the user to look through.

One HTML file beside the pictures that it shows; it asks nothing of any other place.
"""

from html import escape
from typing import TYPE_CHECKING, Final

from vision.labels import SUIT_NAMES

if TYPE_CHECKING:
    from server.decks import DeckFace, EnrolledDeck

FIGURES: Final = {10: "sota", 11: "caballo", 12: "rey", 1: "as"}

_HOW: Final = (
    ("es", "¿Está bien el nombre de cada carta? Las dudosas llevan «?». Para corregir la número 3:"),
    ("en", "Is every card named right? Doubtful ones bear a “?”. To put number 3 right:"),
    ("it", "Ogni carta ha il nome giusto? Quelle dubbie hanno «?». Per correggere la numero 3:"),
    ("pt", "O nome de cada carta está certo? As duvidosas têm «?». Para corrigir a número 3:"),
)

_STYLE: Final = """
body { font: 16px/1.4 system-ui, sans-serif; margin: 1.5rem; color: #1c1c1c; background: #f6f4ee; }
p { margin: .2rem 0; } code { background: #e6e2d6; padding: .1rem .35rem; border-radius: .25rem; }
ol { display: flex; flex-wrap: wrap; gap: .8rem; list-style: none; padding: 0; margin: 1rem 0; }
li { width: 8.4rem; background: #fff; border: 2px solid #d8d3c4; border-radius: .5rem; padding: .4rem; }
li.doubtful { border-color: #b3541e; background: #fdf0e6; } li.none { border-style: dashed; opacity: .75; }
img { width: 100%; height: auto; display: block; border-radius: .3rem; }
.number { font-weight: 700; } .name { font-size: 1.15rem; font-weight: 700; } small { display: block; }
"""


def card_name(label: str) -> str:
    """A card in the game's own words: ``7 de bastos``, ``sota de oros``."""
    rank = int(label[:-1])
    return f"{FIGURES.get(rank, rank)} de {SUIT_NAMES[label[-1]]}"


def sheet_html(deck: "EnrolledDeck") -> str:
    """The whole page."""
    lines = [f'<p lang="{language}">{escape(text)}</p>' for language, text in _HOW]
    missing = ", ".join(f"{label} ({card_name(label)})" for label in deck.missing)
    return (
        '<!doctype html>\n<html lang="es">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(deck.name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(deck.name)} · {deck.size}</h1>\n"
        + "\n".join(lines)
        + f'\n<p><code>brisca deck correct "{escape(deck.name)}" 3=7B</code></p>\n'
        + (f"<p><strong>∅ {escape(missing)}</strong></p>\n" if missing else "")
        + "<ol>\n"
        + "\n".join(_face(face) for face in deck.faces)
        + "\n</ol>\n</main>\n</body>\n</html>\n"
    )


def _face(face: "DeckFace") -> str:
    kind = "none" if face.label is None else "doubtful" if face.rivals else "sure"
    name = "—" if face.label is None else face.label + (" ?" if face.rivals else "")
    words = "" if face.label is None else card_name(face.label)
    rivals = f"<small>? {escape(', '.join(face.rivals))}</small>" if face.rivals else ""
    return (
        f'<li class="{kind}"><span class="number">{face.number}</span>'
        f'<img src="faces/{escape(face.files[0])}" alt="{escape(words or name)}">'
        f'<span class="name">{escape(name)}</span><small>{escape(words)}</small>{rivals}</li>'
    )
