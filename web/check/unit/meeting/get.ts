// Fetches over Node's own HTTP: a test's document belongs to no origin that may ask another.
import { get } from "node:http";

/** The fetch function of `httpApi` in tests. */
export function nodeGet(url: string): Promise<Response> {
  return new Promise((done, failed) => {
    const request = get(url, { agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", failed);
      answer.on("end", () => {
        const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        done(
          new Response(Buffer.concat(parts).toString("utf8"), { status: answer.statusCode ?? 0, headers }),
        );
      });
    });
    request.on("error", failed);
  });
}
