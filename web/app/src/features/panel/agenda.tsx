// The agenda, the announcements, and the open questions.

import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { useEffect, useState } from "react";
import { api, done, onceKey } from "../../api/client";
import type { AgendaItem } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { EventLink } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { isOpen } from "../../meeting/view";
import { Button, IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Field, TextArea, TextInput } from "../../ui/field";
import { Part } from "./section";

/** The tab of the agenda. */
export default function Agenda() {
  const { t } = useTranslation();
  const { view } = useTable();
  const focus = view.state === "ended" ? [] : (view.round?.focus ?? []);
  return (
    <>
      <Items />
      {focus.length > 0 && (
        <Part title={t("panel.agenda.focus")}>
          <Lines lines={focus} />
        </Part>
      )}
      <Part title={t("panel.agenda.questions")}>
        {view.open_questions.length > 0 ? (
          <Lines lines={view.open_questions} />
        ) : (
          <p className="text-dense text-ink-3">{t("panel.agenda.no_questions")}</p>
        )}
      </Part>
      {view.disagreements.length > 0 && (
        <Part title={t("panel.agenda.disagreements")}>
          <Lines lines={view.disagreements} />
        </Part>
      )}
      {view.announcements.length > 0 && (
        <Part title={t("panel.agenda.announcements")}>
          <ul className="flex flex-col gap-2">
            {view.announcements.toReversed().map((one) => (
              <li key={one.seq} className="text-dense">
                <p className="whitespace-pre-wrap">{one.text}</p>
                <EventLink seq={one.seq}>{t("table.jump")}</EventLink>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-4 text-dense text-ink">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Items() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const [adding, setAdding] = useState(false);
  const action = useAction();
  const changeable = may.manage && isOpen(view);
  const remaining = view.agenda.filter((item) => !item.completed).length;
  // A tick is shown at once; the meeting's next event decides.
  const [ticked, setTicked] = useState<{ id: AgendaItem["id"]; completed: boolean }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends with the next change of the agenda
  useEffect(() => setTicked(undefined), [view.agenda]);
  const isDone = (item: AgendaItem) => (ticked?.id === item.id ? ticked.completed : item.completed);
  const tick = async (item: AgendaItem) => {
    const completed = !isDone(item);
    setTicked({ id: item.id, completed });
    const path = { id: view.id, item: item.id };
    const asked = () =>
      done(api.PATCH("/api/v1/meetings/{id}/agenda/{item}", { params: { path }, body: { completed } }));
    if ((await action.run(asked)) === null) {
      setTicked(undefined);
    }
  };
  const add = (title: string, description: string) =>
    done(
      api.POST("/api/v1/meetings/{id}/agenda", {
        params: { path: { id: view.id }, header: onceKey() },
        body: { title, description },
      }),
    );
  const remove = (item: AgendaItem) =>
    action.run(
      () =>
        done(
          api.DELETE("/api/v1/meetings/{id}/agenda/{item}", {
            params: { path: { id: view.id, item: item.id } },
          }),
        ),
      {
        text: t("panel.agenda.removed", { title: item.title }),
        action: {
          label: t("table.undo"),
          onSelect: () => void action.run(() => add(item.title, item.description ?? "")),
        },
      },
    );
  return (
    <Part
      title={t("panel.agenda.items", { n: remaining })}
      actions={
        changeable && (
          <Button look="quiet" size="small" onClick={() => setAdding(!adding)} aria-expanded={adding}>
            <Plus size={14} aria-hidden />
            {t("panel.agenda.add")}
          </Button>
        )
      }
    >
      {adding && (
        <NewItem
          onAdd={(title, text) => action.run(() => add(title, text), t("panel.agenda.added"))}
          busy={action.busy}
        />
      )}
      {view.agenda.length === 0 && !adding && (
        <p className="text-dense text-ink-3">
          {t(changeable ? "panel.agenda.none" : "panel.agenda.none_read")}
        </p>
      )}
      <ol className="flex flex-col">
        {view.agenda.map((item) => (
          <li
            key={item.id}
            className="group flex items-start gap-2 border-b border-line py-1.5 last:border-0"
          >
            <input
              type="checkbox"
              checked={isDone(item)}
              aria-label={t("panel.agenda.done", { title: item.title })}
              disabled={!changeable || action.busy}
              onChange={() => void tick(item)}
              className="mt-1 size-4 shrink-0 accent-good coarse:size-6"
            />
            <div className="min-w-0 flex-1 text-dense">
              <span className={cx(isDone(item) && "text-ink-3 line-through")}>{item.title}</span>
              {item.description && <p className="text-meta text-ink-3">{item.description}</p>}
            </div>
            {changeable && (
              <IconButton
                size="small"
                label={t("panel.agenda.remove", { title: item.title })}
                onClick={() => void remove(item)}
              >
                <Trash2 size={14} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function NewItem({
  onAdd,
  busy,
}: {
  onAdd: (title: string, text: string) => Promise<unknown>;
  busy: boolean;
}) {
  const { t } = useTranslation();
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  return (
    <form
      className="flex flex-col gap-2 rounded-xl bg-sunken p-3"
      onSubmit={async (event) => {
        event.preventDefault();
        if (title.trim() && (await onAdd(title.trim(), text.trim()))) {
          setTitle("");
          setText("");
        }
      }}
    >
      <Field label={t("panel.agenda.title")} required>
        <TextInput value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
      </Field>
      <Field label={t("panel.agenda.text")}>
        <TextArea
          className="min-h-11"
          value={text}
          maxLength={2000}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button
        type="submit"
        look="primary"
        size="small"
        className="self-end"
        busy={busy}
        disabled={!title.trim()}
      >
        {t("panel.agenda.add")}
      </Button>
    </form>
  );
}
