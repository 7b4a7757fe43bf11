"""``brisca simulate``: make a game up and film it, with its truth beside it."""

import argparse
import sys
from pathlib import Path


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``simulate``."""
    parser = subparsers.add_parser(
        "simulate",
        help="film a made-up game, with the truth of every card",
        description="Make a whole game up and film it as a webcam would: game.mp4, truth.json and truth_boxes.jsonl.",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write into")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="2, 3, 4 or 6 players (default: 2)")
    parser.add_argument("--seats", metavar="LIST", help="who sits where, e.g. south=Ana,north=Luis")
    parser.add_argument("--rules", default="arrastro", metavar="PROFILE", help="rules of the game (default: arrastro)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another number, another game (default: 0)")
    parser.add_argument("--level", default="easy", choices=("easy", "medium", "hard"), help="how hard to read it is")
    parser.add_argument("--size", default="1280x720", metavar="WxH", help="size of the picture (default: 1280x720)")
    parser.add_argument("--fps", type=float, default=15.0, metavar="N", help="pictures a second (default: 15)")
    parser.add_argument(
        "--deck", default="random", metavar="DECK", help="own, random (by the seed) or a deck folder (default: random)"
    )
    parser.add_argument("--tilt", type=float, metavar="DEG", help="the camera's angle from straight down, 0 to 60")
    parser.add_argument("--turn", type=float, metavar="DEG", help="how far it stands round the table, -45 to 45")
    parser.add_argument("--tricks", type=int, metavar="N", help="stop after so many tricks")
    parser.add_argument("--inputs", action="store_true", help="write inputs.jsonl too: the arrastre calls")
    parser.add_argument("--break-rules", action="store_true", help="let the players neglect their duties")
    parser.add_argument(
        "--incident",
        action="append",
        default=[],
        metavar="KIND[@TRICK]",
        help="script something against the rules, such as wrong_leader@5; may be repeated (see docs/accuracy.md)",
    )
    parser.add_argument(
        "--camera",
        action="append",
        default=[],
        metavar="FAULT[@TRICK]",
        help="script a fault of the camera, such as lost_frames@4 or mirrored; may be repeated",
    )
    parser.add_argument("--demo", action="store_true", help="film the demo game; only --out counts beside it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the film and its truth."""
    from server.progress import ProgressBar
    from server.simulator.simulate import Simulation, picture_size, prepare, prepare_demo, simulate

    if args.demo:
        ready = prepare_demo()
    else:
        ready = prepare(
            Simulation(
                rules=args.rules,
                players=args.players,
                seats=args.seats,
                seed=args.seed,
                level=args.level,
                size=picture_size(args.size),
                fps=args.fps,
                deck=args.deck,
                tricks=args.tricks,
                faults=args.break_rules,
                incidents=tuple(args.incident),
                camera=tuple(args.camera),
                tilt=args.tilt,
                turn=args.turn,
            )
        )
    with ProgressBar(ready.film.frame_count, "film") as bar:
        film = simulate(
            ready,
            args.out,
            name="demo.mp4" if args.demo else "game.mp4",
            inputs=args.inputs or args.demo,
            progress=lambda done, total: bar.step(),
        )
    print(film, file=sys.stdout)
    return 0
