"""The scoreboard's address as a QR code, as a drawing for the page and as text for the terminal."""

import io

import segno


def qr_svg(url: str) -> str:
    """The code as SVG, black on white with its quiet zone, scaled by whoever shows it."""
    out = io.BytesIO()
    segno.make(url, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, omitsize=True, border=4, light="#fff", dark="#000"
    )
    return out.getvalue().decode("utf-8")


def qr_text(url: str) -> str:
    """The code in half blocks, light on dark as terminals are."""
    out = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
