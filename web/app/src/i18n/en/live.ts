// The texts of a meeting's table, live or replayed, and of the way there.

import join from "./join.json";
import replay from "./replay.json";
import table from "./table.json";
import talk from "./talk.json";

export default {
  join,
  replay,
  table,
  talk,
};
