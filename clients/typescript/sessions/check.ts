// What the sessions share: where the server is, and checks that end a session with a sentence.

/** A variable that `cargo xtask clients` sets. */
function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: run cargo xtask clients`);
  return value;
}

export const baseUrl = variable("QUORATE_URL");
export const token = variable("QUORATE_TOKEN");

/** Ends the session when something is not as it should be. */
export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`not as it should be: ${what}`);
}

/** What an answer has to contain. */
export function given<T>(value: T | null | undefined, what: string): T {
  check(value !== null && value !== undefined, what);
  return value;
}
