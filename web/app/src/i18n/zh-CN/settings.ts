// The texts of the settings and of the library of agents, which no meeting shows.

import agents from "./agents.json";
import settings from "./settings.json";

export default { agents, settings };
