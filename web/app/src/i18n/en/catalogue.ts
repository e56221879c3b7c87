// The messages of the program's catalogue that stand in events and findings.

import answer from "../../../../../crates/messages/locales/en/answer.ftl";
import failure from "../../../../../crates/messages/locales/en/failure.ftl";
import health from "../../../../../crates/messages/locales/en/health.ftl";
import note from "../../../../../crates/messages/locales/en/note.ftl";
import question from "../../../../../crates/messages/locales/en/question.ftl";
import remedy from "../../../../../crates/messages/locales/en/remedy.ftl";

export default { ...answer, ...failure, ...health, ...note, ...question, ...remedy };
