// In which language the page begins: the one that was chosen, else the first that its reader reads.

import { afterEach, expect, test, vi } from "vitest";
import { startLanguage } from "../../app/src/i18n";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test.each([
  { kept: null, read: ["en-GB", "zh-CN"], spoken: "en" },
  { kept: null, read: ["de-AT", "zh-TW", "en"], spoken: "zh-CN" },
  { kept: null, read: ["fr"], spoken: "zh-CN" },
  { kept: "zh-CN", read: ["en"], spoken: "zh-CN" },
  { kept: "en", read: ["zh-CN"], spoken: "en" },
])("with $kept chosen and $read read the page begins in $spoken", async ({ kept, read, spoken }) => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(read);
  if (kept) {
    localStorage.setItem("quorate.language", kept);
  }
  await startLanguage();
  expect(document.documentElement.lang).toBe(spoken);
});
