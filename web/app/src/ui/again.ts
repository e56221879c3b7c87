// Fetching again what could not be fetched.

/** Is over after so long. */
export const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));

/**
 * Fetches it, again and again until it is there. `failed` is told the first time that it was not. Chromium remembers that
 * a script could not be fetched for as long as the page stands.
 */
export async function again<T>(fetch: () => Promise<T>, failed?: (error: unknown) => void): Promise<T> {
  try {
    return await fetch();
  } catch (error) {
    failed?.(error);
    await pause(2_000);
    return again(fetch);
  }
}
