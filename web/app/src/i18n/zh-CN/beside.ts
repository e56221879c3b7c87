// The texts of what is opened beside a transcript or over it.

import dialog from "./dialog.json";
import files from "./files.json";
import panel from "./panel.json";

export default {
  dialog,
  files,
  panel,
};
