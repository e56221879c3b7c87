// The texts of all other pages.

import agents from "./agents.json";
import create from "./create.json";
import history from "./history.json";
import result from "./result.json";
import settings from "./settings.json";

export default {
  agents,
  create,
  history,
  result,
  settings,
};
