// A meeting whose models cannot answer is brought on with another one, in two presses.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectOpenToAll } from "./accessibility";
import { expect, test } from "./server";
import { transcript } from "./table";

test("where the model of all is not known, the meeting starts over with one that is", async ({
  page,
  own,
}) => {
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
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "先试点。" } };
    return say(200, { id: "1", object: "chat.completion", model, choices: [choice] });
  });
  await new Promise<void>((ready) => provider.listen(0, "127.0.0.1", ready));
  const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  await own.ask("PUT", "/providers/lab", { base_url, api_key: "key", streaming: "off" });
  const id = await own.hold({ simulate: false, seed: null, format: "discussion", models: ["lab/gone"] });

  await page.goto(`${own.url}/m/${id}`);
  const dialog = page.getByRole("dialog", { name: "本轮无人应答" });
  await dialog.getByTestId("another-model").click({ timeout: 30_000 });
  const chosen = page.getByRole("dialog", { name: "换个模型" });
  await expect(chosen.getByRole("combobox")).toHaveValue("lab/tea");
  await expectOpenToAll(page, "another model");
  await chosen.getByRole("button", { name: "重新开始" }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(transcript(page).getByText("先试点。").first()).toBeVisible({ timeout: 30_000 });
  await own.until(id, "ended");
  provider.close();
  provider.closeAllConnections();
});
