// Tests of components run in Chinese, the default language, and leave the document as they found it. Tests of
// a meeting's data run without a document.

import { afterEach, beforeAll } from "vitest";

if (typeof window !== "undefined") {
  const { cleanup, configure } = await import("@testing-library/react");
  const { loadCatalogue, loadSettingsTexts, startLanguage } = await import("../../app/src/i18n");
  // What is fetched when it is wanted has to be read first, on a busy machine.
  configure({ asyncUtilTimeout: 8_000 });
  beforeAll(async () => {
    localStorage.clear();
    Object.defineProperty(navigator, "languages", { get: () => ["zh-CN", "en"], configurable: true });
    await startLanguage();
    await Promise.all([loadCatalogue(), loadSettingsTexts()]);
  });
  afterEach(() => cleanup());
}
