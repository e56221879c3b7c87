// The filled-in form is kept in this tab, also over a reload.

import type { Form } from "../../meeting-form/form";
import { forgetForm, storedFile, storedForm, storeForm } from "../../meeting-form/form-storage";
import { toMeetingFile } from "../../meeting-form/write-meeting-file";
import { readMeetingFile } from "./read-meeting-file";

/** Keeps the form; what is to stay off the record is kept nowhere. */
export function saveForm(form: Form): void {
  if (form.off_record) {
    forgetForm();
    return;
  }
  const { described, named } = form;
  storeForm({ file: toMeetingFile(form), described, named });
}

/** The kept form; undefined when it cannot be read any more. */
export const savedForm = () => formIn(storedForm);

/** The initial contents of the form. */
export const givenForm = () => formIn(storedFile);

function formIn(place: () => unknown): Form | undefined {
  try {
    const read = place();
    if (typeof read !== "object" || read === null || !("file" in read)) {
      return undefined;
    }
    const { form } = readMeetingFile(read.file);
    const described =
      "described" in read && Array.isArray(read.described)
        ? read.described.filter((one) => typeof one === "string")
        : [];
    return form && { ...form, described, named: form.named || ("named" in read && read.named === true) };
  } catch {
    return undefined;
  }
}
