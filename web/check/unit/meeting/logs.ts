// The golden meetings and the views that Rust makes of them, read from the repository.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Event } from "../../../app/src/api/schema";

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "../../../../fixtures");

/** One golden meeting: its log, and the views after some of its events. */
export interface Golden {
  name: string;
  events: Event[];
  views: { seq: number; view: Record<string, unknown> }[];
}

/** All golden meetings. */
export function goldens(): Golden[] {
  const names = ["en", "zh"].flatMap((language) =>
    readdirSync(join(FIXTURES, "meetings", language))
      .filter((file) => file.endsWith(".jsonl"))
      .map((file) => `${language}/${file}`),
  );
  return names.map((name) => ({
    name,
    events: lines(join(FIXTURES, "meetings", name)),
    views: existsSync(join(FIXTURES, "views", name)) ? lines(join(FIXTURES, "views", name)) : [],
  }));
}

function lines<T>(path: string): T[] {
  const text = readFileSync(path, "utf8").split("\n");
  return text.filter((line) => line !== "").map((line): T => JSON.parse(line));
}
