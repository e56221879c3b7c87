"""The adapter with the real framework, whose chat clients answer locally."""

import asyncio
import json
import os
import subprocess
import sys
import time

import pytest

import seats_for_tests as seats
from conftest import TIMEOUT, TESTS, VOTE, a_call
from quorate_adapters import Call, CallFailed
from quorate_adapters.agent_framework.loading import LoadError
from quorate_adapters.agent_framework.seats import seat


class Heard(list):
    """The events of a call."""

    @property
    def live(self):
        return "".join(event["payload"]["text"] for event in self if event["type"] == "token")


def ask(found, which="all", **fields):
    """The answer of something that takes a seat, and the events that came before it."""

    async def go():
        call, heard = Call.read(a_call(**fields)), Heard()
        call._write = heard.append
        made = await seat(found, "it", which)
        async with made.open():
            return await made.answer(call), heard

    return asyncio.run(go())


def refused(found, **fields):
    with pytest.raises(CallFailed) as failure:
        ask(found, **fields)
    return failure.value


# An agent.


def test_an_agent_answers_with_pieces_and_usage():
    answer, heard = ask(seats.critic)
    assert answer.text == heard.live == "The draft lacks a reason."
    assert len(heard) == 5 and heard[0]["payload"] == {"text": "The", "message_id": "m-1", "role": "assistant"}
    assert answer.usage.payload() == {"input_tokens": 10, "output_tokens": 5}


def test_an_agent_reads_instructions_transcript_and_task_in_order():
    asked = seats.agent("Reader", "Read.")
    said = [{"role": "user", "content": "A"}, {"role": "assistant", "name": "Rev", "content": "B"}]
    ask(asked, public_messages=said, system_instructions="Be Rev.")
    messages, options = asked.client.asked[-1]
    assert [(one.role, one.text) for one in messages if one.role != "system"] == [
        ("user", "A"),
        ("assistant", "B"),
        ("user", "<task>\nYou have the floor.\n</task>"),
    ]
    instructions = "\n".join([options.get("instructions") or "", *(one.text for one in messages if one.role == "system")])
    assert "You are Reader." in instructions and "Be Rev." in instructions
    assert options["max_tokens"] == 1500 and not options.get("response_format")


def test_a_vote_asks_for_json_by_text_and_by_response_format():
    voter = seats.agent("Voter", "prose")
    answer, _ = ask(voter, kind="vote", answer_schema=VOTE, user_task='<task>{"score": 0 to 100}</task>')
    assert json.loads(answer.text) == seats.VOTE
    messages, options = voter.client.asked[-1]
    assert '{"score"' in messages[-1].text
    assert options["response_format"]["json_schema"] == {**VOTE, "strict": True}


def test_runs_of_one_agent_do_not_know_of_each_other():
    asked = seats.agent("Reader", "Read.")
    ask(asked)
    ask(asked)
    assert len(asked.client.asked[0][0]) == len(asked.client.asked[1][0])


def test_usage_that_is_not_known_is_not_made_up():
    answer, _ = ask(seats.agent("Ann", "Words.", counted=False))
    assert answer.usage.payload() == {}


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (type("APIStatusError", (Exception,), {"status_code": 401})("no key"), "authentication"),
        (type("APIStatusError", (Exception,), {"status_code": 529})("busy"), "overloaded"),
        (ConnectionError("gone"), "network"),
    ],
)
@pytest.mark.parametrize("in_a_chat", [False, True])
def test_a_client_that_fails(adapter, error, kind, in_a_chat):
    from quorate_adapters import failure_kind

    failing = seats.agent("Ann", "x", fails=error)
    try:
        ask(seats.chat(failing, seats.critic) if in_a_chat else failing)
    except CallFailed as failure:
        assert in_a_chat and failure.kind == kind and "failed in Ann" in failure.detail
    except Exception as raised:
        assert not in_a_chat and failure_kind(raised) == kind
    else:
        pytest.fail("nothing failed")


def test_an_agent_that_says_nothing():
    assert refused(seats.agent("Ann", "")).kind == "empty"


def test_a_tool_that_needs_approval_is_an_error():
    failure = refused(seats.needs_approval())
    assert failure.kind == "bad_request" and "waits for a person: delete_all" in failure.detail


def test_an_agent_calls_its_tools():
    answer, heard = ask(seats.uses_a_tool())
    assert answer.text == "Let me look.\n\nIt is 42." and heard.live == answer.text


# Workflows.

TWO = "**Writer:** SQLite will do.\n\n**Critic:** The draft lacks a reason."


