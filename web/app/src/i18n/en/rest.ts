// The texts of all pages but the first, with the messages of the program's catalogue that stand in events and findings.

import answer from "../../../../../crates/messages/locales/en/answer.ftl?raw";
import failure from "../../../../../crates/messages/locales/en/failure.ftl?raw";
import health from "../../../../../crates/messages/locales/en/health.ftl?raw";
import note from "../../../../../crates/messages/locales/en/note.ftl?raw";
import question from "../../../../../crates/messages/locales/en/question.ftl?raw";
import remedy from "../../../../../crates/messages/locales/en/remedy.ftl?raw";
import agents from "./agents.json";
import create from "./create.json";
import dialog from "./dialog.json";
import files from "./files.json";
import history from "./history.json";
import join from "./join.json";
import panel from "./panel.json";
import replay from "./replay.json";
import result from "./result.json";
import settings from "./settings.json";
import share from "./share.json";
import signin from "./signin.json";
import table from "./table.json";
import talk from "./talk.json";
import times from "./times.json";
import turn from "./turn.json";

/** The messages of the catalogue. */
export const catalogue = [answer, failure, health, note, question, remedy].join("\n");

export default {
  agents,
  create,
  dialog,
  files,
  history,
  join,
  panel,
  replay,
  result,
  settings,
  share,
  signin,
  table,
  talk,
  times,
  turn,
};
