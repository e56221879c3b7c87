// References in a text of the result or of the side panel (`c15`) show their targets, and link to them.

import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import PanelBody from "../../../app/src/features/panel/panel-body";
import brainstorm from "../fixtures/report-brainstorm.json";
import view from "../fixtures/view-consensus.json";
import { OWNER, open } from "../people/page";
import { at, golden, ndjson, server } from "../table/at";

afterEach(() => vi.unstubAllGlobals());

const claim = { id: "c15", kind: "idea", text: "只挑一个数字", owner: "p1", seq: 41 };

test("a claim in the conclusion leads to the message that raised it", async () => {
  const { history, user } = await open("/m/x/result", {
    "GET /me": [200, OWNER],
    "GET /meetings/x/report": [200, brainstorm],
    "GET /meetings/x": [200, view],
    "GET /meetings/x/claims": [200, { items: [claim] }],
  });
  await user.click(await screen.findByRole("link", { name: /只挑一个数字/ }));
  await waitFor(() => expect(history.location.href).toContain("/m/x?at=41"));
});

test("a claim in the draft beside the transcript leads to where it was said", async () => {
  server(({ path }) => (path.includes("/claims") ? Response.json({ items: [claim] }) : ndjson([])));
  const shown = golden("zh/consensus");
  const draft = { text: "先试 [c15]。", version: 9, by: { kind: "system" as const }, seq: 40 };
  const { jump } = await at({ ...shown, draft }, <PanelBody />, { tab: "draft" });
  (await screen.findByRole("button", { name: /只挑一个数字/ })).click();
  expect(jump).toHaveBeenCalledWith(41);
});
