// The life of a room over the Model Context Protocol with its official client: agents take part, an assistant convenes.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { baseUrl, check, given, token } from "./check.js";

type Fields = Record<string, unknown>;
type Turn = { ticket: string; kind: string; can_skip: boolean };

/** A client with a token of its own. It reads the schemas first, so that it checks each answer against them. */
class Agent {
  readonly client = new Client({ name: "quorate-session", version: "1.0.0" });

  static async named(name: string, scope: string): Promise<Agent> {
    const response = await fetch(`${baseUrl}/api/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name, scope, agent: name }),
    });
    const made = (await response.json()) as { token: string };
    const agent = new Agent();
    const headers = { authorization: `Bearer ${made.token}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } });
    await agent.client.connect(transport);
    const { tools } = await agent.client.listTools();
    check(tools.length >= 15, "the tools are listed");
    return agent;
  }

  /** What a tool answers. */
  async call(name: string, args: Fields): Promise<Fields> {
    const result = await this.client.callTool({ name, arguments: args });
    check(result.isError !== true, `${name}: ${JSON.stringify(result.content)}`);
    return given(result.structuredContent as Fields | undefined, `${name} answers with fields`);
  }

  /** What a tool says that refuses. */
  async refused(name: string, args: Fields): Promise<string> {
    const result = await this.client.callTool({ name, arguments: args });
    check(result.isError === true, `${name} refuses`);
    return JSON.stringify(result.content);
  }

  async turn(meeting: string): Promise<Turn | null> {
    const { turn } = await this.call("wait_for_turn", { meeting, wait_seconds: 1 });
    return turn as Turn | null;
  }

  /** Waits until it is this agent's turn. */
  async ownTurn(meeting: string): Promise<Turn> {
    for (let tries = 0; tries < 30; tries++) {
      const turn = await this.turn(meeting);
      if (turn !== null) return turn;
    }
    throw new Error("no turn came");
  }
}

const [ada, lin, host] = await Promise.all([
  Agent.named("ts-ada", "speak"),
  Agent.named("ts-lin", "speak"),
  Agent.named("ts-host", "manage"),
]);
const { prompts } = await host.client.listPrompts();
check(prompts.length === 5, "prompts to convene with");
const prompt = await host.client.getPrompt({ name: "convene_decision", arguments: { question: "Which?" } });
check(prompt.messages.length === 1, "a prompt is one message");

async function convene(format: string, rules: Fields): Promise<string> {
  const created = await host.call("create_meeting", {
    topic: "SQLite or PostgreSQL?",
    format,
    language: "en",
    participants: [
      { name: "Ada", model: "agent/ts-ada" },
      { name: "Lin", model: "agent/ts-lin" },
    ],
    rules,
  });
  return given(created["meeting"] as string | undefined, "a meeting");
}

for (const [agent, introduction] of [[ada, "I look at costs."], [lin, "I look at operations."]] as const) {
  await agent.call("register_agent", { introduction, capabilities: ["review"], language: "en" });
}

// A room: a mention has to be answered, another turn may be skipped, and a late answer is refused.
const room = await convene("room", {});
check((await ada.call("join_meeting", { meeting: room }))["participant"] === "Ada", "the seat that was held");
await host.call("start_meeting", { meeting: room });
const first = await ada.ownTurn(room);
await ada.call("send_message", { meeting: room, ticket: first.ticket, content: "What do you think of PostgreSQL, @Lin?" });
const mentioned = await lin.ownTurn(room);
check(!mentioned.can_skip, "whoever is mentioned answers");
await lin.refused("skip_response", { meeting: room, ticket: mentioned.ticket });
await lin.call("send_message", { meeting: room, content: "It costs a second machine." });
const late = await ada.refused("send_message", { meeting: room, ticket: first.ticket, content: "And another thing." });
check(late.includes("over"), `a late answer is refused by name: ${late}`);
let skipped = false;
for (let tries = 0; tries < 20 && !skipped; tries++) {
  for (const agent of [ada, lin]) {
    const turn = await agent.turn(room);
    if (turn === null) continue;
    if (turn.can_skip) {
      await agent.call("skip_response", { meeting: room, ticket: turn.ticket });
      skipped = true;
    } else {
      await agent.call("send_message", { meeting: room, ticket: turn.ticket, content: "Agreed." });
    }
  }
}
check(skipped, "a turn that nobody asked for may be skipped");
let found: Fields = { items: [] };
for (let tries = 0; tries < 50 && (found["items"] as unknown[]).length === 0; tries++) {
  // What was said last can be found a moment later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  found = await lin.call("search_messages", { query: "machine", meeting: room });
}
check((found["items"] as unknown[]).length === 1, "what was said is found");
const context = await ada.call("get_context", { meeting: room, after: 0 });
const said = context["messages"] as { id: string; content: string }[];
check(said.filter((message) => message.content.includes("second machine")).length === 1, "it was said once");
const whole = await ada.call("get_full_message", { meeting: room, message_id: given(said[0], "a message").id });
check((whole["message"] as Fields)["content"] !== undefined, "a message whole");
await host.call("end_meeting", { meeting: room });
const record = await host.call("export_chat_history", { meeting: room });
check(String(record["content"]).includes("It costs a second machine."), "the record holds what was said");
console.log(`held the room ${room}: ${said.length} messages`);

// A decision: both vote, and the host takes the result home.
const decision = await convene("consensus", { limits: { max_rounds: 1 } });
await host.call("start_meeting", { meeting: decision });
let votes = 0;
let result: Fields = {};
for (let tries = 0; tries < 200; tries++) {
  for (const agent of [ada, lin]) {
    const turn = await agent.turn(decision);
    if (turn === null) continue;
    if (turn.kind === "vote") {
      await agent.call("cast_vote", { meeting: decision, score: 90, pass: true, reason: "It is enough." });
      votes += 1;
    } else {
      await agent.call("send_message", { meeting: decision, ticket: turn.ticket, content: "SQLite is enough for now." });
    }
  }
  result = await host.call("get_result", { meeting: decision });
  if (result["state"] === "ended" || result["state"] === "paused") break;
}
check(result["state"] === "ended" && votes >= 2, `${votes} votes, and an end: ${result["state"]}`);
const { resources } = await host.client.listResources();
const report = given(resources.find((one) => one.uri.endsWith(`${decision}/report`)), "the report is a resource");
const { contents } = await host.client.readResource({ uri: report.uri });
check("text" in given(contents[0], "contents"), "a text");
console.log(`took home ${decision}: ${votes} votes`);
await Promise.all([ada, lin, host].map((agent) => agent.client.close()));
