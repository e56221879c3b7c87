// The texts of what is opened beside a transcript or over it, and of the way to a meeting.

import dialog from "./dialog.json";
import files from "./files.json";
import join from "./join.json";
import panel from "./panel.json";
import signin from "./signin.json";
import times from "./times.json";
import turn from "./turn.json";

export default {
  dialog,
  files,
  join,
  panel,
  signin,
  times,
  turn,
};
