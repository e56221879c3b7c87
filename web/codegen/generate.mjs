// Writes the types of the interface (app/src/api/schema.d.ts) from docs/openapi.json. Their first line names the
// document that they come from, so that a test without Node.js can see when they are stale.
//
// node generate.mjs          writes them
// node generate.mjs --fresh  fails when they come from another document; needs no packages
// node generate.mjs --check  fails when they are not what would be written

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const DOCUMENT = new URL("../../docs/openapi.json", import.meta.url);
const TYPES = new URL("../app/src/api/schema.d.ts", import.meta.url);
const OPTIONS = { alphabetize: true, rootTypes: true, rootTypesNoSchemaPrefix: true };

// Git may give lines other ends on some machines; they say nothing.
const read = (file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n");

const document = read(DOCUMENT);
const firstLine = `// From docs/openapi.json with the SHA-256 ${createHash("sha256").update(document).digest("hex")}.\n`;
const there = existsSync(TYPES) ? read(TYPES) : "";
const request = process.argv[2];

if (request === "--fresh") {
  process.exit(there.startsWith(firstLine) ? 0 : 1);
}
const { astToString, COMMENT_HEADER, default: typesOf } = await import("openapi-typescript");
const types = firstLine + COMMENT_HEADER + astToString(await typesOf(JSON.parse(document), OPTIONS));

if (request === "--check") {
  if (there !== types) {
    process.stderr.write("web/app/src/api/schema.d.ts is stale: npm run generate (in web/)\n");
    process.exit(1);
  }
} else if (there !== types) {
  writeFileSync(TYPES, types);
  process.stdout.write("web/app/src/api/schema.d.ts is written anew\n");
}
