// Which providers count: a key that is refused does not, a server without a key only once it answers.

import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { queries } from "../../app/src/api/queries";
import { useUsable } from "../../app/src/components/providers/usable-providers";

const here = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
);
const problem = (sort: string) =>
  Response.json({ type: `#${sort}`, title: sort, status: 502, detail: sort }, { status: 502 });

const ANSWERS: Record<string, () => Response> = {
  "/providers": () =>
    Response.json({
      items: [
        { provider: "wrong", key: "stored" },
        { provider: "silent", key: "stored" },
        { provider: "ollama", key: "none" },
        { provider: "lab", key: "none" },
      ],
    }),
  "/providers/wrong/models": () => problem("key-refused"),
  "/providers/silent/models": () => problem("provider"),
  "/providers/ollama/models": () => Response.json({ items: [], next_cursor: null, reachable: false }),
  "/providers/lab/models": () =>
    Response.json({
      items: [
        { model: "lab/qwen3", can_chat: true },
        { model: "lab/bge-m3", can_chat: false },
      ],
    }),
};

beforeEach(() => {
  queries.clear();
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    return ANSWERS[path]?.() ?? problem("not-found");
  });
});

test("a provider whose key is refused is none to ask", async () => {
  const { result } = renderHook(useUsable, { wrapper: here });
  await waitFor(() => expect(result.current.providers.map((one) => one.provider)).toEqual(["silent", "lab"]));
  expect(result.current.pending).toBe(false);
  expect(
    result.current.models.map((one) => one.model),
    "what cannot chat is none to choose",
  ).toEqual(["lab/qwen3"]);
});
