"""Runs every benchmark of this folder: ``python -m bench [NAME...]``. Each module has ``run() -> list[Measure]``-like
printing of its own; figures are ratios within one run beside the absolute times, never a pass or a failure.
"""

import importlib
import sys
from pathlib import Path

names = sys.argv[1:] or sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))
for name in names:
    print(f"== {name}")
    importlib.import_module(f"bench.{name}").main()
