// The texts of events: the files of the catalogue whose messages stand in events.

import answer from "../../../../../crates/messages/locales/zh/answer.ftl?raw";
import failure from "../../../../../crates/messages/locales/zh/failure.ftl?raw";
import note from "../../../../../crates/messages/locales/zh/note.ftl?raw";
import question from "../../../../../crates/messages/locales/zh/question.ftl?raw";
import remedy from "../../../../../crates/messages/locales/zh/remedy.ftl?raw";

export default [answer, failure, note, question, remedy].join("\n");
