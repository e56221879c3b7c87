// Words that something else than the composer wants in the composer.

const takers = new Set<(text: string) => void>();

/** Puts words where the person writes, at the caret: `@苏棠 `. */
export function insertText(text: string): void {
  for (const take of takers) {
    take(text);
  }
}

/** The composer takes such words from now on. */
export function onInsert(take: (text: string) => void): () => void {
  takers.add(take);
  return () => takers.delete(take);
}

/** A name as it is mentioned: in quotes when it has a space or a sign in it. */
export function mentionOf(name: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? `@${name} ` : `@"${name}" `;
}
