// Meetings that are ready to be held, one for each format: a cast, and the reason for the format.

import type { Format } from "../../api/schema";
import type { Translate } from "../../i18n";
import type { MeetingFile } from "../../meeting-form/write-meeting-file";

/** The examples, in the order of the formats. */
export const EXAMPLES = [
  { name: "store", format: "consensus", seed: 5 },
  { name: "remote", format: "discussion", seed: 7 },
  { name: "split", format: "decision", seed: 11 },
  { name: "launch", format: "room", seed: 2 },
  { name: "lonely", format: "brainstorm", seed: 3 },
] as const satisfies readonly { name: string; format: Format; seed: number }[];

/** One of the examples. */
export type Example = (typeof EXAMPLES)[number];

const PLACES = ["p1", "p2", "p3", "p4"] as const;

/** The meeting file of an example, in the language of the page. */
export function fileOf({ name, format }: Example, t: Translate): MeetingFile {
  return {
    topic: t(`home.ex.${name}.topic`),
    background: t(`home.ex.${name}.background`),
    format,
    participants: PLACES.map((place) => ({
      name: t(`home.ex.${name}.${place}.name`),
      role: {
        name: t(`home.ex.${name}.${place}.role`),
        description: t(`home.ex.${name}.${place}.text`),
      },
    })),
  };
}

/**
 * The rules of a demo, which plays to its end whoever watches: nobody is asked anything before a round, and a room ends when
 * all has been said.
 */
const DEMO_RULES: Partial<Record<Format, NonNullable<MeetingFile["rules"]>>> = {
  decision: { intake: { when: "never" } },
  room: { limits: { max_rounds: 3 } },
  brainstorm: { intake: { when: "never" } },
};

/** The same to be shown without any model: labelled as simulated wherever it appears. */
export function demoOf(example: Example, t: Translate): MeetingFile {
  return { ...fileOf(example, t), rules: DEMO_RULES[example.format], simulate: true, seed: example.seed };
}
