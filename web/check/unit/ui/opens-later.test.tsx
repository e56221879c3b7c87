// Components that open behind a button, from its first press on: by keyboard and by pointer.

import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { expect, test, vi } from "vitest";
import { Menu } from "../../../app/src/ui/menu";
import { Popover } from "../../../app/src/ui/popover";

const button = (name: string) => screen.getByRole("button", { name });

function drawMenu() {
  const chosen = vi.fn();
  const actions = ["复制", "引用", "分叉"].map((label) => ({ label, onSelect: () => chosen(label) }));
  render(
    <StrictMode>
      <Menu trigger={<button type="button">更多</button>} items={actions} />
    </StrictMode>,
  );
  return chosen;
}

test("before its first press a menu says that it is one, and that it is closed", () => {
  drawMenu();
  expect(button("更多").getAttribute("aria-haspopup")).toBe("menu");
  expect(button("更多").getAttribute("aria-expanded")).toBe("false");
});

test.each([
  ["{Enter}", "复制"],
  [" ", "复制"],
  ["{ArrowDown}", "复制"],
  ["{ArrowUp}", "分叉"],
])("%s opens a menu at once, with the focus on an item, and escape goes back", async (key, first) => {
  const chosen = drawMenu();
  await userEvent.tab();
  await userEvent.keyboard(key);
  const item = await screen.findByRole("menuitem", { name: first });
  await waitFor(() => expect(document.activeElement).toBe(item));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(document.activeElement).toBe(button("更多"));
  expect(chosen).not.toHaveBeenCalled();
});

test("a click opens a menu, and an item of it does its action and gives the focus back", async () => {
  const chosen = drawMenu();
  await userEvent.click(button("更多"));
  await userEvent.click(await screen.findByRole("menuitem", { name: "引用" }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith("引用");
  await waitFor(() => expect(document.activeElement).toBe(button("更多")));
});

test("a sheet takes the focus in and gives it back", async () => {
  render(
    <StrictMode>
      <Popover label="预算" trigger={<button type="button">花费</button>}>
        <button type="button">里面</button>
      </Popover>
    </StrictMode>,
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("dialog", { name: "预算" })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText("里面")));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(button("花费"));
});
