"""Remote agents of the real SDK of version 1.0 that take seats beside simulated participants."""

import time
import uuid

import pytest
from agents import RemoteAgent

SEATS = [{"name": "Ada", "temperament": "balanced"}, {"name": "Ben", "temperament": "balanced"}]


@pytest.fixture
def remote():
    made = []

    def make(*arguments, **more):
        made.append(RemoteAgent(*arguments, **more))
        return made[-1]

    yield make
    for agent in made:
        agent.stop()


def provider(server, agent, **more):
    name = f"archive{uuid.uuid4().hex[:6]}"
    server.api("PUT", f"/providers/{name}", {"wire": "a2a", "base_url": agent.url, **more})
    return name


def meeting(server, name, rounds=2, model=None, turns=None, **more):
    """A discussion with a remote agent, once it is over. Nobody has a turn more for being mentioned."""
    seats = [*SEATS, {"name": "Archivist", "model": model or f"a2a/{name}"}]
    body = {
        "topic": "SQLite or PostgreSQL?", "format": "discussion", "lang": "en", "participants": seats,
        "facilitator": {"enabled": False},
        "rules": {
            "limits": {"max_rounds": rounds}, "closing": {"artifacts": []},
            "turns": {"extra_turns": 0, **(turns or {})}, **more,
        },
    }
    id = server.api("POST", "/meetings", body)["id"]
    server.api("POST", f"/meetings/{id}/start", {})
    return server.until(id, "ended")


def said(shown, name="Archivist"):
    return [message["content"] for message in shown["messages"] if message["name"] == name]


def until_cancelled(agent, count=1):
    """The number of tasks that were cancelled, once there are so many."""
    until = time.monotonic() + 10
    while len(agent.executor.cancelled) < count and time.monotonic() < until:
        time.sleep(0.05)
    return len(agent.executor.cancelled)


def failures(server, id):
    lines = server.lines(f"/meetings/{id}/log")
    # The remote agent has the third seat.
    return [line["payload"] for line in lines if line["type"] == "turn_failed" and line["payload"]["participant"] == "p3"]


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
def test_an_agent_takes_its_turns_and_remembers_the_meeting(server, remote, streaming, binding):
    agent = remote(streaming=streaming, binding=binding)
    shown = meeting(server, provider(server, agent))
    assert said(shown) == ["SQLite is enough for turn 1.", "SQLite is enough for turn 2."]
    first, second = agent.asked
    assert "SQLite or PostgreSQL?" in first["text"] and "Ada" in second["text"]
    assert first["data"][0]["speaker"] == "Archivist" and first["data"][0]["meeting_id"] == shown["id"]
    assert first["context"] == second["context"] and first["message"] != second["message"]


def test_an_agent_that_answers_with_a_message_is_heard(server, remote):
    assert said(meeting(server, provider(server, remote("message")), rounds=1)) == ["A plain message: keep it simple."]


def test_an_agent_is_also_a_model_of_its_provider(server, remote):
    name = provider(server, remote())
    assert [one["model"] for one in server.api("GET", f"/providers/{name}/models")["items"]] == ["agent"]
    assert len(said(meeting(server, name, rounds=1, model=f"{name}/agent"))) == 1


@pytest.mark.parametrize(
    ("kind", "failure", "words"),
    [
        ("asks", "bad_request", "Which city do you mean?"),
        ("signs-in", "authentication", "Sign in to the archive."),
        ("fails", "agent_failed", "The archive is closed."),
        ("rejects", "content_refused", "Not my field."),
    ],
)
@pytest.mark.parametrize("streaming", [True, False])
def test_what_is_no_answer_fails_the_turn_with_the_words_of_the_agent(server, remote, kind, failure, words, streaming):
    agent = remote(kind, streaming=streaming)
    shown = meeting(server, provider(server, agent), rounds=1)
    assert not said(shown) and said(shown, "Ada")
    all_failed = failures(server, shown["id"])
    assert all_failed
    for failed in all_failed:
        assert failed["kind"] == failure and words in str(failed["detail"]), failed
        assert failed["hint"], failed
    if kind in ("asks", "signs-in"):
        assert until_cancelled(agent, len(all_failed)) == len(all_failed)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_turn_that_times_out_is_cancelled_at_the_agent(server, remote, streaming):
    agent = remote("hangs", streaming=streaming)
    shown = meeting(server, provider(server, agent), rounds=1, turns={"timeout_ms": 1500})
    assert not said(shown)
    failed = failures(server, shown["id"])
    assert {one["kind"] for one in failed} == {"timed_out"}, failed
    assert until_cancelled(agent, len(failed)) == len(failed)


def test_the_key_is_sealed_and_sent_and_its_absence_is_told(server, remote):
    key = f"sk-archive-{uuid.uuid4()}"
    agent = remote(key=key)
    name = provider(server, agent, api_key=key)
    report = server.api("POST", f"/providers/{name}/test", {})
    assert report["ok"], report
    card = report["tried"][0]["detail"]
    assert "Archivist" in card and "Looking up" in card and "streaming" in card, card
    assert said(meeting(server, name, rounds=1))
    without = server.api("POST", f"/providers/{provider(server, agent)}/test", {})
    assert not without["ok"] and "401" in str(without), without
    assert key.encode() not in server.database.read_bytes()


def test_doctor_shows_the_card_and_a_wrong_address_says_what_helps(server, remote):
    agent = remote()
    name = provider(server, agent)
    findings = server.api("POST", "/doctor", {})
    of = [one for one in findings["findings" if "findings" in findings else "items"] if name in one["what"]]
    assert of and of[0]["health"] == "good" and "Archivist" in of[0]["detail"], of
    wrong = server.api("PUT", f"/providers/{name}-wrong", {"wire": "a2a", "base_url": f"{agent.url}/nowhere"})
    report = server.api("POST", f"/providers/{wrong['provider']['provider']}/test", {})
    assert not report["ok"] and "agent-card.json" in report["tried"][0]["hint"], report


def test_a_name_that_is_no_agent_is_refused_with_what_to_do(server, remote):
    status, problem = server.call("POST", "/api/v1/meetings", {"topic": "x", "participants": [{"name": "A", "model": "a2a/nobody"}]})
    assert status == 422 and "nobody" in problem["detail"] and problem["hint"], problem


def test_a_meeting_that_names_no_models_asks_no_agent(server, remote):
    agent = remote()
    provider(server, agent)
    made = server.api("POST", "/meetings", {"topic": "x"})
    assert all(seat["runner"].startswith("simulated") for seat in made["participants"]), made
    assert not agent.asked
