// Suggestions of the composer: names after `@`, commands after `/`, and their arguments.

import { guest, type Person } from "../../components/speaker/people";
import { type Command, commandIn } from "./commands";
import { nameBegun, namesLike, withName } from "./mention-completion";

/** One suggestion. */
export interface Suggestion {
  key: string;
  /** The kind of suggestion. */
  sort: "name" | "command" | "choice";
  label: string;
  person?: Person;
  command?: Command;
  /** The text with the suggestion, and the position of the caret. */
  take: () => { text: string; caret: number };
}

/** The suggestions for this text with the caret there. `others` are at the table without a seat, `own` are the user's seats. */
export function suggestionsFor(
  text: string,
  caret: number,
  people: readonly Person[],
  commands: readonly Command[],
  others: readonly string[] = [],
  own: ReadonlySet<string> = new Set(),
): Suggestion[] {
  const written = commandIn(text);
  if (written) {
    return written.spaced ? argumentOffers(written, people, commands) : commandOffers(written.word, commands);
  }
  const begun = nameBegun(text, caret);
  if (!begun) {
    return [];
  }
  const seated = present(people.filter((one) => !own.has(one.id ?? "")));
  const names = [...seated, ...others.filter((name) => !seated.includes(name))];
  return namesLike(names, begun.query).map((name) => ({
    key: name,
    sort: "name",
    label: name,
    person: people.find((one) => one.name === name) ?? guest(name),
    take: () => withName(text, begun, name),
  }));
}

function present(people: readonly Person[]): string[] {
  return people.filter((person) => person.present).map((person) => person.name);
}

function commandOffers(word: string, commands: readonly Command[]): Suggestion[] {
  return commands
    .filter((command) => command.name.startsWith(word))
    .map((command) => ({
      key: command.name,
      sort: "command",
      label: `/${command.name}`,
      command,
      take: () => ended(`/${command.name}${command.takes === "none" ? "" : " "}`),
    }));
}

function argumentOffers(
  { word, argument }: { word: string; argument: string },
  people: readonly Person[],
  commands: readonly Command[],
): Suggestion[] {
  const command = commands.find((one) => one.name === word);
  if (command?.takes === "choice") {
    return choicesLike(command, argument).map((choice) => ({
      key: choice,
      sort: "choice",
      label: choice,
      take: () => ended(`/${word} ${choice}`),
    }));
  }
  if (command?.takes !== "name" && command?.takes !== "name_choice") {
    return [];
  }
  const wanted = argument.replace(/^@?"?/, "");
  return namesLike(present(people), wanted)
    .filter((name) => name !== wanted)
    .map((name) => ({
      key: name,
      sort: "name",
      label: name,
      person: people.find((one) => one.name === name),
      take: () => ended(`/${word} ${name}${command.takes === "name_choice" ? " " : ""}`),
    }));
}

/** The choices that begin as it is written. */
function choicesLike({ choices = [] }: Command, begun: string): string[] {
  const word = begun.toLowerCase();
  return choices.filter((choice) => choice.toLowerCase().startsWith(word) && choice.toLowerCase() !== word);
}

function ended(text: string): { text: string; caret: number } {
  return { text, caret: text.length };
}
