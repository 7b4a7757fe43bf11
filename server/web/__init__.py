"""The program on the network: pages, requests and WebSocket, the room and the game that runs in it."""
