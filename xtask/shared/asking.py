"""Requests to a server on this machine, as the clients of the nodes and of the single server send them."""

import http.client
import json
import random
import socket
import sys
import urllib.error
import urllib.request

# What a client waits for an answer.
ANSWER_WITHIN_S = 15
# Whatever proxy the environment names: these requests stay on this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
# What an answer may break off with.
BROKEN = (OSError, ValueError, http.client.HTTPException)


def ask(port, method, path, body=None, headers=None, seconds=ANSWER_WITHIN_S, as_text=False):
    """The status, the answer and its headers; status 0 when there is no answer, and -1 when none came in time.

    A body of bytes is sent as it is. A refusal is given as its text, and so is every answer with `as_text`."""
    content_type = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        method=method,
        data=body if body is None or isinstance(body, bytes) else json.dumps(body).encode(),
        headers={"content-type": content_type, **(headers or {})},
    )
    try:
        with OPENER.open(request, timeout=seconds) as answer:
            read = answer.read()
            if answer.status != 204 and not is_whole(answer.headers):
                return 0, "the head of the answer broke off", {}
            return answer.status, read.decode() if as_text else json.loads(read or b"null"), answer.headers
    except urllib.error.HTTPError as refused:
        try:
            if not is_whole(refused.headers):
                return 0, "the head of the refusal broke off", {}
            return refused.code, refused.read().decode(errors="replace"), refused.headers
        except BROKEN as error:
            return 0, str(error), {}
    except BROKEN as error:
        late = isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)
        return (-1 if late else 0), str(error), {}


def is_whole(headers):
    """Whether a head is whole: Python's client takes one that breaks off for a whole one."""
    return bool({"content-length", "transfer-encoding"} & set(map(str.lower, headers)))


def events_of(stream):
    """The events of a stream, each with its number and its line. Frames without a number are left out."""
    number = None
    for line in stream:
        if line.startswith(b"id:"):
            number = int(line[3:].strip() or 0)
        elif line.startswith(b"data:") and number is not None:
            yield number, line[5:].strip()
            number = None


def free_ports(count):
    """Ports that are free, and that no connection is given as its own in the meantime."""
    found = []
    for port in random.sample(range(20_000, 32_000), 1_000):
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    sys.exit(f"fewer than {count} ports are free")
