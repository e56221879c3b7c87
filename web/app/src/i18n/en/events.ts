// The texts of events: the files of the catalogue whose messages stand in events.

import answer from "../../../../../crates/messages/locales/en/answer.ftl?raw";
import failure from "../../../../../crates/messages/locales/en/failure.ftl?raw";
import note from "../../../../../crates/messages/locales/en/note.ftl?raw";
import question from "../../../../../crates/messages/locales/en/question.ftl?raw";
import remedy from "../../../../../crates/messages/locales/en/remedy.ftl?raw";

export default [answer, failure, note, question, remedy].join("\n");
