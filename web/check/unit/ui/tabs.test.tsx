// Tabs bring the chosen one into sight within their list, and leave the page around them where it is.

import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Tabs } from "../../../app/src/ui/tabs";

afterEach(() => vi.restoreAllMocks());

const TABS = ["one", "two", "three"].map((value) => ({ value, label: value }));

test("only the list moves", () => {
  const page = vi.fn();
  Element.prototype.scrollIntoView = page;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    return this.getAttribute("role") === "tablist" ? new DOMRect(0, 0, 100, 30) : new DOMRect(180, 0, 60, 30);
  });
  render(
    <Tabs label="views" tabs={TABS} value="three" onChange={() => undefined}>
      what it shows
    </Tabs>,
  );
  expect(screen.getByRole("tablist").scrollLeft).toBe(176);
  expect(page).not.toHaveBeenCalled();
});
