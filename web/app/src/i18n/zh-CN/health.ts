// What is found about the agreement of a meeting: a file of the program's catalogue.

export { default } from "../../../../../crates/messages/locales/zh/health.ftl?raw";
