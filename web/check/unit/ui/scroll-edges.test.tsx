// Tabs that have no room beside each other say on which side there are more, and lead there.

import { fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Tabs } from "../../../app/src/ui/tabs";

afterEach(() => vi.restoreAllMocks());

test("an end beyond which there is more can be pressed, and is not there at the last", () => {
  const scrolled = vi.fn();
  Object.assign(HTMLElement.prototype, { scrollBy: scrolled });
  vi.spyOn(HTMLElement.prototype, "scrollWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(350);
  const { container } = render(
    <Tabs
      label="x"
      value="a"
      onChange={() => {}}
      tabs={[
        { value: "a", label: "甲" },
        { value: "b", label: "乙" },
      ]}
    >
      <p>甲的内容</p>
    </Tabs>,
  );
  const ends = () => [...container.querySelectorAll("button[aria-hidden]")];
  expect(ends().length).toBe(1);
  fireEvent.click(ends()[0] as Element);
  expect(scrolled).toHaveBeenCalledWith({ left: 245, behavior: "smooth" });
  const list = container.querySelector<HTMLElement>("[role=tablist]");
  if (!list) throw new Error("no list");
  list.scrollLeft = 250;
  fireEvent.scroll(list);
  expect(ends().length).toBe(1);
  list.scrollLeft = 100;
  fireEvent.scroll(list);
  expect(ends().length).toBe(2);
});
