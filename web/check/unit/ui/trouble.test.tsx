// Errors in words: thrown ones, and those stored with a meeting.

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ProblemError } from "../../../app/src/api/client";
import { ErrorNotice } from "../../../app/src/ui/surface";

const GONE = { type: "#unreachable", title: "连不上服务器", status: 0, detail: "", hint: "检查它是否在运行" };

test.each([
  ["a blind round", "#blind-round"],
  ["a ballot", "#open-ballot"],
])("what is withheld in %s is no error, and asks for no second try", (_, sort) => {
  const withheld = { ...GONE, type: `/api/v1/problems${sort}`, status: 403, detail: "结束后可见" };
  render(<ErrorNotice error={withheld} onRetry={() => {}} />);
  expect(screen.getByRole("status").textContent).toBe("结束后可见");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
});

test.each([
  ["thrown", new ProblemError(GONE)],
  ["kept", GONE],
])("a problem that was %s says what it is and what helps", (_, error) => {
  render(<ErrorNotice error={error} />);
  expect(screen.getByRole("alert").textContent).toBe("连不上服务器检查它是否在运行");
});
