"""What is known of a session before its first frame: its name, when it began, what it watches."""

import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from engine.record import rules_to_json
from server.moment import now_text
from server.sessions.session import Table
from server.sessions.store import SessionRow
from server.version import version, versions
from vision.source import SourceInfo
from vision.stream import mask_password


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """A session's id, its source as it may be shown (no password), its beginning in ISO 8601, UTC."""

    id: str
    source: str
    started: str

    @classmethod
    def begin(cls, source: str) -> "SessionFacts":
        """A session that begins now. The id sorts by time."""
        now = datetime.now(UTC)
        return cls(f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}", source, now_text(now))

    def row(self, table: Table, folder: str | None, *, demo: bool = False) -> SessionRow:
        """The session as the history keeps it; ``demo``: it is the demo's game."""
        return SessionRow(
            id=self.id,
            started=self.started,
            source=self.source,
            rules=table.profile,
            players=table.rules.players,
            seats=tuple(table.as_json()["seats"]),
            version=version(),
            folder=folder,
            terms=rules_to_json(table.rules),
            demo=demo,
        )

    def header(
        self, table: Table, source: SourceInfo | None, models: dict[str, str], opened: str | None = None
    ) -> dict[str, Any]:
        """The header of the session's recording; ``models`` are the sha256 of the weights by name.

        ``opened`` is what to open for going on with it (a password in it is left out).
        """
        again = {} if opened is None else {"open": mask_password(opened)}
        return {
            "id": self.id,
            "started": self.started,
            "versions": versions(),
            "models": models,
            **table.as_json(),
            "source": {"spec": self.source, **again, **({} if source is None else asdict(source))},
        }
