// Creates the meeting, uploads its files, starts it, and invites participants that were described in a
// sentence.

import { api, done } from "../api/client";
import type { CreateMeetingRequest } from "../api/schema";
import { attach } from "../components/files/requests";
import type { Form } from "./form";
import type { MeetingFile } from "./write-meeting-file";

/** A meeting file as the body of a request. */
export function bodyOf(file: MeetingFile) {
  // A file without a topic is refused as one with an empty topic is.
  const body: CreateMeetingRequest = { ...file, topic: file.topic ?? "" };
  return { body };
}

/** Creates the meeting, and says its id. The same key and file create it once. */
export async function create(file: MeetingFile, key: string): Promise<string> {
  const made = await done(
    api.POST("/api/v1/meetings", { params: { header: { "Idempotency-Key": key } }, ...bodyOf(file) }),
  );
  return made.id;
}

/** Starts the meeting. */
async function begin(id: string): Promise<void> {
  await done(api.POST("/api/v1/meetings/{id}/start", { params: { path: { id } } }));
}

/** Invites a participant by a description. */
async function invite(id: string, description: string): Promise<void> {
  await done(
    api.POST("/api/v1/meetings/{id}/participants", {
      params: { path: { id } },
      body: { description },
    }),
  );
}

/** The submitted form. */
export interface Submission {
  form: Form;
  files: File[];
  /** Whether to start at once; otherwise the meeting stays a draft. */
  start: boolean;
}

/** The parts of a submission that failed for a created meeting. */
export interface Lack {
  /** Files that it was not given, by their names. */
  files: string[];
  /** The descriptions of participants that were not invited. */
  sentences: string[];
  /** Why the meeting was not started. */
  begin?: unknown;
}

/** Gives a meeting its files, and asks in who was described. What fails keeps nothing else from being done. */
export async function complete(id: string, { form, files, start }: Submission): Promise<Lack> {
  const lack: Lack = { files: [], sentences: [] };
  for (const one of form.off_record ? [] : files) {
    await attach(id, one).catch(() => lack.files.push(one.name));
  }
  if (!start || form.described.length === 0) {
    return lack;
  }
  // Participants can be invited only after the start.
  try {
    await begin(id);
  } catch (why) {
    return { ...lack, sentences: form.described, begin: why };
  }
  for (const sentence of form.described) {
    await invite(id, sentence).catch(() => lack.sentences.push(sentence));
  }
  return lack;
}
