// All texts of the language.

import first from "./first";
import meeting from "./meeting";
import rest from "./rest";

export default { ...first, ...meeting, ...rest };
