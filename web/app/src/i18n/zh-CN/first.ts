// The texts of the first page, and of the frame around all pages.

import home from "./home.json";
import keys from "./keys.json";
import problem from "./problem.json";
import shell from "./shell.json";
import ui from "./ui.json";

export default {
  home,
  keys,
  problem,
  shell,
  ui,
};
