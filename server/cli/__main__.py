"""``python -m server.cli`` is ``brisca``."""

import sys

from server.cli import main

sys.exit(main())
