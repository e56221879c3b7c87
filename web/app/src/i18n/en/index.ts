// The texts of the page, without those of its forms, windows and settings.

import ballot from "./ballot.json";
import files from "./files.json";
import history from "./history.json";
import home from "./home.json";
import keys from "./keys.json";
import panel from "./panel.json";
import problem from "./problem.json";
import result from "./result.json";
import shell from "./shell.json";
import table from "./table.json";
import talk from "./talk.json";
import times from "./times.json";
import turn from "./turn.json";
import ui from "./ui.json";

export default {
  ballot,
  files,
  history,
  home,
  keys,
  panel,
  problem,
  result,
  shell,
  table,
  talk,
  times,
  turn,
  ui,
};
