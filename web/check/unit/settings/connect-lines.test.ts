// The lines for editors and coding agents are complete, and a program is told the language of the reader.

import { expect, test } from "vitest";
import { CLIENTS, lines } from "../../../app/src/features/settings/connect-lines";

const SERVER = "http://127.0.0.1:7420";

test("every client is given the address and the token", () => {
  for (const client of CLIENTS) {
    const text = lines(client, SERVER, "qt_abc", "en");
    expect(text).toContain("qt_abc");
    expect(text).toContain(SERVER);
  }
});

test("a program that is given no locale speaks the language of the reader", () => {
  const environment = (language: string): unknown => {
    const config = JSON.parse(lines("program", SERVER, "qt_abc", language)) as {
      mcpServers: { quorate: { env: unknown } };
    };
    return config.mcpServers.quorate.env;
  };
  expect(environment("en")).toEqual({ QUORATE_TOKEN: "qt_abc", QUORATE_LANG: "en" });
  for (const chinese of ["zh", "zh-CN"]) {
    expect(environment(chinese)).toEqual({ QUORATE_TOKEN: "qt_abc", QUORATE_LANG: "zh" });
  }
});

test("a program is told to be a server of the protocol before it is told for which address", () => {
  const { mcpServers } = JSON.parse(lines("program", SERVER, "qt_abc", "en"));
  expect(mcpServers.quorate.args).toEqual(["mcp", "--server", SERVER]);
});
