// Errors in words: thrown ones, and those stored with a meeting.

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ProblemError } from "../../../app/src/api/client";
import { Trouble } from "../../../app/src/ui/surface";

const GONE = { type: "#unreachable", title: "连不上服务器", status: 0, detail: "", hint: "检查它是否在运行" };

test.each([
  ["thrown", new ProblemError(GONE)],
  ["kept", GONE],
])("a problem that was %s says what it is and what helps", (_, error) => {
  render(<Trouble error={error} />);
  expect(screen.getByRole("alert").textContent).toBe("连不上服务器检查它是否在运行");
});
