// The files that people gave to a meeting.

import { queryOptions } from "@tanstack/react-query";
import { api, ask, done } from "../../api/client";
import { queries } from "../../api/queries";

/** How many lines are shown before and after those that are cited. */
const AROUND = 3;

/** The size limit of a file in bytes. */
export const LARGEST = 20 * 1024 * 1024;

/** The files of a meeting, in the order in which they were given. */
export const filesOf = (id: string) =>
  queryOptions({
    queryKey: ["meeting", id, "files"],
    queryFn: async () => {
      const held = await done(api.GET("/api/v1/meetings/{id}/files", { params: { path: { id } } }));
      return held.items;
    },
  });

/** Gives a meeting a file. */
export async function attach(id: string, file: File): Promise<void> {
  const address = new URL(`/api/v1/meetings/${encodeURIComponent(id)}/files`, window.location.origin);
  address.searchParams.set("name", file.name);
  const headers = { "content-type": file.type || "application/octet-stream" };
  const response = await ask(new Request(address, { method: "POST", headers, body: file }));
  await done(Promise.resolve({ response, error: response.ok ? undefined : await response.json() }));
}

/** The files of a meeting with their contents, and the names of those whose content could not be fetched. */
export async function filesWithContents(id: string): Promise<{ files: File[]; missing: string[] }> {
  const files: File[] = [];
  const missing: string[] = [];
  for (const file of await queries.fetchQuery(filesOf(id))) {
    const response = await ask(new Request(new URL(addressOf(id, file.id), window.location.origin)));
    if (response.ok) {
      files.push(new File([await response.blob()], file.name, { type: file.media_type }));
    } else {
      missing.push(file.name);
    }
  }
  return { files, missing };
}

/** Takes a file away from a meeting. */
export async function detach(id: string, file: string): Promise<void> {
  await done(api.DELETE("/api/v1/meetings/{id}/files/{file}", { params: { path: { id, file } } }));
}

/** The download URL of a file; the server sends it as an attachment. */
export function addressOf(id: string, file: string): string {
  return `/api/v1/meetings/${encodeURIComponent(id)}/files/${encodeURIComponent(file)}`;
}

/** Lines of a file, with a few before and after them; its beginning when no lines are named. */
export const linesOf = (id: string, file: string, first?: number, last = first) =>
  queryOptions({
    queryKey: ["meeting", id, "files", file, first, last],
    queryFn: () => {
      const query =
        first === undefined || last === undefined
          ? {}
          : { first: Math.max(1, first - AROUND), last: last + AROUND };
      return done(
        api.GET("/api/v1/meetings/{id}/files/{file}/lines", { params: { path: { id, file }, query } }),
      );
    },
  });

const UNITS = ["B", "KiB", "MiB"] as const;

/** A size as people read it: `3.4 MiB`. */
export function sizeOf(bytes: number): string {
  const step = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2;
  const shown = bytes / 1024 ** step;
  return `${shown.toLocaleString("en", { maximumFractionDigits: step === 0 || shown >= 100 ? 0 : 1 })} ${UNITS[step]}`;
}
