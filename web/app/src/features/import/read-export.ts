// What is in an exported file: the request with which the server imports it, and what there is to say before that.

import type { ImportRequest } from "../../api/schema";
import { BadZip, zipEntries } from "./zip";

/** The most bytes of a request, which the server accepts. */
export const REQUEST_MAX = 32 * 1024 * 1024;
/** The most bytes of an archive when it is unpacked. */
const UNPACKED_MAX = 64 * 1024 * 1024;

/** Why a file cannot be imported. `log`: the export is proof of a meeting, or one to read, and no import takes it.
 * `later`: those before it fill the memory. */
export type Unfit =
  | "large"
  | "log"
  | "zip"
  | "json"
  | "text"
  | "none"
  | "several"
  | "room"
  | "unreadable"
  | "later";

/** What a file holds. */
export interface Contents {
  request: Pick<ImportRequest, "files" | "uploads">;
  /** The topics of the meetings, as far as the file tells them. */
  topics: string[];
  meetings: number;
  agents: number;
  uploads: number;
  /** The size of the request. */
  bytes: number;
}

/** Reads a file, or says why it cannot be imported. */
export async function readExport(file: File): Promise<Contents | Unfit> {
  if (file.size > REQUEST_MAX) {
    return "large";
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return "unreadable";
  }
  // "PK": so an archive begins, under whatever name.
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? ofArchive(bytes) : ofText(file.name, bytes);
}

const TEXT = /^(?:(?:agents|rooms)\.json|(?:agents|meetings|room_messages|messages)\/[^/]+\.json)$/;
const UPLOAD = /^uploads\/./;

/** The folders of the exports in an archive, wherever they lie in it: `data/`, or under a name that somebody gave them. */
function rootsOf(paths: string[]): string[] {
  const roots = paths.flatMap((path) => {
    const found = /^(.*?)(?:meetings\/[^/]+\.json|rooms\.json|agents\/[^/]+\.json)$/.exec(path);
    return found && (found[1] === "" || found[1]?.endsWith("/")) ? [found[1] ?? ""] : [];
  });
  const [first, ...others] = [...new Set(roots)].sort((a, b) => a.length - b.length);
  if (first === undefined) {
    return [];
  }
  // What a meeting holds as an attached file is no export of its own.
  return [first, ...others.filter((root) => !root.startsWith(`${first}uploads/`))];
}

async function ofArchive(bytes: Uint8Array<ArrayBuffer>): Promise<Contents | Unfit> {
  try {
    // macOS puts a shadow of each file there.
    const entries = zipEntries(bytes).filter(({ path }) => !path.startsWith("__MACOSX/"));
    const [root, ...others] = rootsOf(entries.map(({ path }) => path));
    if (root === undefined) {
      return "none";
    }
    if (others.length > 0) {
      return "several";
    }
    const wanted = entries
      .filter(({ path }) => path.startsWith(root))
      .map((entry) => ({ ...entry, path: entry.path.slice(root.length) }))
      .filter(({ path }) => TEXT.test(path) || UPLOAD.test(path));
    if (wanted.reduce((all, { size }) => all + size, 0) > UNPACKED_MAX) {
      return "large";
    }
    const files: Record<string, string> = {};
    const uploads: Record<string, string> = {};
    for (const { path, read } of wanted) {
      const content = await read();
      if (TEXT.test(path)) {
        const text = decoded(content);
        if (text === undefined) {
          return "text";
        }
        files[path] = text;
      } else {
        uploads[path] = base64(content);
      }
    }
    return described({ files, uploads });
  } catch (error) {
    if (error instanceof BadZip) {
      return "zip";
    }
    throw error;
  }
}

function ofText(name: string, bytes: Uint8Array<ArrayBuffer>): Contents | Unfit {
  const text = decoded(bytes);
  if (text === undefined) {
    return "text";
  }
  const value = json(text);
  if (value === undefined) {
    const [line = ""] = text.split("\n", 1);
    const first = record(json(line));
    return first && "seq" in first && "type" in first ? "log" : "json";
  }
  if (Array.isArray(value)) {
    return value.some((one) => "room_id" in (record(one) ?? {})) ? "room" : "none";
  }
  const held = record(value) ?? {};
  if (("report" in held && "events" in held) || ("seq" in held && "type" in held)) {
    return "log";
  }
  const path = `meetings/${name.endsWith(".json") ? name : `${name}.json`}`;
  return "topic" in held || "participants" in held ? described({ files: { [path]: text } }) : "none";
}

function described(request: Contents["request"]): Contents | Unfit {
  const meetings = new Map<string, string>();
  let agents = 0;
  // By their names, meetings come before rooms.
  for (const [path, text] of Object.entries(request.files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const value = json(text);
    const held = record(value);
    if (path.startsWith("meetings/")) {
      // A file that is not what it should be is the server's to refuse, by its field.
      meetings.set(word(held?.id) ?? path, word(held?.topic) ?? "");
    } else if (path.startsWith("agents/")) {
      agents += 1;
    } else if (path === "rooms.json" && Array.isArray(value)) {
      for (const [at, one] of value.entries()) {
        const room = record(one);
        const id = word(room?.room_id) ?? `room ${at}`;
        // A meeting that is there in both layouts is one.
        if (!meetings.has(id)) {
          meetings.set(id, word(room?.room_description) ?? word(room?.room_name) ?? "");
        }
      }
    }
  }
  if (meetings.size === 0 && agents === 0) {
    return "none";
  }
  const bytes = new Blob([JSON.stringify(request)]).size;
  if (bytes > REQUEST_MAX) {
    return "large";
  }
  const uploads = Object.keys(request.uploads ?? {}).filter((path) => !path.endsWith("/SHA256SUMS"));
  return {
    request,
    topics: [...meetings.values()].filter((topic) => topic !== ""),
    meetings: meetings.size,
    agents,
    uploads: uploads.length,
    bytes,
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

const word = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function decoded(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The most characters that one call may take as arguments. */
const CALL = 0x2000;

function base64(bytes: Uint8Array<ArrayBuffer>): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CALL) {
    text += String.fromCharCode(...bytes.subarray(at, at + CALL));
  }
  return btoa(text);
}
