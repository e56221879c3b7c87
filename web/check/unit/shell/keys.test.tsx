// Keys begin nothing by mistake: not while they are held, not while somebody types or composes, not when they are switched off.

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import General from "../../../app/src/features/settings/general";
import { isCharacters, setSingleKeys, startKeys, useShortcuts } from "../../../app/src/shell/keys";

const did = vi.fn<(what: string) => void>();

function Page() {
  useShortcuts("page", [
    { keys: "p", label: "pause", run: () => did("p") },
    { keys: "g h", label: "home", run: () => did("g h") },
    { keys: "?", label: "help", run: () => did("?") },
    { keys: "ArrowRight", label: "on", run: () => did("ArrowRight") },
    { keys: "mod+k", label: "palette", run: () => did("mod+k"), always: true },
    { label: "by the palette alone", run: () => did("none") },
  ]);
  return (
    <>
      <textarea aria-label="words" />
      <div role="menu" tabIndex={-1}>
        <div role="menuitem" tabIndex={-1}>
          print
        </div>
      </div>
    </>
  );
}

beforeAll(() => startKeys());
afterEach(() => {
  cleanup();
  setSingleKeys(true);
  did.mockClear();
});

const press = (key: string, more: object = {}, at: Element = document.body) =>
  fireEvent.keyDown(at, { key, ...more });

test("a key that is held acts once", () => {
  render(<Page />);
  press("p");
  for (let count = 0; count < 11; count += 1) press("p", { repeat: true });
  press("k", { ctrlKey: true });
  press("k", { ctrlKey: true, repeat: true });
  expect(did.mock.calls).toEqual([["p"], ["mod+k"]]);
  press("g", { repeat: true });
  press("h");
  expect(did).toHaveBeenCalledTimes(2);
});

test("nothing is begun while somebody types, composes, or goes through a menu by letters", () => {
  render(<Page />);
  press("p", {}, screen.getByRole("textbox"));
  press("p", { isComposing: true });
  press("p", { keyCode: 229 });
  press("p", {}, screen.getByRole("menuitem"));
  expect(did).not.toHaveBeenCalled();
  press("k", { ctrlKey: true }, screen.getByRole("textbox"));
  expect(did).toHaveBeenCalledExactlyOnceWith("mod+k");
});

test("switched off, characters do nothing, and all other keys go on working", () => {
  render(<Page />);
  setSingleKeys(false);
  for (const key of ["p", "g", "h", "?"]) press(key);
  expect(did).not.toHaveBeenCalled();
  press("ArrowRight");
  press("k", { ctrlKey: true });
  expect(did.mock.calls).toEqual([["ArrowRight"], ["mod+k"]]);
  expect(["p", "g h", "?", "]"].every(isCharacters)).toBe(true);
  expect(["Space", "End", "ArrowLeft", "mod+k"].some(isCharacters)).toBe(false);
});

test("the settings of this browser switch them off", () => {
  render(
    <QueryClientProvider client={queries}>
      <Page />
      <General />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("switch", { name: "单键快捷键" }));
  press("p");
  expect(did).not.toHaveBeenCalled();
  expect(localStorage.getItem("quorate.single_keys")).toBe("off");
});
