// Contents of artifacts, read field by field: the server defines their shape, and an older one may lack a
// field.

import { type Fields, isFields } from "../../ui/json";

/** The text in a field; empty when there is none. */
export function textIn(from: Fields, key: string): string {
  const value = from[key];
  return typeof value === "string" ? value : "";
}

/** The texts in a list. */
export function textsIn(from: Fields, key: string): string[] {
  const value = from[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The objects in a list. */
export function listIn(from: Fields, key: string): Fields[] {
  const value = from[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** A level of priority, likelihood or impact. */
export type Level = "high" | "medium" | "low";

/** The level in a field. */
export function levelIn(from: Fields, key: string): Level {
  const value = from[key];
  return value === "high" || value === "low" ? value : "medium";
}

/** Whether an artifact has contents of its own. */
export function hasContent(artifact: { type: string; content: unknown }): boolean {
  const { type, content } = artifact;
  if (!isFields(content)) {
    return false;
  }
  switch (type) {
    case "TASKS":
      return listIn(content, "tasks").length > 0;
    case "RISKS":
      return listIn(content, "risks").length > 0;
    case "ADR":
      return isFields(content.decision) && textIn(content.decision, "text") !== "";
    case "SUMMARY":
      return textIn(content, "summary") !== "" || listIn(content, "key_points").length > 0;
    case "MINUTES":
      return (
        ["content", "summary"].some((key) => textIn(content, key) !== "") ||
        ["decisions", "actions", "risks"].some((key) => listIn(content, key).length > 0)
      );
    default:
      return Object.keys(content).length > 0;
  }
}

/** An artifact in a few words: its decision, or its lines one after another. Empty without contents. */
export function gistOf(artifact: { type: string; content: unknown }, comma: string): string {
  const { type, content } = artifact;
  if (!isFields(content) || !hasContent(artifact)) {
    return "";
  }
  const all = (list: string, key: string) =>
    listIn(content, list)
      .map((line) => textIn(line, key))
      .filter(Boolean)
      .join(comma);
  switch (type) {
    case "ADR":
      return isFields(content.decision) ? textIn(content.decision, "text") : "";
    case "TASKS":
      return all("tasks", "title");
    case "RISKS":
      return all("risks", "risk");
    default:
      return textIn(content, "summary") || textIn(content, "content") || all("key_points", "text");
  }
}
