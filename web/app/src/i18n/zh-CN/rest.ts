// The texts of all other pages.

import agents from "./agents.json";
import create from "./create.json";
import history from "./history.json";
import join from "./join.json";
import replay from "./replay.json";
import result from "./result.json";
import settings from "./settings.json";
import share from "./share.json";
import signin from "./signin.json";

export default {
  agents,
  create,
  history,
  join,
  replay,
  result,
  settings,
  share,
  signin,
};
