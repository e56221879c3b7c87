"""The framework's own chat client for OpenAI, against a local server that speaks as the vendor does."""

import http.server
import json
import threading

import pytest

from conftest import TESTS, VOTE, a_call

pytest.importorskip("agent_framework_openai", reason="agent-framework-openai is not installed")

#: The example of the documentation.
MODULE = (TESTS.parents[2] / "examples/runner/agents.py").read_text(encoding="utf-8")


class Vendor(http.server.BaseHTTPRequestHandler):
    """Streams an answer, or responds with the status that the test asks for."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, self.headers["authorization"], body))
        if self.server.status != 200:
            return self.reply(self.server.status, "application/json", json.dumps({"error": self.server.error}).encode())
        words = ["{", '"score": 90, "pass": true', "}"] if body.get("response_format") else ["众议 ", "needs ", "reasons."]
        chunks = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": word}}]} for word in words]
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 25}
        chunks.append({"choices": [], "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 8}}})
        shared = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "local"}
        lines = [f"data: {json.dumps({**shared, **chunk})}\n\n" for chunk in chunks]
        return self.reply(200, "text/event-stream", ("".join(lines) + "data: [DONE]\n\n").encode())

    def reply(self, status, type, body):
        self.send_response(status)
        self.send_header("content-type", type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def vendor():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
    server.asked, server.status, server.error = [], 200, {}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def seated(adapter, vendor, tmp_path):
    (tmp_path / "agents.py").write_text(MODULE)

    def seated(name):
        environment = {
            "OPENAI_API_KEY": "sk-local",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{vendor.server_address[1]}/v1",
            "OPENAI_CHAT_COMPLETION_MODEL": "local",
            "NO_PROXY": "127.0.0.1",
        }
        return adapter(f"agents:{name}", folder=tmp_path, environment=environment)

    return seated


def test_an_agent_streams_and_counts(seated, vendor):
    program = seated("critic")
    program.send(a_call(public_messages=[{"role": "user", "content": "A"}, {"role": "assistant", "content": "B"}]))
    heard = program.until_end()
    assert [one["payload"]["text"] for one in heard[:-1]] == ["众议 ", "needs ", "reasons."]
    assert heard[-1]["payload"]["message"]["content"] == "众议 needs reasons."
    assert heard[-1]["payload"]["usage"] == {"input_tokens": 21, "output_tokens": 4, "cached_tokens": 8}
    path, key, body = vendor.asked[0]
    assert path == "/v1/chat/completions" and key == "Bearer sk-local" and body["stream"] is True
    assert body.get("max_completion_tokens", body.get("max_tokens")) == 1500
    assert [one["role"] for one in body["messages"]] == ["system", "user", "assistant", "user"]
    assert "what a proposal leaves out" in str(body["messages"][0]) and "You are a participant." in str(body["messages"][0])


def test_a_vote_is_structured(seated, vendor):
    program = seated("critic")
    program.send(a_call(kind="vote", answer_schema=VOTE))
    assert json.loads(program.answer()) == {"score": 90, "pass": True}
    assert vendor.asked[0][2]["response_format"]["json_schema"] == {**VOTE, "strict": True}


def test_a_group_chat_asks_the_vendor_for_each_of_its_agents(seated, vendor):
    program = seated("panel")
    program.send(a_call())
    said = "众议 needs reasons."
    assert program.answer() == f"**Writer:** {said}\n\n**Critic:** {said}\n\n**Writer:** {said}"
    assert len(vendor.asked) == 3
    assert all("You are a participant." in str(body["messages"]) for _, _, body in vendor.asked)


ERRORS = [
    (401, {"message": "Incorrect API key"}, "authentication"),
    (404, {"message": "no such model", "code": "model_not_found"}, "model_unknown"),
    (400, {"message": "too long", "code": "context_length_exceeded"}, "context_too_long"),
    (400, {"message": "refused", "code": "content_filter"}, "content_refused"),
    (422, {"message": "bad"}, "bad_request"),
]


@pytest.mark.parametrize("name", ["critic", "panel"])
def test_errors_of_the_vendor_keep_their_kind(seated, vendor, name):
    program = seated(name)
    for number, (vendor.status, vendor.error, kind) in enumerate(ERRORS):
        program.send(a_call(str(number)))
        failure = program.error(str(number))
        assert failure["kind"] == kind and vendor.error["message"] in failure["detail"], failure
