// How much of a text still fits, and how much of it is too much, in both languages.

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { AnswerFields } from "../../../app/src/features/turn/fields";
import { setLanguage } from "../../../app/src/i18n";

afterEach(async () => {
  cleanup();
  await setLanguage("zh-CN");
});

test.each([
  ["zh-CN", ["还可以写 1 个字", "还可以写 0 个字", "超出 1 个字", "超出 2 个字"]],
  ["en", ["1 character left", "0 characters left", "1 character too many", "2 characters too many"]],
] as const)("near its end a text counts down, and beyond it up (%s)", async (language, hints) => {
  await setLanguage(language);
  for (const [at, hint] of hints.entries()) {
    const filled = "字".repeat(9 + at);
    render(
      <AnswerFields
        shape={{ kind: "text", most: 10, nullable: false }}
        filled={filled}
        onChange={() => {}}
        faults={{}}
      />,
    );
    const box = screen.getByRole("textbox");
    expect(document.getElementById(box.getAttribute("aria-describedby") ?? "")?.textContent).toBe(hint);
    cleanup();
  }
});
