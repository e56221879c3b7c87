// A window with edits that are not saved asks before it closes, also before the browser's Back takes it away.

import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { Dialog } from "../../../app/src/ui/dialog";
import { Unsaved } from "../../../app/src/ui/unsaved";

/** A window over the second page of two. */
async function second() {
  const Page = () => {
    const [open, setOpen] = useState(true);
    const [text, setText] = useState("");
    return (
      <Dialog open={open} onOpenChange={setOpen} title="window">
        <Unsaved when={text !== ""} />
        <input value={text} onChange={(event) => setText(event.target.value)} />
      </Dialog>
    );
  };
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: "/first", component: () => <p data-testid="first" /> }),
      createRoute({ getParentRoute: () => root, path: "/second", component: Page }),
    ]),
    history: createBrowserHistory(),
    defaultPendingMinMs: 0,
  });
  router.history.push("/first");
  await router.load();
  render(<RouterProvider router={router} />);
  await screen.findByTestId("first");
  router.history.push("/second");
  await screen.findByRole("dialog");
  return { user: userEvent.setup(), back: () => window.history.back() };
}

test("Back leaves a window in which nothing was typed", async () => {
  const { back } = await second();
  back();
  await screen.findByTestId("first");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Back asks before what was typed is lost, and stays when it is to be kept", async () => {
  const { user, back } = await second();
  await user.type(screen.getByRole("textbox"), "half a sentence");
  back();
  const question = await screen.findByRole("alertdialog");
  await waitFor(() => expect(location.pathname).toBe("/second"));
  await user.click(question.querySelector("button") as HTMLElement);
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByRole("textbox")).toHaveProperty("value", "half a sentence");
  expect(location.pathname).toBe("/second");
});

test("Back goes where it was to go once what was typed may be lost", async () => {
  const { user, back } = await second();
  await user.type(screen.getByRole("textbox"), "half a sentence");
  back();
  const question = await screen.findByRole("alertdialog");
  await waitFor(() => expect(location.pathname).toBe("/second"));
  await user.click([...question.querySelectorAll("button")].at(-1) as HTMLElement);
  await screen.findByTestId("first");
  expect(location.pathname).toBe("/first");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Esc asks, too, and closing then stays on the page", async () => {
  const { user } = await second();
  await user.type(screen.getByRole("textbox"), "half a sentence");
  await user.keyboard("{Escape}");
  const question = await screen.findByRole("alertdialog");
  await user.click([...question.querySelectorAll("button")].at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(location.pathname).toBe("/second");
});

test("a closed tab or another site asks as browsers do", async () => {
  const { user } = await second();
  const leaves = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leaves()).toBe(false);
  await user.type(screen.getByRole("textbox"), "half a sentence");
  expect(leaves()).toBe(true);
  await user.clear(screen.getByRole("textbox"));
  expect(leaves()).toBe(false);
});
