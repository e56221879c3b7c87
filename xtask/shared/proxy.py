"""Links between programs on this machine that can be cut and delayed, and that treat single connections badly.

A process of its own: it would otherwise share one interpreter with the clients. Each line of its input is a command,
`LINK MODE [NUMBER]`, and is answered by a line `done`.

- `pass`: nothing is wrong.
- `cut`: all connections are reset, and new ones too.
- `hang`: connections stay, and nothing passes, as when a cable is pulled.
- `delay SECONDS`: each piece arrives so much later.
- `swallow SHARE`: so many of the new connections are reset when the answer comes, so that what was asked was done and
  nobody hears of it.
- `half SHARE`: so many of them end in the middle of the first piece of the answer.
- `double SHARE`: what so many of them send arrives twice, over a second connection whose answers nobody reads.

    proxy.py NAME=PORT:TARGET_PORT …
"""

import asyncio
import os
import random
import socket
import struct
import subprocess
import sys


class Links:
    """The process, for the programs that use it."""

    def __init__(self, links):
        command = [sys.executable, __file__, *links]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def set(self, name, mode, number=0.0):
        """What happens on a link from now on."""
        self.process.stdin.write(f"{name} {mode} {number}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def end(self):
        """Ends the process."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Link:
    """One port that passes on to another one."""

    def __init__(self, port, target):
        self.port, self.target = port, target
        self.mode, self.number = "pass", 0.0
        self.open = asyncio.Event()
        self.open.set()
        self.writers = set()

    def set(self, mode, number=0.0):
        self.mode, self.number = mode, number
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
            is_hit = self.mode in ("swallow", "half", "double") and random.random() < self.number
            fault = self.mode if is_hit else None
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(far_writer)
            second = await self.connect_again() if fault == "double" else None
            try:
                there = asyncio.ensure_future(self.pump(reader, far_writer, second))
                answer = self.break_off(far_reader, writer, fault) if fault in ("swallow", "half") else None
                back = asyncio.ensure_future(answer or self.pump(far_reader, writer))
                await asyncio.wait({there, back})
            finally:
                self.writers.discard(far_writer)
                far_writer.close()
                if second is not None:
                    second.close()
        except OSError:
            reset(writer)
        finally:
            self.writers.discard(writer)
            writer.close()

    async def connect_again(self):
        """A second connection; its answers are read, so that it is not held up, and go nowhere."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.target)

        async def read_all():
            try:
                while await reader.read(1 << 16):
                    pass
            except OSError:
                pass

        self.reading = asyncio.ensure_future(read_all())
        return writer

    async def break_off(self, reader, writer, fault):
        """The answer does not come, or only its first half."""
        try:
            piece = await reader.read(1 << 16)
            if fault == "half" and piece:
                writer.write(piece[: len(piece) // 2])
                writer.write_eof()
                # Only one direction is closed.
                await asyncio.sleep(1)
        except (OSError, RuntimeError):
            pass
        reset(writer)

    async def pump(self, reader, writer, second=None):
        try:
            while piece := await reader.read(1 << 16):
                if self.mode == "delay":
                    await asyncio.sleep(self.number)
                await self.open.wait()
                if second is not None:
                    second.write(piece)
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
