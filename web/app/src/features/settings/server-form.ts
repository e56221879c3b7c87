// The server's limits as a form, and the change that follows from it.

import type { LimitOptions, ServerSettings } from "../../api/schema";

/** A limit's name. */
export type Limit = keyof LimitOptions;

/** All limits with their defaults. */
export const LIMITS: Record<Limit, number> = {
  requests_per_minute: 1_200,
  attempts_per_minute: 30,
  attempts_per_name_per_minute: 10,
  live_lines: 256,
  running_meetings: 20_000,
  running_meetings_per_account: 2_000,
  uploads: 20_000,
  uploads_bytes: 2_147_483_648,
  body_bytes: 67_108_864,
  request_seconds: 60,
  requests_per_minute_alone: 120_000,
  live_lines_alone: 20_000,
  connections: 20_000,
  connections_per_address: 256,
  connection_idle_seconds: 60,
  head_seconds: 10,
  stop_seconds: 10,
};

/** The number that one unit of the form stands for: bytes are given in MiB. */
export function unitOf(name: Limit): number {
  return name === "uploads_bytes" || name === "body_bytes" ? 1_048_576 : 1;
}

/** Limits that take effect at the next start. */
export const LIMITS_AT_START: readonly Limit[] = [
  "connections",
  "connections_per_address",
  "connection_idle_seconds",
  "head_seconds",
  "stop_seconds",
];

interface Change {
  log?: string;
  limits?: Partial<Record<Limit, number | null>>;
}

/** The changes against the present settings. An empty limit is reset to that of the start. */
export function changeOf(now: ServerSettings, log: string, limits: Record<Limit, number | null>): Change {
  const change: Change = {};
  if (log.trim() !== now.log) {
    change.log = log.trim();
  }
  for (const name of Object.keys(LIMITS)) {
    if (isLimit(name) && limits[name] !== now.limits[name]) {
      change.limits = { ...change.limits, [name]: limits[name] };
    }
  }
  return change;
}

/** Whether this is the name of a limit. */
function isLimit(name: string): name is Limit {
  return Object.hasOwn(LIMITS, name);
}
