// Actions that start, pause or resume a meeting: each once, for buttons, the menu and keys.

import { useNavigate } from "@tanstack/react-router";
import { api, done, onceKey } from "../../api/client";
import { useMe } from "../../api/permissions";
import type { AdvanceUntil as Until } from "../../api/schema";
import { type TextKey, useTranslation } from "../../i18n";
import { isHostOf } from "../../meeting/host";
import type { View } from "../../meeting/view";
import { useTable } from "./context";
import { showQuestions } from "./postponed-questions";
import { useAction } from "./use-action";

/** The user's next action. */
export type NextAction = "start" | "pause" | "unpause" | "resume" | "answer" | "result" | null;

/** The next action for a meeting in this state. */
export function useNextAction(): NextAction {
  const { view, past, may } = useTable();
  const own = useMe()?.person;
  if (view.state === "ended") {
    return past ? null : "result";
  }
  if (view.state === "draft") {
    return may.manage ? "start" : null;
  }
  if (view.pause) {
    const asks = view.pause.questions.length > 0;
    // A pause that a person asked for can be ended only by a user who manages the meeting.
    if (view.pause.reason === "user_request" && !may.manage) {
      return null;
    }
    if (view.pause.reason === "awaiting_host" && !isHostOf(view, own)) {
      return null;
    }
    return may.speak ? (asks ? "answer" : "resume") : null;
  }
  if (!may.manage) {
    return null;
  }
  return view.pause_requested_by || view.planned_pause ? "unpause" : "pause";
}

/** The actions. */
export function useMeetingActions() {
  const { t } = useTranslation();
  const { view } = useTable();
  const navigate = useNavigate();
  const action = useAction();
  // Each action has a key of its own.
  const params = () => ({ path: { id: view.id }, header: onceKey() });

  const resume = () =>
    action.run(
      () =>
        done(
          api.POST("/api/v1/meetings/{id}/resume", {
            params: params(),
            body: { token: view.pause?.resume_token ?? null, answers: {}, take_defaults: false },
          }),
        ),
      t(resumed(view)),
    );
  const pause = (atOnce: boolean) =>
    action.run(
      () => done(api.POST("/api/v1/meetings/{id}/pause", { params: params(), body: { at_once: atOnce } })),
      {
        text: t(atOnce ? "table.head.paused" : "table.head.pausing"),
      },
    );
  const start = () =>
    action.run(
      () => done(api.POST("/api/v1/meetings/{id}/start", { params: params() })),
      t("table.head.started"),
    );
  const advance = (until: Until) =>
    action.run(
      () =>
        done(
          api.POST("/api/v1/meetings/{id}/advance", {
            params: params(),
            body: {
              until,
              token: view.pause?.resume_token ?? null,
              answers: {},
              take_defaults: false,
              wait_seconds: 0,
            },
          }),
        ),
      t(`table.head.advancing.${until}`),
    );
  const end = (note: string) =>
    action.run(
      () => done(api.POST("/api/v1/meetings/{id}/end", { params: params(), body: { note } })),
      t("table.head.ended"),
    );

  /** Does what is next. */
  const go = (next: NextAction) => {
    switch (next) {
      case "start":
        return void start();
      case "pause":
        return void pause(false);
      case "unpause":
      case "resume":
        return void resume();
      case "answer":
        return showQuestions();
      case "result":
        return void navigate({ to: "/m/$id/result", params: { id: view.id } });
      case null:
        return;
    }
  };
  return { busy: action.busy, resume, pause, start, advance, end, go };
}

/** What a resume comes to: what it is for is a pause, a wait for a provider, or a pause that was only asked for. */
function resumed({ pause, provider_wait, pause_requested_by, planned_pause }: View): TextKey {
  if (!pause && provider_wait) {
    return "talk.provider_wait_resumed";
  }
  return !pause && (pause_requested_by || planned_pause) ? "table.head.unpaused" : "table.head.resumed";
}
