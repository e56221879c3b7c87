// The parts of the settings, and the scope that each needs.

import { holds } from "../api/permissions";
import type { Scope } from "../api/schema";

const PARTS = [
  { name: "general" },
  { name: "sessions" },
  { name: "providers", need: "manage" },
  { name: "tokens", need: "manage" },
  { name: "connect", need: "manage" },
  { name: "webhooks", need: "manage" },
  { name: "nodes", need: "manage" },
  { name: "accounts", need: "owner" },
  { name: "server", need: "owner" },
  { name: "audit", need: "owner" },
  { name: "about" },
] as const satisfies readonly { name: string; need?: Scope }[];

/** A part of the settings. */
export type SettingsPart = (typeof PARTS)[number]["name"];

/** All parts, in their order. */
export const SETTINGS_PARTS: readonly { name: SettingsPart; need?: Scope }[] = PARTS;

/** Whether a user with this scope may see a part; `undefined` while the user is unknown. */
export function maySee(part: { need?: Scope }, scope: Scope | undefined): boolean {
  return part.need === undefined || (scope !== undefined && holds(scope, part.need));
}
