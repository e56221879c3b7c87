// Part of a meeting's table: where a person speaks, answers and steers.

import SendHorizontal from "lucide-react/icons/send-horizontal";
import X from "lucide-react/icons/x";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { useMe, usePermission } from "../../api/permissions";
import { closingTask } from "../../components/meeting-page/closing-task";
import { onInsert } from "../../components/meeting-page/composer-input";
import { onFocusComposer, replyTo, useReply } from "../../components/meeting-page/reply";
import { seatsOf, useNamesAtTable, usePeople } from "../../components/speaker/people";
import { useTranslation } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import { peopleHost } from "../../meeting/host";
import { isOpen } from "../../meeting/view";
import { setEnterKey, useEnterKey } from "../../shell/enter-key";
import { Button, IconButton } from "../../ui/button";
import { copy } from "../../ui/copy";
import { Confirm } from "../../ui/dialog";
import { COMMANDS, type Command, commandIn, lackOf } from "./commands";
import { ComposerBox } from "./composer-box";
import { Notices, UnsentMessages } from "./notices";
import { suggestionsFor } from "./suggestions";
import { useCommands } from "./use-commands";
import { useSending } from "./use-sending";

/** The most characters of one message. */
const MOST = 10_000;
const COUNT_FROM = 9_000;
const kept = (id: string) => `quorate.say.${id}`;

/** The composer, for users who may send messages. When the meeting has closed, it stays as long as it holds text. */
export function Composer() {
  const id = useMeeting((shown) => shown.view?.id);
  const speak = usePermission("speak");
  return id !== undefined && speak ? <Writing key={id} id={id} /> : null;
}