@pytest.mark.parametrize("found", [seats.builder, seats.panel, seats.make_panel, seats.concurrent])
def test_a_group_answers_as_one(found):
    answer, heard = ask(found)
    assert answer.text == heard.live == TWO
    assert answer.usage.payload() == {"input_tokens": 20, "output_tokens": 10}
    assert {event["payload"]["speaker"] for event in heard} == {"Writer", "Critic"}


def test_a_chat_that_shows_its_participants_streams_word_by_word():
    assert len(ask(seats.builder)[1]) == 2
    assert len(ask(seats.panel)[1]) == 8


def test_the_participants_of_a_chat_read_each_other_and_the_meeting():
    first, second = seats.agent("Ann", "Once."), seats.agent("Bob", "Twice.")
    ask(seats.chat(first, second))
    messages, _ = second.client.asked[-1]
    texts = [message.text for message in messages]
    assert "You are a participant." in texts and "Once." in texts
    assert any("You have the floor." in text for text in texts)


def test_every_turn_runs_a_workflow_of_its_own():
    for found in (seats.counts, seats.panel, seats.builder):
        texts = set()
        for _ in range(3):
            texts.add(ask(found)[0].text)
        assert len(texts) == 1, texts


def test_what_one_builder_builds_remembers_nothing_of_earlier_turns():
    first, second = seats.agent("Ann", "Once."), seats.agent("Bob", "Twice.")
    builder = seats.turned(first, second)

    async def go():
        made = await seat(builder, "it", "all")
        for number in range(3):
            await made.answer(Call.read(a_call(str(number))))

    asyncio.run(go())
    assert len({len(messages) for messages, _ in second.client.asked}) == 1
    assert len({len(messages) for messages, _ in first.client.asked}) == 1


def test_a_chat_that_an_agent_manages_ends_with_its_words():
    answer, heard = ask(seats.managed)
    assert answer.text == heard.live == f"{TWO}\n\n**Manager:** In short: SQLite."


def test_a_magentic_team_answers_with_its_result():
    assert ask(seats.magentic)[0].text == "The final answer: SQLite."


def test_turns_of_one_workflow_run_at_the_same_time():
    async def go():
        made = await seat(seats.panel, "it", "all")
        calls = [Call.read(a_call(str(number))) for number in range(4)]
        return await asyncio.gather(*(made.answer(call) for call in calls))

    assert {answer.text for answer in asyncio.run(go())} == {TWO}


def test_a_pipeline_answers_with_what_its_last_agent_says():
    assert ask(seats.sequential)[0].text == "The draft lacks a reason."


def test_the_whole_history_as_output_fills_in_what_is_missing():
    said = [{"role": "assistant", "content": "what I said before"}]
    answer, heard = ask(seats.history, public_messages=said)
    assert answer.text == heard.live.replace("First.", "**Ann:** First.").replace("Second.", "**Bob:** Second.")
    assert answer.text == "**Ann:** First.\n\n**Bob:** Second."


def test_a_workflow_that_takes_text_gets_the_whole_call():
    assert ask(seats.shouts)[0].text == "TRUE"


def test_a_handoff_ends_with_the_answer_that_it_offers_to_its_user():
    assert ask(seats.handoff)[0].text == "I answer."


def test_a_functional_workflow():
    assert ask(seats.functional)[0].text == "3 messages"


def test_a_ballot_in_a_group_is_one_vote():
    answer, heard = ask(seats.builder, kind="vote", answer_schema=VOTE, user_task='<task>{"score": 0}</task>')
    assert json.loads(answer.text) == seats.VOTE and heard == []


def test_the_choice_of_messages():
    assert ask(seats.builder, "last")[0].text == "The draft lacks a reason."


@pytest.mark.parametrize(
    ("found", "kind", "words"),
    [
        (seats.asks, "bad_request", "waits for input from outside: asks asks for str"),
        (seats.silent, "empty", "ended without a message"),
        (seats.reviewed, "bad_request", "waits for input from outside"),
        (seats.unlimited, "agent_failed", "did not converge"),
    ],
)
def test_workflows_that_do_not_answer(found, kind, words):
    failure = refused(found)
    assert failure.kind == kind and words in failure.detail, failure.detail


def test_a_cancelled_run_stops_the_agents_inside():
    slow = seats.agent("Slow", "one two three", pause=5)

    async def go():
        made = await seat(seats.chat(slow, intermediate_output_from="all"), "it", "all")
        task = asyncio.create_task(made.answer(Call.read(a_call())))
        while not slow.client.asked:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())
    assert slow.client.cancelled == 1


