// Pages of the web that a message cites are links; what is no address of the web is none.

import { expect, test } from "vitest";
import { webAddress } from "../../../app/src/components/web-link";

const at = (path: string) => webAddress({ call: "t1", seq: 3, path });

test("only addresses of http and https become links", () => {
  for (const good of ["https://stats.example/rents?year=2026", "HTTP://a.example", "https://[::1]:8/x#y"]) {
    expect(at(good)).toBe(good);
  }
  for (const bad of [
    "javascript:alert(1)",
    "javascript://a.example/%0aalert(1)",
    "data:text/html,x",
    "https://bank.example@evil.example/",
    "https://",
    "//a.example",
    "src/main.rs",
  ]) {
    expect(at(bad)).toBeUndefined();
  }
  expect(webAddress({ call: "t1", seq: 3 })).toBeUndefined();
});