function Writing({ id }: { id: string }) {
  const { t } = useTranslation();
  const described = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => sessionStorage.getItem(kept(id)) ?? "");
  const [caret, setCaret] = useState(text.length);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [grave, setGrave] = useState<Command | null>(null);
  const people = usePeople();
  const me = useMe()?.person;
  const others = useNamesAtTable(me);
  const manage = usePermission("manage");
  const reply = useReply();
  const enterKey = useEnterKey();
  const sending = useSending(id);
  const commands = useCommands();
  const offRecord = useMeeting((shown) => shown.view?.off_record ?? false);
  const connected = useMeeting((shown) => shown.connection === "live");
  const allowed = useMeeting(
    ({ view }) =>
      !view ||
      view.rules.turns.people_may_speak ||
      peopleHost(view) ||
      view.pause?.reason === "awaiting_host",
  );

  const open = useMeeting(({ view }) => view !== null && isOpen(view));
  const ended = useMeeting((shown) => shown.view?.state === "ended");
  const paused = useMeeting((shown) => shown.view?.pause != null);
  const closing = useMeeting((shown) => closingTask(shown.view?.calls ?? {}));

  const usable = useMemo(
    () => COMMANDS.filter((one) => (manage || one.needs === "speak") && (open || (one.late && !ended))),
    [manage, open, ended],
  );
  const offers = useMemo(
    () =>
      dismissed === text ? [] : suggestionsFor(text, caret, people.list, usable, others, seatsOf(people, me)),
    [dismissed, text, caret, people, usable, others, me],
  );
  const written = commandIn(text);
  const command = written && usable.find((one) => one.name === written.word);
  const names = people.list.filter((one) => one.present).map((one) => one.name);
  // A command whose name is still being written is not yet a wrong one: the list above shows what it may become.
  const writing =
    Boolean(written && !command) &&
    !/\s/.test(text) &&
    usable.some((one) => one.name.startsWith(written?.word ?? ""));
  const lack = command && written && lackOf(command, written.argument, names);
  const length = [...text.trim()].length;
  const over = length > MOST;

  const write = (next: string, at: number) => {
    setText(next);
    setCaret(at);
    // What is off the record is kept nowhere, words that are still being written neither.
    if (next === "" || offRecord) {
      sessionStorage.removeItem(kept(id));
    } else {
      sessionStorage.setItem(kept(id), next);
    }
  };
  const insert = useRef((_: string) => {});
  insert.current = (words) => {
    const at = box.current?.selectionStart ?? text.length;
    const before = text.slice(0, at);
    const gap = before !== "" && /[A-Za-z0-9]$/.test(before) ? " " : "";
    const next = before + gap + words;
    write(next + text.slice(at), next.length);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(next.length, next.length);
    });
  };
  useEffect(() => onInsert((words) => insert.current(words)), []);
  useEffect(() => onFocusComposer(() => requestAnimationFrame(() => box.current?.focus())), []);
  useEffect(() => () => replyTo(null), []);

  const why = (() => {
    if (!open && !command) {
      return t(ended ? "talk.over" : paused ? "talk.closing_paused" : `talk.closing_by.${closing}`);
    }
    if (!connected) {
      return t("talk.why_offline");
    }
    if (over) {
      return t("talk.why_long", { count: length - MOST });
    }
    if (writing) {
      return null;
    }
    if (written && !command) {
      return t("talk.why_unknown", { word: written.word });
    }
    if (lack) {
      return t(`talk.lacks_${lack}`, { choices: command?.choices?.join(t("ui.comma")) });
    }
    return !allowed && !command ? t("talk.why_rules") : null;
  })();
  const ready = length > 0 && why === null && !writing && !commands.busy;

  const latest = useRef(text);
  latest.current = text;
  const perform = async (which: Command) => {
    if (written && (await commands.run(which, written.argument))) {
      // What was written meanwhile is no part of the command.
      const now = latest.current;
      const left = now.startsWith(text) ? now.slice(text.length).trimStart() : now;
      write(left, left.length);
    }
    setGrave(null);
  };
  const send = () => {
    if (!ready) {
      return;
    }
    if (command) {
      if (command.grave) {
        setGrave(command);
      } else {
        void perform(command);
      }
      return;
    }
    sending.send(text.trim(), reply);
    write("", 0);
    replyTo(null);
  };

  const graveName = grave?.name === "remove" ? "remove" : "end";
  const hint = command
    ? t(`talk.help_${command.name}`)
    : t(enterKey === "sends" ? "talk.hint_sends" : "talk.hint_breaks");
  if (ended && text === "" && sending.all.length === 0) {
    return null;
  }
  // Whoever has no command for it has nothing to write while the meeting closes.
  if (!open && usable.length === 0 && text === "" && sending.all.length === 0) {
    return (
      <p
        data-edge="bottom"
        className="mx-auto w-full max-w-[46rem] shrink-0 px-5 pb-3 text-meta text-ink-3 sm:px-7"
      >
        {why}
      </p>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      data-edge="bottom"
      className="mx-auto w-full max-w-[46rem] shrink-0 px-3 pb-3 sm:px-5"
    >
      <UnsentMessages
        sending={sending}
        onTakeBack={(content) => write(content, content.length)}
        free={text === ""}
      />
      {open && <Notices command={Boolean(written)} typed={length > 0} />}
      <div className="rounded-2xl border border-line-strong/60 bg-raised px-2.5 pt-1 pb-1.5 focus-within:border-accent focus-within:shadow-float">
        {reply && (
          <div className="mt-1 flex items-center gap-2 rounded-lg bg-sunken py-0.5 pr-1 pl-2 text-meta text-ink-2">
            <span className="min-w-0 flex-1 truncate">
              {t("talk.replying", { name: reply.name })} <span className="text-ink-3">{reply.excerpt}</span>
            </span>
            <IconButton label={t("talk.no_reply")} size="small" onClick={() => replyTo(null)}>
              <X size={14} aria-hidden />
            </IconButton>
          </div>
        )}
        <ComposerBox
          box={box}
          text={text}
          onText={write}
          onCaret={setCaret}
          offers={offers}
          onDismiss={() => setDismissed(text)}
          enterSends={enterKey === "sends"}
          onSend={send}
          placeholder={t(
            open ? (allowed ? "talk.placeholder" : "talk.placeholder_commands") : "talk.placeholder_closing",
          )}
          describedBy={described}
        />
        <div className="flex items-center gap-2">
          <p id={described} className="min-w-0 flex-1 px-1 text-meta text-ink-3">
            {(length > 0 || !open) && why !== null ? (
              <span className="text-warn">{why}</span>
            ) : (
              <span className={command ? undefined : "coarse:hidden"}>{hint}</span>
            )}
            {length >= COUNT_FROM && !over && (
              <span className="ml-2">{t("talk.chars_left", { count: MOST - length })}</span>
            )}
            {open && !command && (
              <button
                type="button"
                className="ml-2 hidden rounded underline decoration-line-strong underline-offset-2 hover:text-ink sm:inline"
                onClick={() => setEnterKey(enterKey === "sends" ? "breaks" : "sends")}
              >
                {t("talk.change_enter")}
              </button>
            )}
          </p>
          {open || command ? (
            <Button type="submit" look="primary" size="small" disabled={!ready} busy={commands.busy}>
              <SendHorizontal size={14} aria-hidden />
              {t(command ? "talk.do" : "talk.send")}
            </Button>
          ) : (
            length > 0 && (
              <Button size="small" onClick={() => void copy(text)}>
                {t("ui.copy")}
              </Button>
            )
          )}
        </div>
      </div>
      {grave && (
        <Confirm
          open
          onOpenChange={(open) => !open && setGrave(null)}
          title={t(`talk.sure_${graveName}`, { name: written?.argument.replace(/^@?"?|"$/g, "") })}
          text={t(`talk.sure_${graveName}_text`)}
          action={t(`talk.command_${graveName}`)}
          danger
          busy={commands.busy}
          onConfirm={() => void perform(grave)}
        />
      )}
    </form>
  );
}
