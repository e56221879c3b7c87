// The initial contents of the form: from the address, from what was kept, or empty.

import { FORMATS } from "../../api/choices";
import { api, done } from "../../api/client";
import { queries } from "../../api/queries";
import type { Format } from "../../api/schema";
import { fileLikeMeeting, type WhatIfResult, withWhatIf } from "../../meeting-form/copy-of-meeting";
import { emptyForm, type Form, withFormat } from "../../meeting-form/form";
import { toMeetingFile } from "../../meeting-form/write-meeting-file";
import { readMeetingFile } from "./read-meeting-file";
import { givenForm, savedForm } from "./saved-form";

/** The requests that an address can hold. */
interface NewMeetingSearch {
  topic?: string;
  format?: string;
  template?: string;
  like?: string;
}

/** The form to begin with, as far as it is known at once. */
export function initialForm(asked: NewMeetingSearch): Form {
  const format = FORMATS.find((one): one is Format => one === asked.format);
  if (asked.topic === undefined && format === undefined) {
    return givenForm() ?? savedForm() ?? emptyForm();
  }
  const form = { ...emptyForm(), topic: asked.topic ?? "" };
  return format ? withFormat(form, format) : form;
}

/** Whether a form with contents was replaced by another one. */
export function wasReplaced(before: Form | undefined, now: Form): before is Form {
  const said = (form: Form) => JSON.stringify([toMeetingFile(form), form.described]);
  return before !== undefined && ![said(now), said(emptyForm())].includes(said(before));
}

/** The form of a template, or of another meeting. */
export async function fetchForm(asked: NewMeetingSearch): Promise<Form | undefined> {
  if (asked.like) {
    const path = { id: asked.like };
    const view = await queries.fetchQuery({
      queryKey: ["meeting", asked.like, "like"],
      queryFn: () => done(api.GET("/api/v1/meetings/{id}", { params: { path, query: { messages: 0 } } })),
    });
    const key = ["meeting", asked.like, "tried"];
    const tried = queries.getQueryData<WhatIfResult>(key);
    queries.removeQueries({ queryKey: key });
    return formOfFile(fileLikeMeeting(tried ? withWhatIf(view, tried) : view));
  }
  if (asked.template) {
    const path = { id: asked.template };
    const template = await queries.fetchQuery({
      queryKey: ["templates", asked.template],
      queryFn: () => done(api.GET("/api/v1/templates/{id}", { params: { path } })),
    });
    return { ...formOfFile(template.body), topic: asked.topic ?? formOfFile(template.body).topic };
  }
  return undefined;
}

/** The form of a file; what cannot be read is said by its place. */
export function formOfFile(file: unknown): Form {
  const { form, wrong } = readMeetingFile(file);
  if (!form) {
    throw new Error(wrong.map((one) => one.at).join(", "));
  }
  return form;
}
