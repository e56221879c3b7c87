#!/usr/bin/env python3
"""A participant that is an agent of Microsoft Agent Framework (pip install agent-framework-openai).

    [processes.af]
    command = ["python3", "agent_framework_agent.py"]
    env = ["OPENAI_API_KEY", "OPENAI_CHAT_COMPLETION_MODEL"]
    mode = "persistent"
    concurrency = 4

docs/runner-protocol.md describes the lines. Put your own agent, tools or group chat into `ask`.
"""

import asyncio
import json
import os
import sys
import threading

from agent_framework import Agent, Message

sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")


def make_client():
    from agent_framework.openai import OpenAIChatCompletionClient

    return OpenAIChatCompletionClient()


def put(call, kind, /, **payload):
    event = {"type": kind, "id": call["id"], "payload": payload}
    print(json.dumps(event, ensure_ascii=False), flush=True)


async def ask(client, call):
    """Context in, updates out: AgentResponseUpdate becomes `token`, the final response `agent_message`."""
    agent = Agent(client, call["system_instructions"], name=call["speaker"] or "facilitator")
    messages = [Message(said["role"], [said["content"]]) for said in call["public_messages"]]
    messages.append(Message("user", [call["user_task"]]))
    options = {"max_tokens": call["limits"]["max_tokens"]}
    if call["answer_schema"]:
        options["response_format"] = {
            "type": "json_schema",
            "json_schema": {**call["answer_schema"], "strict": True},
        }
    stream = agent.run(messages, stream=True, options=options)
    async for update in stream:
        if update.text:
            put(call, "token", text=update.text)
    response = await stream.get_final_response()
    counted = response.usage_details or {}
    usage = {
        "input_tokens": counted.get("input_token_count"),
        "output_tokens": counted.get("output_token_count"),
    }
    message = {"role": "assistant", "name": call["speaker"], "content": response.text}
    put(call, "agent_message", message=message, usage=usage)


async def reply(client, call):
    try:
        await ask(client, call)
    except Exception as error:
        put(call, "error", kind="network", detail=f"{type(error).__name__}: {error}")


def main():
    # Answers are written in a loop of their own, so that the end of the input is seen meanwhile.
    client, loop, open_calls = make_client(), asyncio.new_event_loop(), {}
    threading.Thread(target=loop.run_forever, daemon=True).start()
    for line in sys.stdin:
        call = json.loads(line)
        if call["type"] == "run":
            open_calls[call["id"]] = asyncio.run_coroutine_threadsafe(reply(client, call), loop)
        elif call["type"] == "cancel" and call["id"] in open_calls:
            open_calls.pop(call["id"]).cancel()
    os._exit(0)


if __name__ == "__main__":
    main()
