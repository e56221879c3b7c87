// A meeting whose models cannot answer is brought on with another one, in two presses.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectOpenToAll } from "./accessibility";
import { expect, type TestServer, test } from "./server";
import { rail, transcript } from "./table";
import { zh } from "./texts";

/** A provider that lists two models, and does not have the first of them any more. It answers so many times at the most. */
async function lab(own: TestServer, most = Number.POSITIVE_INFINITY): Promise<() => void> {
  let answered = 0;
  const provider = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const say = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.method === "GET") {
      return say(200, { object: "list", data: [{ id: "gone" }, { id: "tea" }] });
    }
    const { model } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string };
    if (model === "gone") {
      return say(404, { error: { message: "The model `gone` does not exist", code: "model_not_found" } });
    }
    answered += 1;
    if (answered > most) {
      return;
    }
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "先试点。" } };
    return say(200, { id: "1", object: "chat.completion", model, choices: [choice] });
  });
  await new Promise<void>((ready) => provider.listen(0, "127.0.0.1", ready));
  const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  await own.ask("PUT", "/providers/lab", { base_url, api_key: "key", streaming: "off" });
  return () => {
    provider.close();
    provider.closeAllConnections();
  };
}

test("where the model of all is not known, the meeting starts over with one that is", async ({
  page,
  own,
}) => {
  const close = await lab(own);
  const id = await own.hold({ simulate: false, seed: null, format: "discussion", models: ["lab/gone"] });

  await page.goto(`${own.url}/m/${id}`);
  const dialog = page.getByRole("dialog", { name: zh("table.pause.nobody_answered.title") });
  await dialog.getByTestId("another-model").click({ timeout: 30_000 });
  const chosen = page.getByRole("dialog", { name: zh("dialog.model.title") });
  await expect(chosen.getByRole("combobox")).toHaveValue("lab/tea");
  await expectOpenToAll(page, "another model");
  await chosen.getByRole("button", { name: zh("dialog.model.start_over") }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(transcript(page).getByText("先试点。").first()).toBeVisible({ timeout: 30_000 });
  await own.until(id, "ended");
  close();
});

test("a participant whose model is not known is replaced from its card, in a paused meeting", async ({
  page,
  own,
}) => {
  const close = await lab(own, 1);
  const role = { name: "质疑者", description: "找漏洞", system_prompt: "直说。" };
  const id = await own.hold({
    simulate: false,
    seed: null,
    format: "discussion",
    participants: [
      { name: "沈括", role, model: "lab/gone", parameters: { temperature: 0.4 } },
      { name: "Ada", model: "lab/tea" },
    ],
    rules: { turns: { people_may_speak: true }, limits: { max_rounds: 8 } },
  });
  await page.goto(`${own.url}/m/${id}`);
  await expect(transcript(page).getByText("先试点。").first()).toBeVisible({ timeout: 30_000 });
  await own.ask("POST", `/meetings/${id}/pause`, { at_once: true });
  await rail(page).getByRole("button", { name: /沈括/ }).click();
  await page.getByTestId("another-model").click();
  await page
    .getByRole("dialog", { name: zh("dialog.model.title") })
    .getByRole("button", { name: zh("dialog.model.replace"), exact: true })
    .click();
  await expect(rail(page).getByText("沈括2")).toBeVisible();
  const { items } = await own.ask<{
    items: { present: boolean; participant: { name: string; role: object } }[];
  }>("GET", `/meetings/${id}/participants`);
  const seated = items.filter((one) => one.present).map((one) => one.participant);
  expect(seated.map((one) => one.name)).toEqual(["Ada", "沈括2"]);
  expect(seated[1]?.role).toMatchObject(role);
  close();
});
