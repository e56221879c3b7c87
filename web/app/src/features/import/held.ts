// What was read waits in memory until it is sent. Each file is bounded, and so is their sum, or a folder full of them would
// take the page down.

import type { Chosen } from "./chosen-file";
import type { Contents } from "./read-export";

/** The most bytes that wait to be sent. */
export const HELD_MAX = 128 * 1024 * 1024;

/** The files once one of them was read: with its contents, or left for later where those before it fill the memory. */
export function withContents(all: Chosen[], key: string, contents: Contents): Chosen[] {
  const held = all.reduce((sum, one) => sum + (one.contents?.bytes ?? 0), 0);
  const more: Partial<Chosen> = held + contents.bytes > HELD_MAX ? { unfit: "later" } : { contents };
  return all.map((one) => (one.key === key ? { ...one, ...more } : one));
}