# What can take a seat.


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (seats.a_client, "is a LocalClient, not an agent"),
        (seats.a_number, "is an int, not an agent"),
        (seats.Silent, "is the class Silent"),
        (seats.takes_arguments, "needs arguments"),
        (seats.breaks, "failed: RuntimeError: no licence"),
        (lambda: seats.takes_arguments, "makes a function, not an agent"),
        (seats.holds, "cannot be copied for each turn"),
        (seats.numbers, "begins with numbers, which takes int"),
    ],
)
def test_what_cannot_take_a_seat(found, words):
    with pytest.raises(LoadError) as error:
        ask(found)
    assert words in error.value.detail and error.value.hint


def test_what_cannot_be_copied_can_be_made():
    assert ask(lambda: seats.alone(seats.Holds("holds")))[0].text == "held"


# The command.


def command(*arguments, environment=None, folder=TESTS):
    return subprocess.run(
        [sys.executable, "-m", "quorate_adapters.agent_framework", *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        text=True,
        timeout=TIMEOUT,
        env={**os.environ, **(environment or {})},
        check=False,
    )


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("critic", "does not name an agent. Write MODULE:NAME"),
        ("seats_for_tests:", "does not name an agent"),
        ("no_such:critic", "there is no module 'no_such'"),
        ("no/such.py:critic", "there is no file"),
        ("seats_for_tests:critc", "has no 'critc'. Did you mean 'critic'?"),
        ("seats_for_tests:critic.nothing", "seats_for_tests:critic has no 'nothing'"),
        ("imports_nothing:x", "imports 'no_such_library', which is not installed. Install it: pip install no-such-library"),
        ("fails_at_import:x", "failed while it was imported: ZeroDivisionError"),
    ],
)
def test_spellings_that_do_not_work(tmp_path, spelling, words):
    (tmp_path / "imports_nothing.py").write_text("import no_such_library\n")
    (tmp_path / "fails_at_import.py").write_text("1 / 0\n")
    (tmp_path / "seats_for_tests.py").write_text((TESTS / "seats_for_tests.py").read_text())
    done = command(spelling, "--try", "x", folder=tmp_path)
    assert done.returncode == 2 and done.stdout == "" and words in done.stderr


def test_the_framework_is_not_installed():
    # Without site-packages; the adapter itself from its source.
    source = TESTS.parent / "src"
    code = f"import sys; sys.path.insert(0, {str(source)!r}); from quorate_adapters.agent_framework.__main__ import main; sys.exit(main(['x:y', '--check']))"
    done = subprocess.run([sys.executable, "-S", "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and 'pip install "quorate-adapters[agent-framework]"' in done.stderr


def test_trying_and_checking_from_a_terminal():
    done = command("seats_for_tests.py:panel", "--try", "SQLite?")
    assert (done.returncode, done.stdout) == (0, TWO + "\n"), done.stderr
    done = command("seats_for_tests:critic", "--check")
    assert (done.returncode, done.stdout) == (0, "seats_for_tests:critic is the agent seats_for_tests:critic\n")
    done = command("seats_for_tests:silent", "--try", "x")
    assert done.returncode == 1 and "empty: the workflow seats_for_tests:silent ended" in done.stderr


def test_a_process_answers_and_prints_nothing_else(adapter):
    program = adapter("make_agent")
    program.send(a_call())
    assert program.answer() == "Made later."
    assert program.close() == 0 and program.rest() == []
    assert "this module prints while it is imported" in program.stderr()
    assert "and writes to descriptor 1" in program.stderr()


@pytest.mark.parametrize(("name", "code"), [("critc", 2), ("a_number", 0)])
def test_a_process_that_cannot_be_seated_says_so_to_each_call(adapter, name, code):
    program = adapter(name)
    for id in "12":
        program.send(a_call(id))
        error = program.error(id)
        assert error["kind"] == "not_configured" and name in error["detail"] and error["hint"]
    assert program.close() == code


def test_a_workflow_that_never_ends_is_ended_by_the_limit(adapter):
    program = adapter("endless")
    program.send(a_call("1", limits={"max_tokens": 10, "max_time_ms": 60_000}))
    while "And on." not in program.next()["payload"]["text"]:
        pass
    program.send({"type": "cancel", "id": "1"})
    program.send(a_call("2", limits={"max_tokens": 10, "max_time_ms": 1000}))
    event = program.next()
    while event["id"] == "1" or event["type"] == "token":
        event = program.next()
    assert event["payload"]["kind"] == "timed_out"
    assert "messages inside of the workflow seats_for_tests:endless" in event["payload"]["detail"]


def test_the_end_of_the_input_ends_a_run(adapter):
    program = adapter("slow")
    program.send(a_call())
    program.next()
    began = time.monotonic()
    assert program.close() == 0
    assert time.monotonic() - began < 10
