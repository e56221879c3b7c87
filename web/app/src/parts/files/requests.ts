// The files that people gave to a meeting.

import { queryOptions } from "@tanstack/react-query";
import { api, ask, done } from "../../api/client";

/** The size limit of a file in bytes. */
export const LARGEST = 20 * 1024 * 1024;

/** The files of a meeting, in the order in which they were given. */
export const filesOf = (id: string) =>
  queryOptions({
    queryKey: ["meeting", id, "files"],
    queryFn: async () => {
      const held = await done(api.GET("/api/v1/meetings/{id}/uploads", { params: { path: { id } } }));
      return held.items;
    },
  });

/** Gives a meeting a file. */
export async function attach(id: string, file: File): Promise<void> {
  const address = new URL(`/api/v1/meetings/${encodeURIComponent(id)}/uploads`, window.location.origin);
  address.searchParams.set("name", file.name);
  const headers = { "content-type": file.type || "application/octet-stream" };
  const response = await ask(new Request(address, { method: "POST", headers, body: file }));
  await done(Promise.resolve({ response, error: response.ok ? undefined : await response.json() }));
}

/** Takes a file away from a meeting. */
export async function detach(id: string, upload: string): Promise<void> {
  await done(api.DELETE("/api/v1/meetings/{id}/uploads/{upload}", { params: { path: { id, upload } } }));
}

/** The download URL of a file; the server sends it as an attachment. */
export function addressOf(id: string, upload: string): string {
  return `/api/v1/meetings/${encodeURIComponent(id)}/uploads/${encodeURIComponent(upload)}`;
}

const UNITS = ["B", "KiB", "MiB"] as const;

/** A size as people read it: `3.4 MiB`. */
export function sizeOf(bytes: number): string {
  const step = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2;
  const shown = bytes / 1024 ** step;
  return `${shown.toLocaleString("en", { maximumFractionDigits: step === 0 || shown >= 100 ? 0 : 1 })} ${UNITS[step]}`;
}
