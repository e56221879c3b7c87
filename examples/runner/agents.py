"""Participants that are agents of Microsoft Agent Framework: `critic` is one agent, `panel` a group chat of two.

docs/guides/frameworks.md seats them at a meeting. OPENAI_API_KEY and OPENAI_CHAT_COMPLETION_MODEL are read from the
environment.
"""

from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient
from agent_framework.orchestrations import GroupChatBuilder

client = OpenAIChatCompletionClient()

critic = Agent(client, "You look for what a proposal leaves out, and say it in one paragraph.", name="Critic")
writer = Agent(client, "You propose what to do, in one paragraph.", name="Writer")


def next_speaker(state):
    """Writer and critic take turns."""
    return ["Writer", "Critic"][state.current_round % 2]


panel = GroupChatBuilder(
    participants=[writer, critic],
    selection_func=next_speaker,
    max_rounds=3,
    intermediate_output_from="all",
)
