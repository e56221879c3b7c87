// @vitest-environment node
// What is in a file that somebody wants to import, and what none of them is.

import { expect, test } from "vitest";
import { REQUEST_MAX, readExport } from "../../../app/src/features/import/read-export";
import { archive, EXPORTED } from "./archive";

const read = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  readExport(new File([content], name));

test.each([true, false])("an archive becomes a request, wherever its folder lies in it", async (stored) => {
  for (const before of ["", "backup/"]) {
    const files = Object.fromEntries(
      Object.entries(EXPORTED).map(([path, text]) => [
        before + path.replace("data/", before && "data/"),
        text,
      ]),
    );
    const held = await read("export.zip", archive(files, stored));
    expect(held).toMatchObject({ topics: ["先迁哪张表", "second"], meetings: 2, agents: 1, uploads: 1 });
    const { files: sent, uploads } = (held as Exclude<typeof held, string>).request;
    expect(Object.keys(sent).sort()).toEqual(["agents/a1.json", "meetings/m1.json", "rooms.json"]);
    expect(sent["meetings/m1.json"]).toBe(EXPORTED["data/meetings/m1.json"]);
    expect(uploads?.["uploads/m1/f1-a.csv"]).toBe(btoa("a,b"));
  }
});

test("an archive of several exports is refused, not taken in part", async () => {
  const meeting = (id: string) => `{"id":"${id}","topic":"${id}","participants":[]}`;
  const two = archive({ "a/meetings/x.json": meeting("x"), "b/meetings/y.json": meeting("y") });
  expect(await read("a.zip", two)).toBe("several");
  const nested = archive({ "meetings/x.json": meeting("x"), "old/meetings/y.json": meeting("y") });
  expect(await read("a.zip", nested)).toBe("several");
  const one = archive({
    "__MACOSX/a/meetings/x.json": "\u0000",
    "a/meetings/x.json": meeting("x"),
    "a/uploads/x/meetings/z.json": "{}",
  });
  expect(await read("a.zip", one)).toMatchObject({ topics: ["x"], meetings: 1, uploads: 1 });
});

test("the file of one meeting is put where the server looks for it", async () => {
  const text = '\ufeff{"id":"m1","topic":"先迁哪张表","participants":[]}';
  const held = await read("会议.json", text);
  expect(held).toMatchObject({ topics: ["先迁哪张表"], meetings: 1, agents: 0 });
  expect(held).toMatchObject({ request: { files: { "meetings/会议.json": expect.any(String) } } });
});

test.each([
  ["log", "a.jsonl", '{"seq":1,"type":"meeting_created"}\n{"seq":2,"type":"x"}\n{"chain":[]}\n'],
  ["log", "a.json", '{"report":{},"events":[]}'],
  ["json", "a.json", '{"topic":'],
  ["none", "a.json", '{"a":1}'],
  ["none", "a.json", "[1]"],
  ["room", "rooms.json", '[{"room_id":"r1"}]'],
  ["text", "a.json", new Uint8Array([0xff, 0xfe, 0x00])],
  ["zip", "a.zip", new TextEncoder().encode("PK\u0003\u0004 and nothing more")],
  ["none", "a.zip", archive({ "readme.json": "{}" })],
])("%s: %s is none of them", async (why, name, content) => {
  expect(await read(name, content as string)).toBe(why);
});

test("what is too large is not read", async () => {
  expect(await read("a.json", "x".repeat(REQUEST_MAX + 1))).toBe("large");
});

/** An archive of one file, and where its entry in the directory begins. */
function single(text: string, stored = false) {
  const bytes = archive({ "meetings/m1.json": text }, stored);
  const view = new DataView(bytes.buffer);
  const entry = bytes.length - 22 - 46 - "meetings/m1.json".length;
  expect(view.getUint32(entry, true)).toBe(0x02014b50);
  return { bytes, view, entry };
}

test.each([true, false])("a content that is larger than the archive says is damage", async (stored) => {
  for (const claimed of [0, 100]) {
    const { bytes, view, entry } = single("x".repeat(10_000), stored);
    view.setUint32(entry + 24, claimed, true);
    expect(await read("a.zip", bytes)).toBe("zip");
  }
});

test.each([true, false])("a content that was cut or changed is damage", async (stored) => {
  const cut = single('{"topic":"a"}', stored);
  cut.view.setUint32(cut.entry + 20, 5, true);
  expect(await read("a.zip", cut.bytes)).toBe("zip");
  const changed = single('{"topic":"a"}', stored);
  changed.view.setUint32(changed.entry + 16, 1, true);
  expect(await read("a.zip", changed.bytes)).toBe("zip");
});

test("a place outside of the file is damage", async () => {
  const { bytes, view, entry } = single('{"topic":"a"}');
  view.setUint32(entry + 42, 0xfffffff0, true);
  expect(await read("a.zip", bytes)).toBe("zip");
});
