"""The JSON Schema of all WebSocket messages: ``python -m server.schema > docs/schema/messages.json``.

Made from the types that the snapshot is built with and from the table of presses; a test compares it with the file.
"""

import json
import sys
from typing import Any, Final

from pydantic import TypeAdapter

from server.messages import PingMessage, ResyncMessage, ServerMessage
from server.presses import FIELDS

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_CARD: Final = {"type": "string", "pattern": "^(1[0-2]|[1-9])[OCEB]$"}
_SEAT: Final = {"type": "integer", "minimum": 0}
_ID: Final = {"type": ["integer", "string", "null"]}
_VALUES: Final[dict[str, dict[str, Any]]] = {
    "t": {"type": "number", "minimum": 0},
    "seat": _SEAT,
    "other": _SEAT,
    "card": _CARD,
    "given": _CARD,
    "play": {"type": "string"},
    "before": {"type": "string"},
    "other_play": {"type": "string"},
    "violation": {"type": "string"},
    "suit": {"enum": ["O", "C", "E", "B"]},
    "hand": {"type": "integer", "minimum": 1},
    "trick": {"type": "integer", "minimum": 1},
    "after_trick": {"type": "integer", "minimum": 0},
    "places": {
        "type": "array",
        "items": {
            "type": "array",
            "items": {"type": "number", "minimum": 0, "maximum": 1},
            "minItems": 2,
            "maxItems": 2,
        },
    },
    "sure": {"type": "boolean"},
    "tricks": {"type": "integer", "minimum": 0},
    "points": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 120},
        "minItems": 2,
        "maxItems": 6,
    },
}


def messages_schema() -> dict[str, Any]:
    """The schema; ``$defs`` holds ``ServerMessage``, ``ClientMessage``, ``Press`` and all their parts."""
    made, parts = TypeAdapter.json_schemas(
        [
            ("server", "serialization", TypeAdapter(ServerMessage)),
            ("resync", "validation", TypeAdapter(ResyncMessage)),
            ("ping", "validation", TypeAdapter(PingMessage)),
        ],
        ref_template="#/$defs/{model}",
    )
    press_message = {
        "type": "object",
        "description": "Somebody pressed something.",
        "required": ["type", "press"],
        "properties": {"type": {"const": "press"}, "id": _ID, "press": {"$ref": "#/$defs/Press"}},
    }
    asked = ("PressMessage", "ResyncMessage", "PingMessage")
    return {
        "$schema": _DIALECT,
        "title": "brisca-table: messages of the WebSocket /ws",
        "oneOf": [{"$ref": "#/$defs/ServerMessage"}, {"$ref": "#/$defs/ClientMessage"}],
        "$defs": {
            "ServerMessage": made[("server", "serialization")],
            "ClientMessage": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in asked]},
            "PressMessage": press_message,
            "Press": {"oneOf": [press_schema(name) for name in FIELDS]},
            **parts["$defs"],
        },
    }


def press_schema(name: str) -> dict[str, Any]:
    """The schema of one type of press."""
    fields = FIELDS[name]
    names = ["t", *(field for group in fields.required for field in group), *fields.allowed]
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["type", *(group[0] for group in fields.required if len(group) == 1)],
        "properties": {"type": {"const": name}, **{field: _VALUES[field] for field in dict.fromkeys(names)}},
        "additionalProperties": False,
    }
    choices = [group for group in fields.required if len(group) > 1]
    if choices:
        schema["allOf"] = [{"anyOf": [{"required": [field]} for field in group]} for group in choices]
    return schema


def schema_text() -> str:
    """The schema as the text of the file."""
    return json.dumps(messages_schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
