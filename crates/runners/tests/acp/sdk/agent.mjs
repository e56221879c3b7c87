// A coding agent made with the protocol's own SDK, for the tests: it reads a file, asks before it runs something, and answers.

import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const sessions = new Map();

const update = (client, sessionId, update) => client.notify(methods.client.session.update, { sessionId, update });

agent({ name: "test-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "test-agent", version: "1.0.0" },
    agentCapabilities: { loadSession: false },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    const sessionId = `session-${sessions.size + 1}`;
    sessions.set(sessionId, { cwd: params.cwd, cancelled: new AbortController() });
    return { sessionId };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const session = sessions.get(sessionId);
    session.cancelled = new AbortController();
    const path = `${session.cwd}/src/main.rs`;
    await update(client, sessionId, {
      sessionUpdate: "agent_thought_chunk",
      content: { type: "text", text: "I should look first." },
    });
    await update(client, sessionId, {
      sessionUpdate: "plan",
      entries: [{ content: "Read main.rs", priority: "high", status: "in_progress" }],
    });
    await update(client, sessionId, {
      sessionUpdate: "tool_call",
      toolCallId: "read",
      title: "Read main.rs",
      kind: "read",
      status: "in_progress",
      locations: [{ path }],
    });
    const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
    await update(client, sessionId, { sessionUpdate: "tool_call_update", toolCallId: "read", status: "completed" });
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "run", title: "cargo test", kind: "execute", status: "pending" },
      options: [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    });
    if (session.cancelled.signal.aborted || outcome.outcome === "cancelled") {
      return { stopReason: "cancelled" };
    }
    const may = outcome.optionId === "allow";
    await update(client, sessionId, {
      sessionUpdate: "tool_call_update",
      toolCallId: "run",
      status: may ? "completed" : "failed",
    });
    const same = content === readFileSync(path, "utf8");
    for (const text of [`I read ${content.split("\n").length - 1} lines`, `, ${same ? "the same" : "others"}. `]) {
      await update(client, sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    }
    const text = `${may ? "I ran the tests." : "I did not run the tests."} ${prompt[0].text.length > 0 ? "SQLite will do." : ""}`;
    await update(client, sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    return { stopReason: "end_turn" };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    sessions.get(params.sessionId)?.cancelled.abort();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
