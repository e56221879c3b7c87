"""Links between the nodes and the database, and between nodes, that can be cut and delayed.

A process of its own: it would otherwise share one interpreter with the clients. Each line of its input is a command,
`LINK pass`, `LINK cut`, `LINK hang` or `LINK delay SECONDS`, and is answered by a line `done`.

- `cut`: all connections are reset, and new ones too.
- `hang`: connections stay, and nothing passes, as when a cable is pulled.
- `delay`: each piece arrives so much later.

    proxy.py NAME=PORT:TARGET_PORT …
"""

import asyncio
import os
import socket
import struct
import sys


class Link:
    """One port that passes on to another one."""

    def __init__(self, port, target):
        self.port, self.target = port, target
        self.mode, self.delay = "pass", 0.0
        self.open = asyncio.Event()
        self.open.set()
        self.writers = set()

    def set(self, mode, delay=0.0):
        self.mode, self.delay = mode, delay
        if mode == "hang":
            self.open.clear()
        else:
            self.open.set()
        if mode == "cut":
            for writer in list(self.writers):
                reset(writer)

    async def serve(self, reader, writer):
        self.writers.add(writer)
        try:
            await self.open.wait()
            if self.mode == "cut":
                return reset(writer)
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(far_writer)
            try:
                there = asyncio.ensure_future(self.pump(reader, far_writer))
                back = asyncio.ensure_future(self.pump(far_reader, writer))
                await asyncio.wait({there, back})
            finally:
                self.writers.discard(far_writer)
                far_writer.close()
        except OSError:
            reset(writer)
        finally:
            self.writers.discard(writer)
            writer.close()

    async def pump(self, reader, writer):
        try:
            while piece := await reader.read(1 << 16):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self.open.wait()
                writer.write(piece)
                await writer.drain()
            await self.open.wait()
            if writer.can_write_eof():
                writer.write_eof()
        except (OSError, RuntimeError):
            reset(writer)


def reset(writer):
    """Closes a connection as a firewall does."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        try:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
    writer.transport.abort()


async def main():
    links = {}
    for said in sys.argv[1:]:
        name, ports = said.split("=")
        port, target = map(int, ports.split(":"))
        links[name] = Link(port, target)
        await asyncio.start_server(links[name].serve, "127.0.0.1", port)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    print("done", flush=True)
    while line := (await commands.readline()).decode().split():
        links[line[0]].set(line[1], float(line[2]) if len(line) > 2 else 0.0)
        print("done", flush=True)
    # Connections are not waited for.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
