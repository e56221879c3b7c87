// Notifications of turns and mentions: only where they were allowed, and only for a user who looks elsewhere.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askToNotify, notifying, notifyMention, notifyTurn } from "../../../app/src/shell/notifications";

class Notice {
  static permission: NotificationPermission = "granted";
  static shown: Notice[] = [];
  static requestPermission = vi.fn(async () => {
    Notice.permission = "granted";
    return Notice.permission;
  });
  onclick: (() => void) | null = null;
  closed = false;

  constructor(
    readonly text: string,
    readonly options: NotificationOptions,
  ) {
    Notice.shown.push(this);
  }

  close() {
    this.closed = true;
  }
}

const look = (visibility: DocumentVisibilityState, focus: boolean) => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visibility);
  vi.spyOn(document, "hasFocus").mockReturnValue(focus);
};

beforeEach(() => {
  [Notice.permission, Notice.shown] = ["granted", []];
  vi.stubGlobal("Notification", Notice);
  vi.stubGlobal("isSecureContext", true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a user who looks at the page is not notified", () => {
  look("visible", true);
  notifyTurn("轮到你了", "t1");
  expect(Notice.shown).toEqual([]);
});

test.each([
  ["the tab is hidden", "hidden", false],
  ["another window is in front", "visible", false],
] as const)("who looks elsewhere is notified: %s", (_, visibility, focus) => {
  look(visibility, focus);
  const away = notifyTurn("轮到你了", "t1");
  expect(Notice.shown.map((one) => [one.text, one.options.tag])).toEqual([["轮到你了", "t1"]]);
  const came = vi.spyOn(window, "focus").mockImplementation(() => {});
  Notice.shown[0]?.onclick?.();
  expect(came).toHaveBeenCalledOnce();
  expect(Notice.shown[0]?.closed).toBe(true);
  away();
});

test("who presses the notification of a mention gets to the message", () => {
  look("hidden", false);
  const open = vi.fn();
  notifyMention("Ada 提到你", "@林 看", "mention m 7", open);
  vi.spyOn(window, "focus").mockImplementation(() => {});
  expect(Notice.shown[0]?.options).toEqual({ tag: "mention m 7", body: "@林 看" });
  Notice.shown[0]?.onclick?.();
  expect(open).toHaveBeenCalledOnce();
});

test("it goes when the turn is over", () => {
  look("hidden", false);
  notifyTurn("轮到你了", "t1")();
  expect(Notice.shown[0]?.closed).toBe(true);
});

test("what was not allowed is not done, and is asked for only on demand", async () => {
  look("hidden", false);
  for (const permission of ["default", "denied"] as const) {
    Notice.permission = permission;
    notifyTurn("轮到你了", "t1");
  }
  expect(Notice.shown).toEqual([]);
  Notice.permission = "default";
  expect(notifying()).toBe("ask");
  expect(Notice.requestPermission).not.toHaveBeenCalled();
  expect(await askToNotify()).toBe("yes");
});

test("a browser without them, and plain http, ask for nothing", () => {
  vi.stubGlobal("isSecureContext", false);
  expect(notifying()).toBe("no");
});

test("a phone that lets only a worker notify keeps going", () => {
  look("hidden", false);
  vi.stubGlobal(
    "Notification",
    class extends Notice {
      constructor(text: string, options: NotificationOptions) {
        super(text, options);
        throw new TypeError("Illegal constructor");
      }
    },
  );
  expect(() => notifyTurn("轮到你了", "t1")()).not.toThrow();
});
