// A provider that refuses for a while: the page says that the meeting waits for it, and goes on when it answers.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./server";
import { transcript } from "./table";
import { zh } from "./texts";

test("a meeting waits for its provider, says so, and is tried again at once when somebody asks", async ({
  page,
  own,
}) => {
  let answers = false;
  const provider = createServer((request, response) => {
    request.resume();
    if (!answers) {
      response.writeHead(429).end(JSON.stringify({ error: { message: "slow down" } }));
      return;
    }
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "先试点。" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: "1", object: "chat.completion", model: "tea", choices: [choice] }));
  });
  await new Promise<void>((ready) => provider.listen(0, "127.0.0.1", ready));
  const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  await own.ask("PUT", "/providers/tea", { base_url, streaming: "off" });
  const id = await own.hold({ simulate: false, seed: null, format: "discussion", models: ["tea/one"] });

  await page.goto(`${own.url}/m/${id}`);
  await expect(page.getByText(zh.like("talk.provider_waits", { names: "tea/one" }))).toBeVisible({
    timeout: 30_000,
  });
  answers = true;
  await page.getByRole("button", { name: zh("talk.retry_now") }).click();
  await expect(transcript(page).getByText("先试点。").first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("button", { name: zh("talk.retry_now") })).toBeHidden();
  provider.close();
  provider.closeAllConnections();
});
