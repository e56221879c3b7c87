// The transcript by keyboard: from message to message, from round to round, and what is done with one of them.

import type { RefObject } from "react";
import { focusComposer, replyTo } from "../../components/meeting-page/reply";
import { useActor } from "../../components/speaker/actor-name";
import { useTranslation } from "../../i18n";
import { is } from "../../meeting/event-types";
import { useMeetingStore } from "../../meeting/hooks";
import { excerpt } from "../../meeting/references";
import { useShortcuts } from "../../shell/keys";
import type { Row } from "./rows";

interface Moves {
  /** Brings a row into sight. */
  show: (index: number) => void;
  toEnd: () => void;
  back: (() => void) | null;
  /** The event of the topmost row in sight. */
  topSeq: () => number;
  maySpeak: boolean;
  /** Whether it is a replay, which handles jumps to rounds and ends itself. */
  still?: boolean;
}

const isMessage = (row: Row | undefined) =>
  row?.what === "line" && (is(row.event, "agent_message") || is(row.event, "user_message"));

/** The shortcuts of the transcript. */
export function useTranscriptKeys(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
  moves: Moves,
) {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const nameOf = useActor();

  const element = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const focused = (): number | null => {
    const row = document.activeElement?.closest<HTMLElement>("[data-index]");
    return row && scroller.current?.contains(row) ? Number(row.dataset.index) : null;
  };
  const top = () => rows.findIndex((row) => row.seq >= moves.topSeq());
  const focus = (index: number, tries = 20) => {
    const row = element(index);
    if (row) {
      row.focus({ preventScroll: true });
    } else if (tries > 0) {
      requestAnimationFrame(() => focus(index, tries - 1));
    }
  };
  const step = (by: 1 | -1) => {
    const from = focused();
    let at = from ?? top() - by;
    do {
      at += by;
    } while (at >= 0 && at < rows.length && !isMessage(rows[at]));
    if (rows[at]) {
      moves.show(at);
      focus(at);
    }
  };
  const round = (by: 1 | -1) => {
    const here = focused();
    const seq = (here === null ? undefined : rows[here]?.seq) ?? moves.topSeq();
    const marks = (store.snapshot().view?.rounds ?? []).flatMap((mark) => mark.seq ?? []);
    const to = by > 0 ? marks.find((mark) => mark > seq) : marks.findLast((mark) => mark < seq);
    if (to !== undefined) {
      void store.jump(to);
    }
  };
  const expand = () => {
    const index = focused();
    const row = index === null ? null : element(index);
    (row?.querySelector<HTMLElement>("[data-expand]") ?? row?.querySelector<HTMLElement>("summary"))?.click();
  };
  const reply = () => {
    const row = rows[focused() ?? rows.findLastIndex(isMessage)];
    if (row?.what === "line" && (is(row.event, "agent_message") || is(row.event, "user_message"))) {
      const { message_id: id, message } = row.event.payload;
      const name = is(row.event, "user_message") ? nameOf(row.event.payload.by) : message.name;
      replyTo({ id, name, excerpt: excerpt(message.content, 80) });
    }
  };

  const speaking = [
    { keys: "r", label: t("talk.key_reply"), run: reply },
    { keys: "@", label: t("talk.key_compose"), run: focusComposer },
  ];
  const leaping = [
    { keys: "]", label: t("talk.key_next_round"), run: () => round(1) },
    { keys: "[", label: t("talk.key_previous_round"), run: () => round(-1) },
    { keys: "End", label: t("talk.key_end"), run: moves.toEnd },
    { keys: "G", label: t("talk.key_end"), run: moves.toEnd },
  ];
  useShortcuts(t("talk.transcript"), [
    { keys: "j", label: t("talk.key_next"), run: () => step(1) },
    { keys: "k", label: t("talk.key_previous"), run: () => step(-1) },
    { keys: "e", label: t("talk.key_expand"), run: expand },
    { keys: "u", label: t("talk.key_back"), run: () => moves.back?.() },
    ...(moves.still ? [] : leaping),
    ...(moves.maySpeak ? speaking : []),
  ]);
}
