// The forms in which every meeting can be exported, and the scope that each needs.

import type { ExportForm } from "./result-queries";

/** The forms, in the order in which they are offered. */
export const EXPORT_FORMS: readonly { form: ExportForm; need?: "manage" }[] = [
  { form: "markdown" },
  { form: "html" },
  { form: "pdf" },
  { form: "json" },
  { form: "jsonl", need: "manage" },
  { form: "files", need: "manage" },
];
