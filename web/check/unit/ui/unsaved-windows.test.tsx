// Every window with something typed asks before Esc closes it.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { MeetingListItem } from "../../../app/src/api/schema";
import { ForkDialog } from "../../../app/src/components/fork/fork";
import { Invitations } from "../../../app/src/components/people/invitations";
import { MeetingPassword } from "../../../app/src/components/people/meeting-password";
import TagsDialog from "../../../app/src/components/tags/tags-dialog";
import SaveTemplate from "../../../app/src/features/create/template-save";
import Templates from "../../../app/src/features/create/templates";
import RenameDialog from "../../../app/src/features/history/rename-dialog";
import TakeSeat from "../../../app/src/features/participants/take-seat";
import { PasswordForm } from "../../../app/src/features/settings/password";
import { emptyForm } from "../../../app/src/meeting-form/form";
import { Dialog } from "../../../app/src/ui/dialog";
import { at, golden, server } from "../table/at";

const view = golden("zh/consensus");
const row = { ...view, title: "title", tags: ["a"] } as unknown as MeetingListItem;

const close = vi.fn();
const inWindow = (form: ReactNode) => (
  <Dialog open onOpenChange={close} title="window">
    {form}
  </Dialog>
);

const windows: Record<string, () => ReactNode> = {
  fork: () => <ForkDialog id={view.id} view={view} open onOpenChange={close} />,
  rename: () => <RenameDialog row={row} onClose={close} />,
  tags: () => <TagsDialog meeting={row} onClose={close} />,
  invitation: () => inWindow(<Invitations id={view.id} />),
  "meeting password": () => inWindow(<MeetingPassword id={view.id} />),
  "account password": () => inWindow(<PasswordForm name="ada" own={false} onDone={close} />),
  seat: () => <TakeSeat open onOpenChange={close} />,
  template: () => <SaveTemplate form={emptyForm()} onClose={close} />,
  "name of a template": () => <Templates onClose={close} onUse={() => {}} />,
};

afterEach(() => {
  vi.unstubAllGlobals();
  close.mockClear();
});

test.for(Object.entries(windows))("%s", async ([name, shown]) => {
  server(({ path }) => {
    const template = { id: "t1", name: "before", version: 1, body: {}, updated_at: view.created_at };
    return Response.json({ locked: false, items: path.includes("/templates") ? [template] : [] });
  });
  await at(view, shown());
  const user = userEvent.setup();
  const dialog = await screen.findByRole("dialog");
  if (name === "name of a template") {
    await within(dialog).findByText("before");
    await user.click(dialog.querySelector("button:has(.lucide-pencil)") as HTMLElement);
  }
  const fields = "input:not([inputmode], [role], [type=hidden], [type=checkbox], [aria-hidden])";
  const field = await vi.waitUntil(() => [...dialog.querySelectorAll<HTMLInputElement>(fields)].at(-1));
  await user.type(field, "something");
  await user.keyboard("{Escape}");
  await screen.findByRole("alertdialog");
  expect(close).not.toHaveBeenCalled();
});
