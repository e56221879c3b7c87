// Tabs bring the chosen one into sight within their list, and leave the page around them where it is.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { split, Tabs } from "../../../app/src/ui/tabs";

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

test("tabs that do not fit are in a menu, and the chosen one never is", () => {
  const values = (of: { value: string }[]) => of.map(({ value }) => value).join("");
  const all = [..."abcdefgh"].map((value) => ({ value, label: value }));
  const at = (value: string, room: number) => {
    const { shown, rest } = split(all, value, room);
    return `${values(shown)} ${values(rest)}`;
  };
  expect(at("a", 8)).toBe("abcdefgh ");
  expect(at("a", 5)).toBe("abcde fgh");
  expect(at("e", 5)).toBe("abcde fgh");
  expect(at("g", 5)).toBe("abcdg efh");
  expect(at("h", 2)).toBe("ah bcdefg");
});

test("a tab of the menu is chosen there", async () => {
  const chosen = vi.fn();
  render(
    <Tabs
      label="views"
      tabs={[..."abcdefg"].map((value) => ({ value, label: value }))}
      value="a"
      most={5}
      onChange={chosen}
    >
      what it shows
    </Tabs>,
  );
  expect(screen.getAllByRole("tab")).toHaveLength(5);
  await userEvent.click(screen.getByRole("button", { name: "更多" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "g" }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith("g");
});

test("arrows move the focus around the row, and a press chooses", async () => {
  const user = userEvent.setup();
  const chosen = vi.fn();
  render(
    <Tabs label="views" tabs={TABS} value="one" onChange={chosen}>
      what it shows
    </Tabs>,
  );
  const focused = () => document.activeElement?.textContent;
  await user.tab();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(focused()).toBe("three");
  await user.keyboard("{ArrowRight}");
  expect(focused()).toBe("one");
  await user.keyboard("{End}{ArrowLeft}");
  expect(focused()).toBe("two");
  expect(chosen).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  expect(chosen).toHaveBeenCalledWith("two");
  expect(screen.getByRole("tabpanel", { name: "one" }).textContent).toBe("what it shows");
});
