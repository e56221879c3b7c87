// The server's clock, as far as its responses tell it: that of this machine may be minutes off.

/** The server tells whole seconds: up to one more is no difference, and of every other one half is left out. */
const TOLD_MS = 1_000;

let ahead = 0;

/** How far this clock is ahead of the server's, of a time that the server told a moment ago. */
export function aheadOf(since: number): number {
  return since >= 0 && since <= TOLD_MS ? 0 : since - TOLD_MS / 2;
}

/** Learns from a response that has just come. One that a browser keeps may be old. */
export function learnClock({ headers }: Response): void {
  const told = Date.parse(headers.get("date") ?? "");
  if (!Number.isNaN(told) && headers.get("cache-control")?.includes("no-store")) {
    ahead = aheadOf(Date.now() - told);
  }
}

/** How far the clock of this machine is ahead of the server's, by the last response. */
export function clockAhead(): number {
  return ahead;
}

/** The time at the server, in milliseconds since 1970: what its timestamps are compared with. */
export function serverNow(): number {
  return Date.now() - ahead;
}
