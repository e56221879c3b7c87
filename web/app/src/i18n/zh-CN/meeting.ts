// The texts of a meeting, with the messages of the program's catalogue that stand in events and findings.

import answer from "../../../../../crates/messages/locales/zh/answer.ftl";
import failure from "../../../../../crates/messages/locales/zh/failure.ftl";
import health from "../../../../../crates/messages/locales/zh/health.ftl";
import note from "../../../../../crates/messages/locales/zh/note.ftl";
import question from "../../../../../crates/messages/locales/zh/question.ftl";
import remedy from "../../../../../crates/messages/locales/zh/remedy.ftl";
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
