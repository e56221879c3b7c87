// Diagrams: what a frame sends is not trusted, and the source is always there.

import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { parse } from "../../app/src/diagram/pie";
import { Markdown } from "../../app/src/markdown";
import { read } from "../../app/src/markdown/diagram-frame";

test("an image is made of a drawing alone", () => {
  const drawn = read({
    svg: '<svg xmlns="http://www.w3.org/2000/svg"><text>选择 #1</text></svg>',
    width: 10,
    height: 5,
  });
  expect(drawn?.address).toMatch(/^data:image\/svg\+xml,%3Csvg/);
  expect(drawn?.address).not.toContain("#");
  for (const answer of [
    undefined,
    null,
    "svg",
    {},
    { svg: 1, width: 1, height: 1 },
    { svg: "<svg/>", width: "100%", height: 1 },
    { svg: "<svg/>", width: 0, height: 1 },
    { svg: "<svg/>", width: 1e9, height: 1 },
    { svg: "<svg/>", width: Number.NaN, height: 1 },
    { svg: "x".repeat(1_000_001), width: 1, height: 1 },
  ]) {
    expect(read(answer)).toBeUndefined();
  }
});

test("until it is drawn, and while it is written, a diagram is its source", () => {
  for (const open of [false, true]) {
    const { container } = render(<Markdown text={"```mermaid\ngraph TD; A-->B\n```"} open={open} />);
    expect(container.querySelector("pre")?.textContent).toContain("A-->B");
  }
  expect(document.querySelector("iframe")).toBeNull();
});

test("pie charts are read as Mermaid reads them", async () => {
  const pie = await parse(
    "pie",
    'pie showData title 选票\n  %% a comment\n  "赞成" : 3\n  "Against" : 1.5\n',
  );
  expect(pie).toMatchObject({
    showData: true,
    title: "选票",
    sections: [
      { label: "赞成", value: 3 },
      { label: "Against", value: 1.5 },
    ],
  });
  await expect(parse("pie", "pie\n  nonsense")).rejects.toThrow();
  await expect(parse("gitGraph", "gitGraph")).rejects.toThrow();
});
