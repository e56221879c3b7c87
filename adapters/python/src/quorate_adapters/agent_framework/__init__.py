"""Agents, group chats and other workflows of Microsoft Agent Framework as participants.

    python3 -m quorate_adapters.agent_framework MODULE:NAME

The framework runs in this process; Quorate does not know of it. Each call becomes one run, whose updates are sent as
pieces and whose messages become one text.
"""
