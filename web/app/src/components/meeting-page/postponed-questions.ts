// Which pause's questions were put aside; those of any other pause are in sight.

import { Store, useStore } from "../../store/store";

const postponed = new Store<string | null>(null);

/** Shows the questions. */
export function showQuestions(): void {
  postponed.set(null);
}

/** Puts aside the questions of the pause with this token; the meeting stays paused. */
export function postponeQuestions(token: string): void {
  postponed.set(token);
}

/** Whether the questions of the pause with this token are in view. */
export function useQuestionsShown(token: string): boolean {
  return useStore(postponed) !== token;
}
