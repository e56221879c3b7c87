// All texts of the language.

import beside from "./beside";
import front from "./front";
import live from "./live";
import rest from "./rest";

export default { ...front, ...live, ...beside, ...rest };
