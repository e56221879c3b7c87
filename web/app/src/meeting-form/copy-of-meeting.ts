// A meeting that was held, as the file of one like it.

import type { DecisionRules, Meeting, RunnerSpec } from "../api/schema";
import { asJson, type Json, preset, same } from "../components/rules/rules";
import { PROCESS, type Sampling } from "./form";
import type { FileSeat, MeetingFile } from "./write-meeting-file";

/** The parts of a meeting that a similar new one copies. */
type Held = Pick<
  Meeting,
  | "topic"
  | "description"
  | "display"
  | "background"
  | "format"
  | "language"
  | "off_record"
  | "moderator"
  | "participants"
  | "facilitator"
  | "agenda"
  | "announcements"
  | "rules"
  | "tools"
>;

/** The what-if changes of an earlier meeting, for the new one. */
export interface WhatIfResult {
  decision: DecisionRules;
  /** The names of participants that are left out. */
  without: readonly string[];
}

/** A meeting as it would have been held. */
export function withWhatIf<T extends Held>(held: T, { decision, without }: WhatIfResult): T {
  const participants = held.participants.filter((one) => !without.includes(one.participant.name));
  return { ...held, participants, rules: { ...held.rules, decision } };
}

/** The file of a meeting like this one: its present participants, under its present rules. */
export function fileLikeMeeting(view: Held): MeetingFile {
  const present = view.participants.filter((one) => one.present);
  const moderator = view.moderator.type === "agent" ? view.moderator.id : undefined;
  const leads = present.find((one) => one.participant.id === moderator)?.participant.name;
  const runner = view.facilitator?.runner;
  return {
    topic: view.topic,
    format: view.format,
    lang: view.language,
    ...(view.description ? { description: view.description } : {}),
    ...(view.display ? { display: chosen(view.display) } : {}),
    ...(view.background ? { background: view.background } : {}),
    ...(leads ? { moderator: leads } : {}),
    ...(view.off_record ? { off_record: true } : {}),
    ...(present.length > 0 && present.every((one) => one.simulated) ? { simulate: true } : {}),
    participants: present.map(({ participant: { name, role, runner, skip_list = [] } }) => ({
      name,
      role: { name: role.name, description: role.description, ...prompt(role.system_prompt) },
      ...(skip_list.length > 0 ? { skip_list } : {}),
      ...seated(runner),
    })),
    ...(granted(view).length > 0 ? { tools: granted(view) } : {}),
    agenda: view.agenda.map((one) => ({
      title: one.title,
      ...(one.description ? { description: one.description } : {}),
    })),
    ...(view.announcements.length > 0 ? { announce: view.announcements.at(-1)?.text } : {}),
    facilitator: view.facilitator
      ? {
          ...(runner?.kind === "model"
            ? { model: `${runner.provider}/${runner.model}`, ...parameters(runner.parameters) }
            : {}),
          ...prompt(view.facilitator.system_prompt),
        }
      : { enabled: false },
    rules: otherwise(view),
  };
}

/** The tools that the participants of the new meeting may call: whose callers have all left are not among them. */
function granted(view: Held): NonNullable<MeetingFile["tools"]> {
  const present = view.participants.filter((one) => one.present).map((one) => one.participant);
  return view.tools.flatMap(({ name, participants = [] }) => {
    if (participants.length === 0) return [{ name }];
    const callers = present.filter((one) => participants.includes(one.id)).map((one) => one.name);
    return callers.length > 0 ? [{ name, participants: callers }] : [];
  });
}

/** What was chosen of a display of times. */
function chosen(display: NonNullable<Held["display"]>): MeetingFile["display"] {
  const said = Object.entries(display).filter(([, value]) => value != null);
  return Object.fromEntries(said);
}

const prompt = (text: string | undefined) => (text ? { system_prompt: text } : {});

function seated(runner: RunnerSpec): FileSeat {
  switch (runner.kind) {
    case "simulated":
      return { temperament: runner.temperament };
    case "process":
      return { model: `${PROCESS}${runner.name}` };
    case "acp":
      return { model: runner.folder ? `acp/${runner.name}/${runner.folder}` : `acp/${runner.name}` };
    case "external":
      return { model: `${runner.via}/${runner.name}` };
    case "model": {
      const other = runner.fallback?.kind === "model" ? runner.fallback : undefined;
      return {
        model: `${runner.provider}/${runner.model}`,
        ...(other ? { fallback: `${other.provider}/${other.model}` } : {}),
        ...parameters(runner.parameters),
      };
    }
  }
}

function parameters(given: { [name: string]: unknown } | undefined): { parameters?: Sampling } {
  const said = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return said.length > 0 ? { parameters: Object.fromEntries(said) } : {};
}

/** The rules that are other than the format's. */
function otherwise(view: Held): Record<string, Record<string, Json>> {
  const groups: Record<string, Record<string, Json>> = {};
  for (const [group, ruleFields] of Object.entries(view.rules)) {
    for (const [name, value] of Object.entries(ruleFields)) {
      const held = asJson(value);
      if (!same(held, preset(view.format, `${group}.${name}`))) {
        groups[group] = { ...groups[group], [name]: held };
      }
    }
  }
  return groups;
}
