// Adding a participant from the library, also one that was there before and has left.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import AddParticipantDialog from "../../../app/src/features/participants/add-dialog";
import { at, golden, type Sent, server } from "./at";

beforeEach(() => vi.unstubAllGlobals());

const parameters = {
  effort: null,
  max_tokens: 900,
  temperature: 0.2,
  thinking_tokens: null,
  context_tokens: null,
  top_p: null,
};
const agent = (name: string) => ({
  id: name,
  name,
  role: { name: "怀疑派", description: "找漏洞", system_prompt: "直说" },
  runner: { kind: "model", provider: "ollama", model: "qwen3", parameters },
  created_at: new Date(1).toISOString(),
  updated_at: new Date(7).toISOString(),
});

const meeting = golden("zh/consensus", 68);
const first = meeting.participants[0];
if (!first) throw new Error("nobody sits there");
const gone = first.participant.name;
const view = {
  ...meeting,
  simulated: false,
  participants: meeting.participants.map((seat) => (seat === first ? { ...seat, present: false } : seat)),
};

/** The window, with an agent of the library chosen in it. */
async function choose(name: string, answer: Response): Promise<Sent[]> {
  const sent = server(({ method, path }) => {
    if (path.endsWith("/agents")) return Response.json({ items: [agent(name)], next_cursor: null });
    return method === "POST" ? answer : undefined;
  });
  await at(view, <AddParticipantDialog open onOpenChange={() => {}} />);
  await userEvent.click(await screen.findByRole("combobox", { name: "智能体" }));
  await userEvent.click(await screen.findByRole("option", { name: new RegExp(name) }));
  return sent;
}
const add = () => userEvent.click(screen.getByRole("button", { name: "添加" }));
const refused = (pointer: string) =>
  Response.json(
    {
      type: "#name-taken",
      title: "x",
      status: 409,
      detail: "已经有这个名字",
      errors: [{ pointer, detail: "名字被占用" }],
    },
    { status: 409, headers: { "content-type": "application/problem+json" } },
  );

test("whoever has left joins under another name, with all that the library knows", async () => {
  const sent = await choose(gone, Response.json({ seq: 70, participant: first }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: /^名字/ }).value).toBe(`${gone}2`);
  await add();
  await waitFor(() => expect(sent.some((one) => one.method === "POST")).toBe(true));
  expect(sent.find((one) => one.method === "POST")?.body).toEqual({
    agent: null,
    description: null,
    name: `${gone}2`,
    role: agent(gone).role,
    model: "ollama/qwen3",
    fallback: null,
    temperament: null,
    skip_list: [],
    parameters,
  });
});

test("a name that is taken after all is told where it stands", async () => {
  await choose(gone, refused("/name"));
  await add();
  expect(await screen.findByText("名字被占用")).toBeDefined();
});

test("what is wrong with a name that is not shown is told in full", async () => {
  await choose("新来的", refused("/name"));
  await add();
  expect(await screen.findByText("已经有这个名字")).toBeDefined();
});

test("a process of the server joins by its name, and one that is not configured is told with what helps", async () => {
  const problem = {
    type: "#validation",
    title: "x",
    status: 422,
    detail: "没有名为 nobody 的进程",
    hint: "可用的进程：reviewer",
  };
  let answer = Response.json(problem, {
    status: 422,
    headers: { "content-type": "application/problem+json" },
  });
  const sent = server(({ method, path }) => {
    if (path.endsWith("/agents")) return Response.json({ items: [], next_cursor: null });
    return method === "POST" ? answer : undefined;
  });
  await at(view, <AddParticipantDialog open onOpenChange={() => {}} />);
  await userEvent.click(await screen.findByRole("button", { name: "进程或编程智能体" }));
  await userEvent.type(screen.getByRole("textbox", { name: /^名字/ }), "审阅");
  const name = screen.getByRole("textbox", { name: /^进程或编程智能体/ });
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "添加" }).disabled).toBe(true);
  await userEvent.type(name, "process/nobody");
  await add();
  expect(await screen.findByText("没有名为 nobody 的进程")).toBeDefined();
  expect(screen.getByText(/可用的进程：reviewer/)).toBeDefined();
  answer = Response.json({ seq: 70, participant: first });
  await userEvent.clear(name);
  await userEvent.type(name, "process/reviewer");
  await add();
  const posts = () => sent.filter((one) => one.method === "POST");
  await waitFor(() => expect(posts()).toHaveLength(2));
  expect(posts()[1]?.body).toMatchObject({ name: "审阅", model: "process/reviewer", temperament: null });
});

test("a model is chosen from those that providers serve, as everywhere", async () => {
  const sent = server(({ method, path }) => {
    if (method === "POST") return Response.json({ seq: 70, participant: first });
    if (path.endsWith("/providers")) return Response.json({ items: [{ provider: "lab", key: "stored" }] });
    if (path.includes("/models")) {
      return Response.json({ items: [{ provider: "lab", model: "qwen3", can_chat: true }] });
    }
    return Response.json({ items: [], next_cursor: null });
  });
  await at(view, <AddParticipantDialog open onOpenChange={() => {}} />);
  await userEvent.click(await screen.findByRole("button", { name: "指定模型" }));
  await userEvent.type(screen.getByRole("textbox", { name: /^名字/ }), "审阅");
  await userEvent.click(await screen.findByRole("combobox", { name: "模型" }));
  await userEvent.click(await screen.findByRole("option", { name: /lab\/qwen3/ }));
  await add();
  await waitFor(() =>
    expect(sent.find((one) => one.method === "POST")?.body).toMatchObject({ model: "lab/qwen3" }),
  );
});
