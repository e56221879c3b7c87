// Whether one vendor has most of the seats.

import type { Agent } from "../../api/schema";
import { type Form, headCount, isProcess, participantChoice } from "../../meeting-form/form";

/** The provider that has more than half of the seats, when it is known who answers and there are at least three. */
export function dominantVendor(form: Form, agents: readonly Agent[]): string | undefined {
  if (form.simulate) {
    return undefined;
  }
  const models = providersOf(form, agents);
  const counts = new Map<string, number>();
  for (const provider of models) {
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && models.length >= 3 && most[1] > models.length / 2 ? most[0] : undefined;
}

const providerOf = (model: string) => model.split("/")[0] ?? model;

/** The provider of each seat, as far as the form says. */
function providersOf(form: Form, agents: readonly Agent[]): string[] {
  const inTurn = form.models.filter((model) => !isProcess(model)).map(providerOf);
  if (participantChoice(form) !== "named") {
    const seats = Array.from({ length: headCount(form) });
    return inTurn.length > 0 ? seats.map((_, at) => inTurn[at % inTurn.length] ?? "") : [];
  }
  let next = 0;
  return form.seats.flatMap((seat) => {
    if (seat.kind === "simulated") {
      return [];
    }
    if (seat.kind === "agent") {
      const runner = agents.find((one) => one.name === seat.name)?.runner;
      return runner?.kind === "model" ? [runner.provider] : [];
    }
    if (isProcess(seat.model)) {
      return [];
    }
    if (seat.model) {
      return [providerOf(seat.model)];
    }
    const turn = inTurn[next % Math.max(inTurn.length, 1)];
    next += 1;
    return turn ? [turn] : [];
  });
}
