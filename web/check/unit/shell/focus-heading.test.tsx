// After a step to another page its heading has the focus, unless the page or the user puts it elsewhere.

import { act, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useHeadingFocus } from "../../../app/src/shell/navigation";

function Frame({ path, children }: { path: string; children?: React.ReactNode }) {
  useHeadingFocus(path);
  return (
    <>
      <a href="#meetings">All meetings</a>
      <main id="main">{children}</main>
    </>
  );
}

test("the heading of the next page has it, also when it comes late; that of the first page does not", async () => {
  const page = render(
    <Frame path="/">
      <h1>Home</h1>
    </Frame>,
  );
  expect(document.activeElement).toBe(document.body);
  screen.getByRole("link").focus();
  page.rerender(<Frame path="/meetings" />);
  page.rerender(
    <Frame path="/meetings">
      <h1>Meetings</h1>
    </Frame>,
  );
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Meetings"));
});

test("of settings it is the heading of the chosen part", async () => {
  const part = (
    <>
      <h1>Settings</h1>
      <div data-chosen-part>
        <h2>Tokens</h2>
      </div>
    </>
  );
  const page = render(<Frame path="/" />);
  page.rerender(<Frame path="/settings/tokens">{part}</Frame>);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Tokens"));
});

test("a field that takes the focus keeps it", async () => {
  const page = render(<Frame path="/" />);
  page.rerender(
    <Frame path="/new">
      <h1>New</h1>
      {/* biome-ignore lint/a11y/noAutofocus: this is what is tested */}
      <input autoFocus />
    </Frame>,
  );
  await act(() => new Promise((done) => setTimeout(done, 60)));
  expect(document.activeElement?.tagName).toBe("INPUT");
});
