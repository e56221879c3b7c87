// The texts of a meeting's table, live or replayed.

import replay from "./replay.json";
import table from "./table.json";
import talk from "./talk.json";

export default {
  replay,
  table,
  talk,
};
