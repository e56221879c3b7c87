// All texts of the language.

import first from "./first";
import meeting from "./meeting";
import pages from "./pages";
import panels from "./panels";

export default { ...first, ...meeting, ...panels, ...pages };
