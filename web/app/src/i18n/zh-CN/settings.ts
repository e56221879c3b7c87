// The texts of the settings, of the library of agents, of the form of a new meeting, of replays and signing in, and of windows that are opened now and
// then.

import agents from "./agents.json";
import create from "./create.json";
import dialog from "./dialog.json";
import join from "./join.json";
import replay from "./replay.json";
import settings from "./settings.json";
import share from "./share.json";
import signin from "./signin.json";

export default { agents, create, dialog, join, replay, settings, share, signin };
