"""``brisca films``: film made-up games, read the films as a camera is read, and score the readings."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from server.errors import ServerError, UsageError
from vision.errors import VisionError

if TYPE_CHECKING:
    from server.films.report import FilmReport
    from server.films.runner import Runner
    from server.films.suite import FilmSpec


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``films``."""
    parser = subparsers.add_parser(
        "films",
        help="score the reading of made-up films",
        description="Film the made-up games of a suite, read each film with 'brisca watch --headless', and score the "
        "readings against the truth. What was filmed or read with the same code and weights is not done again.",
    )
    parser.add_argument(
        "--suite",
        type=Path,
        default=Path("datasets/films.toml"),
        metavar="FILE",
        help="the films (default: datasets/films.toml)",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path("cache/films"),
        metavar="DIR",
        help="folder of films, readings and scores (default: cache/films)",
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this film, or this group; may be repeated"
    )
    parser.add_argument("--render-only", action="store_true", help="make the films, read none")
    parser.add_argument("--again", action="store_true", help="make and read everything anew")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="films at the same time (default: 1)")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="put the tables between the marks of this Markdown page too"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make, read and score; 1 when a film could not be made or read."""
    from concurrent.futures import ThreadPoolExecutor

    from server.films.report import put_into, suite_json, suite_markdown
    from server.films.runner import Runner
    from server.films.suite import read_suite
    from server.simulator.simulate import json_text

    if args.jobs < 1:
        raise UsageError("--jobs must be at least 1.")
    suite = read_suite(args.suite)
    films = [film for film in suite.films if not args.only or film.name in args.only or film.group in args.only]
    names = {name for film in suite.films for name in (film.name, film.group)}
    if unknown := next((name for name in args.only if name not in names), None):
        raise UsageError(f"The suite {args.suite} has no film or group {unknown!r}; see the names in the file.")
    runner = Runner(args.cache, again=args.again)
    out = args.cache / f"report-{args.suite.stem}"
    with ThreadPoolExecutor(args.jobs) as pool:
        reports = list(pool.map(lambda film: _one(runner, film, out, args.render_only), films))
    failed = sum(report.failure is not None for report in reports)
    if args.render_only:
        return 1 if failed else 0
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(json_text(suite_json(suite, reports)), encoding="utf-8")
    text = suite_markdown(suite, reports)
    (out / "results.md").write_text(text, encoding="utf-8")
    if args.page is not None:
        put_into(args.page, text)
    print(text)
    print(out / "results.json")
    return 1 if failed else 0


def _one(runner: "Runner", spec: "FilmSpec", out: Path, render_only: bool) -> "FilmReport":
    """One film, made, read and scored; what fails is told and the others go on."""
    from server.films.doubt import seconds_of_doubt
    from server.films.pictures import draw_failures
    from server.films.report import FilmReport, fault_texts
    from server.films.score import score_hand
    from server.sessions.recording import read_recording

    try:
        if render_only:
            folder, truth, _ = runner.film(spec)
            _say(f"{spec.name}: {truth['film']['frames']} frames in {folder / 'film'}")
            return FilmReport(spec, frames=truth["film"]["frames"], fps=truth["film"]["fps"])
        made = runner.read(spec)
        score = score_hand(made.truth, made.result)
        pictures = draw_failures(made.folder, score.errors, out)
        report = FilmReport(
            spec,
            score,
            None,
            made.truth["film"]["frames"],
            made.truth["film"]["fps"],
            made.seconds_read,
            seconds_of_doubt(read_recording(made.reading)),
            tuple(pictures),
        )
    except (ServerError, VisionError, OSError) as error:
        _say(f"{spec.name}: {error}")
        return FilmReport(spec, failure=str(error))
    texts = fault_texts(score)
    _say(
        f"{spec.name}: {'whole' if score.whole else 'NOT WHOLE'}, cards {score.cards}/{score.cards_all}, "
        f"winners {score.winners}/{score.winners_all}, totals {'right' if score.totals else 'WRONG'}, "
        f"{len(score.silent)} silent, {report.doubt:.0f} s of doubt" + "".join(f"\n    {text}" for text in texts)
    )
    return report


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
