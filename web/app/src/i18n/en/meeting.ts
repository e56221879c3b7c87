// The texts of a meeting, with the messages of the program's catalogue that stand in events and findings.

import answer from "../../../../../crates/messages/locales/en/answer.ftl";
import failure from "../../../../../crates/messages/locales/en/failure.ftl";
import health from "../../../../../crates/messages/locales/en/health.ftl";
import note from "../../../../../crates/messages/locales/en/note.ftl";
import question from "../../../../../crates/messages/locales/en/question.ftl";
import remedy from "../../../../../crates/messages/locales/en/remedy.ftl";
import ballot from "./ballot.json";
import dialog from "./dialog.json";
import files from "./files.json";
import panel from "./panel.json";
import table from "./table.json";
import talk from "./talk.json";
import times from "./times.json";
import turn from "./turn.json";

/** The messages of the catalogue. */
export const catalogue = { ...answer, ...failure, ...health, ...note, ...question, ...remedy };

export default {
  ballot,
  dialog,
  files,
  panel,
  table,
  talk,
  times,
  turn,
};
