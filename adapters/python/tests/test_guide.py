"""The program of docs/guides/frameworks.md, as it is written there."""

import asyncio
import re

import pytest

from conftest import TESTS

GUIDE = TESTS.parents[2] / "docs/guides/frameworks.md"

POSITION = ["position", "claims", "confidence", "would_change_my_mind", "unshared_facts"]
TURN = ["statement", "recommendation", "confidence", "changed_by", "claims", "risks", "open_questions"]
VOTE = ["score", "pass", "reason", "missing"]


@pytest.fixture
def answer(monkeypatch):
    """The handler of the guide; it is not run as a program."""
    import quorate_adapters

    code = re.search(r"```python\n(# echo\.py\n.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.setattr(quorate_adapters, "run", lambda handler: None)
    names = {}
    exec(compile(code[1], str(GUIDE), "exec"), names)  # noqa: S102
    return names["answer"]


def a_call(kind, fields=None):
    from quorate_adapters.calls import Call

    schema = fields and {"name": kind, "schema": {"properties": dict.fromkeys(fields, {})}}
    said = {"id": "1", "kind": kind, "user_task": "?", "answer_schema": schema, "private_memory": {"notes": ["n"]}}
    return Call.read(said)


@pytest.mark.parametrize(
    ("kind", "fields"), [("blind", POSITION), ("contribute", TURN), ("contribute", [*TURN, "memory"]), ("vote", VOTE)]
)
def test_it_answers_in_the_form_that_is_asked_for(answer, kind, fields):
    assert sorted(asyncio.run(answer(a_call(kind, fields)))) == sorted(fields)


def test_it_speaks_in_prose_and_is_no_facilitator(answer):
    from quorate_adapters import CallFailed

    assert asyncio.run(answer(a_call("speak"))) == "I have read 0 messages."
    with pytest.raises(CallFailed):
        asyncio.run(answer(a_call("summarize", ["summary"])))
