// The last step of a build: puts the licences of its two parts into one file, and lays compressed twins beside what
// compresses well, for the server to send as they are.

import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const KINDS = new Set([".html", ".js", ".css", ".json", ".svg", ".md", ".txt", ".webmanifest"]);
// Below it the headers weigh as much as what is saved.
const LEAST_BYTES = 1024;
// What is so large is fetched by few (`diagram.html`), and every binary carries it: by gzip, which all browsers take.
const LARGE_BYTES = 1_000_000;

const folder = fileURLToPath(new URL("dist", import.meta.url));
const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

const more = join(folder, "licenses-diagrams.md");
appendFileSync(join(folder, "licenses.md"), `\n${readFileSync(more, "utf8")}`);
rmSync(more);

let [before, after] = [0, 0];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || !KINDS.has(extname(entry.name))) continue;
  const bytes = readFileSync(file);
  if (bytes.length < LEAST_BYTES) continue;
  const gz = gzipSync(bytes, { level: 9 });
  const twins = bytes.length < LARGE_BYTES ? { br: brotli(bytes), gz } : { gz };
  for (const [ending, twin] of Object.entries(twins)) {
    if (twin.length < bytes.length) writeFileSync(`${file}.${ending}`, twin);
  }
  before += bytes.length;
  after += (twins.br ?? gz).length;
}
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
process.stdout.write(`compressed ${kilobytes(before)} to ${kilobytes(after)}\n`);
