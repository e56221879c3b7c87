// Times are shown as the person chose, else as the meeting does, else as the reader's device does.

import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { setLanguage, useTranslation } from "../../../app/src/i18n";
import { choose } from "../../../app/src/preferences/preferences";
import { clock, dated, day, moment, showTimesOf } from "../../../app/src/shell/formatting";

/** 2026-03-01 00:05:09 UTC. */
const MOMENT = 1_772_323_509_000;

let close = () => {};
afterEach(async () => {
  act(() => {
    close();
    choose({ time_zone: null, time_format: null, date_format: null });
  });
  await act(() => setLanguage("zh-CN"));
});

test("the person's choice comes before the meeting's, and that before the default", async () => {
  expect(moment(MOMENT)).toBe("2026-03-01 08:05");
  close = showTimesOf({ time_zone: "America/New_York", time_format: "12h", date_format: "yyyy年M月d日" });
  expect(moment(MOMENT)).toBe("2026年2月28日 下午7:05");
  choose({ time_zone: "UTC", date_format: "dd.MM.yyyy" });
  expect(moment(MOMENT)).toBe("01.03.2026 上午12:05");
  await setLanguage("en");
  expect(clock(MOMENT, true)).toBe("12:05:09 AM");
  close();
  expect(clock(MOMENT)).toBe("00:05");
});

test("what is on the screen changes with it", async () => {
  function Shown() {
    const { t } = useTranslation();
    return (
      <p>
        {t("shell.name")} {clock(MOMENT)}
      </p>
    );
  }
  render(<Shown />);
  screen.getByText(/08:05/);
  act(() => {
    close = showTimesOf({ time_zone: "Europe/Berlin" });
  });
  screen.getByText(/01:05/);
  act(() => choose({ time_zone: "UTC" }));
  screen.getByText(/00:05/);
});

test("a zone that this browser does not know does no harm", () => {
  close = showTimesOf({ time_zone: "Mars/Olympus" });
  expect(day(MOMENT)).toBe("2026-03-01");
});

test.each([
  ["yyyy/MM/dd", "2026/03/01"],
  ["d.M.yyyy", "1.3.2026"],
  ["MM/dd/yy", "03/01/26"],
])("a date by the pattern %s", (pattern, text) => {
  expect(dated(pattern, MOMENT)).toBe(text);
});

test("where nothing was chosen, times are those of the reader's device", async () => {
  vi.resetModules();
  const real = Intl.DateTimeFormat.prototype.resolvedOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...real.call(this), timeZone: "Europe/Berlin" };
  });
  const fresh = await import("../../../app/src/shell/formatting");
  expect(fresh.zone()).toBe("Europe/Berlin");
  expect(fresh.moment(MOMENT)).toBe("2026-03-01 01:05");
  vi.restoreAllMocks();
});
