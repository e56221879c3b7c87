// Fetching again what could not be fetched.

/** Resolves after `ms` milliseconds. */
const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));

/**
 * Loads a module, again and again until it succeeds. `failed` is called after the first failure. Chromium
 * remembers a failed script for as long as the page is open.
 */
export async function retry<T>(fetch: () => Promise<T>, failed?: (error: unknown) => void): Promise<T> {
  try {
    return await fetch();
  } catch (error) {
    failed?.(error);
    await pause(2_000);
    return retry(fetch);
  }
}
