// The messages of the program's catalogue that stand in events and findings.

import answer from "../../../../../crates/messages/locales/zh/answer.ftl";
import failure from "../../../../../crates/messages/locales/zh/failure.ftl";
import health from "../../../../../crates/messages/locales/zh/health.ftl";
import note from "../../../../../crates/messages/locales/zh/note.ftl";
import question from "../../../../../crates/messages/locales/zh/question.ftl";
import remedy from "../../../../../crates/messages/locales/zh/remedy.ftl";

export default { ...answer, ...failure, ...health, ...note, ...question, ...remedy };
