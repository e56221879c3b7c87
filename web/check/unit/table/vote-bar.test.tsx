// A vote is a bar with the line to pass; its colour says whether it passes, not whose it is.

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { thresholdOf, VoteBar } from "../../../app/src/components/ballot/vote-bar";
import Votes from "../../../app/src/features/panel/votes";
import { at, golden } from "./at";

test("the line lies where each vote, or their mean, has to reach", () => {
  const clause = (name: "mean_score" | "min_score" | "pass_ratio", needed: number) => ({
    clause: name,
    needed,
    got: 1,
    met: true,
  });
  const of = (...clauses: ReturnType<typeof clause>[]) =>
    thresholdOf({ clauses } as never, { mean_score: 10 });
  expect(of(clause("mean_score", 80))).toBe(80);
  expect(of(clause("mean_score", 80), clause("min_score", 60))).toBe(60);
  expect(of(clause("pass_ratio", 0.66))).toBeNull();
  expect(thresholdOf(null, { mean_score: 75 })).toBe(75);
});

test("what does not pass is not shown as a failure of the page, and no voice colours it", () => {
  render(<VoteBar score={56} pass={false} threshold={80} />);
  expect(screen.getByTestId("vote-fill").className).not.toMatch(/bad|voice/);
  expect(screen.getByTestId("vote-fill").style.width).toBe("56%");
  expect(screen.getByTestId("vote-threshold").style.left).toBe("80%");
});

test("each ballot of the panel has the line", async () => {
  await at(golden("zh/consensus"), <Votes />);
  expect((await screen.findAllByText("通过线 80")).length).toBeGreaterThan(0);
  expect(screen.getAllByTestId("vote-threshold").length).toBeGreaterThan(0);
});
