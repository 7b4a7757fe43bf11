"""The figures of a suite as JSON and as Markdown tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.errors import ServerError
from server.films.score import HandScore
from server.films.suite import FilmSpec, Suite
from server.version import versions
from vision.weights import list_weights

BEGIN: Final = "<!-- films: begin -->"
END: Final = "<!-- films: end -->"


class ReportError(ServerError):
    """The figures cannot be put where they were wanted."""

    code = "films_report"


@dataclass(frozen=True, slots=True)
class FilmReport:
    """What became of one film; ``failure`` instead of a score where it could not be made or read."""

    spec: FilmSpec
    score: HandScore | None = None
    failure: str | None = None
    frames: int = 0
    fps: float = 0.0
    seconds_read: float = 0.0
    doubt: float = 0.0
    pictures: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        what = self.spec.what
        return {
            "name": self.spec.name,
            "group": self.spec.group,
            "rules": what.rules,
            "players": what.players,
            "seed": what.seed,
            "level": what.level,
            "size": list(what.size),
            "fps": what.fps,
            "scripted_incidents": list(what.incidents),
            "camera": list(what.camera),
            "frames": self.frames,
            "seconds_read": self.seconds_read,
            "seconds_of_doubt": self.doubt,
            "failure": self.failure,
            "score": None if self.score is None else self.score.to_json(),
            "pictures": list(self.pictures),
        }


def suite_json(suite: Suite, reports: Sequence[FilmReport]) -> dict[str, Any]:
    """The whole outcome as plain JSON values."""
    return {
        "suite": suite.title,
        "versions": versions(),
        "models": {weights.name: weights.sha256 for weights in list_weights()},
        "films": [report.to_json() for report in reports],
    }


def suite_markdown(suite: Suite, reports: Sequence[FilmReport]) -> str:
    """Two tables (groups, films) and the list of everything that was wrong."""
    done = versions()
    models = ", ".join(f"{weights.name} {weights.sha256[:12]}" for weights in list_weights())
    lines = [
        f"{suite.title}: {len(reports)} of {len(suite.films)} films. brisca {done['brisca']}, {models}, "
        f"onnxruntime {done['onnxruntime']}, OpenCV {done['opencv']}.",
        "",
        *_group_table(reports),
        "",
        *_film_table(reports),
        "",
        *_faults(reports),
    ]
    return "\n".join(lines).rstrip() + "\n"


def put_into(page: Path, text: str) -> None:
    """Put ``text`` between the marks of a Markdown page. Raises :class:`ReportError` where it has none."""
    try:
        old = page.read_text(encoding="utf-8")
        head, begin, rest = old.partition(BEGIN)
        _, end, tail = rest.partition(END)
        if not (begin and end):
            raise ReportError(f"{page} has no lines {BEGIN} and {END}; put them where the tables belong.")
        page.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{tail}", encoding="utf-8")
    except OSError as error:
        raise ReportError(f"{page} cannot be written ({error.strerror}); name another page.") from error


def _group_table(reports: Sequence[FilmReport]) -> list[str]:
    rows = [
        "| group | films | whole hands | cards | tricks | winners | totals | exchanges | violations | false | silent "
        "| amendments | doubt |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    groups = list(dict.fromkeys(report.spec.group for report in reports))
    for group in groups:
        rows.append(_group_row(group, [report for report in reports if report.spec.group == group]))
    if len(groups) > 1:
        rows.append(_group_row("**all**", reports))
    return rows


def _group_row(name: str, reports: Sequence[FilmReport]) -> str:
    scores = [report.score for report in reports if report.score is not None]
    cells = [
        name,
        str(len(reports)),
        _share(sum(score.whole for score in scores), len(reports)),
        _share(_sum(score.cards for score in scores), _sum(score.cards_all for score in scores)),
        _share(_sum(score.tricks for score in scores), _sum(score.tricks_all for score in scores)),
        _share(_sum(score.winners for score in scores), _sum(score.winners_all for score in scores)),
        _share(sum(score.totals for score in scores), len(scores)),
        _share(_sum(score.exchanges for score in scores), _sum(score.exchanges_all for score in scores)),
        _share(_sum(len(s.found) for s in scores), _sum(len(s.found) + len(s.missed) for s in scores)),
        str(_sum(len(score.false) for score in scores)),
        str(_sum(len(score.silent) for score in scores)),
        str(_sum(score.amendments for score in scores)),
        f"{sum(report.doubt for report in reports):.0f} s",
    ]
    return "| " + " | ".join(cells) + " |"


def _film_table(reports: Sequence[FilmReport]) -> list[str]:
    rows = [
        "| film | table | length | whole | cards | tricks | winners | totals | violations | false | silent "
        "| amendments | doubt |",
        "|---|---|--:|---|--:|--:|--:|---|--:|--:|--:|--:|--:|",
    ]
    for report in reports:
        what, score = report.spec.what, report.score
        table = f"{what.players} × {what.rules}, {what.level}, {what.size[0]}×{what.size[1]}, {what.fps:g} fps"
        angles = [("tilt", what.tilt), ("turn", what.turn)]
        view = [f"{name} {angle:g}°" for name, angle in angles if angle is not None]
        extras = ", ".join([*what.incidents, *what.camera, *view])
        cells = [report.spec.name, table + (f"; {extras}" if extras else "")]
        if score is None:
            cells += ["", "**failed**", *[""] * 9]
        else:
            cells += [
                f"{report.frames / report.fps:.0f} s",
                "yes" if score.whole else "no",
                f"{score.cards}/{score.cards_all}",
                f"{score.tricks}/{score.tricks_all}",
                f"{score.winners}/{score.winners_all}",
                "right" if score.totals else "wrong",
                f"{len(score.found)}/{len(score.found) + len(score.missed)}",
                str(len(score.false)),
                str(len(score.silent)),
                str(score.amendments),
                f"{report.doubt:.1f} s",
            ]
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def _faults(reports: Sequence[FilmReport]) -> list[str]:
    lines = ["What was wrong (truth→reading, confidence of the reading):", ""]
    for report in reports:
        texts = [report.failure] if report.failure else [] if report.score is None else fault_texts(report.score)
        if texts:
            lines += [f"- **{report.spec.name}**: " + "; ".join(texts)]
    return lines if len(lines) > 2 else ["Nothing was wrong."]


def fault_texts(score: HandScore) -> list[str]:
    """Everything that was wrong with a hand, as short texts."""
    texts = [str(error) for error in score.errors]
    if score.hands != 1:
        texts.append(f"{score.hands} hands instead of 1")
    if not score.ended:
        texts.append("end of the hand wrong")
    if score.trump_read[0] != score.trump_read[1]:
        texts.append(f"trump {score.trump_read[0] or 'hidden'}→{score.trump_read[1] or 'unread'}")
    texts += [f"SILENT {text}" for text in score.silent if not text.startswith(("card ", "trump"))]
    texts += [f"missed {text}" for text in score.missed]
    texts += [f"false {text}" for text in score.false]
    texts += [f"overstated {text}" for text in score.overstated]
    if score.exchanges != score.exchanges_all:
        texts.append(f"exchanges {score.exchanges}/{score.exchanges_all}")
    return texts


def _sum(values: Iterable[int]) -> int:
    return sum(values)


def _share(hits: int, tries: int) -> str:
    return "-" if not tries else f"{hits}/{tries} ({100 * hits / tries:.1f} %)"
