"""The hub: order, numbering, slow screens."""

import asyncio
import json
from typing import Any

from server.web.hub import Client, Hub


async def drain(client: Client) -> list[dict[str, Any]]:
    return [json.loads(text) async for text in client]


def test_a_screen_is_greeted_and_then_gets_numbered_messages_in_order() -> None:
    async def story() -> list[dict[str, Any]]:
        points = {"points": 0}
        hub = Hub(lambda: points, "1.2")
        hub.event({"id": "e1"}, {"points": 0})
        client = hub.join()
        points["points"] = 11
        hub.event({"id": "e2"}, points)
        hub.status({"camera": "RUNNING"})
        hub.close()
        return await drain(client)

    hello, snapshot, event, status = asyncio.run(story())
    assert hello == {"type": "hello", "seq": 0, "version": "1.2", "languages": ["es", "en", "it", "pt"]}
    assert snapshot == {"type": "snapshot", "seq": 1, "data": {"points": 0}}
    assert event == {"type": "event", "seq": 2, "event": {"id": "e2"}, "data": {"points": 11}}
    assert status == {"type": "status", "seq": 3, "data": {"camera": "RUNNING"}}


def test_a_resync_gives_the_state_of_now_and_the_number_to_go_on_from() -> None:
    async def story() -> list[dict[str, Any]]:
        hub = Hub(lambda: {"now": hub.seq}, "1")
        client = hub.join()
        hub.event({"id": "e1"}, {})
        hub.event({"id": "e2"}, {})
        hub.resync(client)
        hub.event({"id": "e3"}, {})
        hub.leave(client)
        return await drain(client)

    messages = asyncio.run(story())
    assert [(message["type"], message["seq"]) for message in messages] == [
        ("hello", 0), ("snapshot", 0), ("event", 1), ("event", 2), ("snapshot", 2), ("event", 3),
    ]  # fmt: skip


def test_a_screen_that_does_not_keep_up_is_dropped_and_the_others_are_not() -> None:
    async def story() -> None:
        hub = Hub(dict, "1", backlog=8)
        stuck, lively = hub.join(), hub.join()
        got: list[dict[str, Any]] = []

        async def look() -> None:
            async for text in lively:
                got.append(json.loads(text))

        looking = asyncio.create_task(look())
        for number in range(50):
            hub.event({"n": number}, {})
            await asyncio.sleep(0)
        assert stuck.slow
        await asyncio.wait_for(stuck.wait_closed(), 1)
        assert hub.size == 1
        assert hub.dropped == 1
        hub.close()
        await looking
        assert [message["event"]["n"] for message in got if message["type"] == "event"] == list(range(50))
        assert await drain(stuck) == []

    asyncio.run(story())


def test_nobody_can_join_a_closed_hub() -> None:
    async def story() -> list[dict[str, Any]]:
        hub = Hub(dict, "1")
        hub.close()
        client = hub.join()
        assert hub.size == 0
        return await drain(client)

    assert [message["type"] for message in asyncio.run(story())] == ["hello", "snapshot"]
