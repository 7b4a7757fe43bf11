"""Runs every benchmark of this folder: ``python -m bench [NAME...]``. Each module has ``run() -> list[Measure]``-like
printing of its own; figures are ratios within one run beside the absolute times, never a pass or a failure.
"""

import argparse
import importlib
from pathlib import Path

known = sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))
parser = argparse.ArgumentParser(
    prog="python -m bench", description="Measure how fast the parts are; all together take long."
)
parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(known)}")
names = parser.parse_args().names
if unknown := [name for name in names if name not in known]:
    parser.error(f"there is no benchmark {unknown[0]}; choose of {', '.join(known)}.")
for name in names or known:
    print(f"== {name}", flush=True)
    importlib.import_module(f"bench.{name}").main()
