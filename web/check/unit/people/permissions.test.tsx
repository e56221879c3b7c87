// The permissions of each scope, as the page checks them.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { holds, upTo, usePermission } from "../../../app/src/api/permissions";
import { me } from "../../../app/src/api/queries";
import type { Scope } from "../../../app/src/api/schema";

const SCOPES: Scope[] = ["read", "speak", "manage", "owner"];

test("each scope holds itself and those before it, and no other", () => {
  const table = SCOPES.map((have) => SCOPES.filter((need) => holds(have, need)));
  expect(table).toEqual([
    ["read"],
    ["read", "speak"],
    ["read", "speak", "manage"],
    ["read", "speak", "manage", "owner"],
  ]);
  expect(upTo("manage")).toEqual(["read", "speak", "manage"]);
});

function asked(scope: Scope, known?: Scope): boolean {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  if (known) {
    client.setQueryData(me.queryKey, {
      name: "ada",
      person: "ada",
      scope: known,
      meeting: null,
      signed_in_by: "session",
      accounts: true,
    });
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => usePermission(scope), { wrapper }).result.current;
}

test("nothing may be done before it is known who asks", () => {
  expect(asked("read")).toBe(false);
});

test("somebody who may speak may not manage", () => {
  expect(asked("speak", "speak")).toBe(true);
  expect(asked("manage", "speak")).toBe(false);
});
