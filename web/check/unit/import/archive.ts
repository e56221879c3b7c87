// A ZIP file, as an export makes it: deflated, or stored.

import { crc32, deflateRawSync } from "node:zlib";

/** An archive of these texts. */
export function archive(files: Record<string, string>, stored = false): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, whole] = [encoder.encode(path), encoder.encode(text)];
    const content = stored ? whole : deflateRawSync(whole);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(stored ? 0 : 8, 10);
    entry.writeUInt32LE(crc32(whole), 16);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(whole.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(local, Buffer.from(name), Buffer.from(content));
    at += local.length + name.length + content.length;
  }
  const length = directory.reduce((all, { length }) => all + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

/** The files of an exported meeting, as they lie in its archive. */
export const EXPORTED = {
  "data/agents/a1.json": '{"id":"a1"}',
  "data/meetings/m1.json": '{"id":"m1","topic":"先迁哪张表","participants":[]}',
  "data/rooms.json":
    '[{"room_id":"m1","room_description":"先迁哪张表"},{"room_id":"r2","room_name":"second"}]',
  "data/signatures/m1.json": "{}",
  "data/uploads/m1/SHA256SUMS": "00  f1-a.csv",
  "data/uploads/m1/f1-a.csv": "a,b",
};
