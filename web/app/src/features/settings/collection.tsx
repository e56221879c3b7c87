// A part of the settings that keeps a list: its button and form for a new entry, its rows, and what is shown once.

import type { UseQueryResult } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Scope } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Card, Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { LIST, Part, ROW } from "./section";

interface CollectionProps {
  title: string;
  lead: string;
  /** The scope that is needed to see it. */
  need: Scope;
  /** The words of the button that opens the form. */
  add: string;
  /** A secret that is shown this once. */
  secret?: ReactNode;
  /** The form for a new entry. */
  form: (close: () => void) => ReactNode;
  /** The list; `busy`: an entry is being created, so that the empty state is not shown. */
  list: (busy: boolean) => ReactNode;
}

/** The part: the form takes the button's place until the entry is there. */
export function Collection({ add, secret, form, list, ...part }: CollectionProps) {
  const [making, setMaking] = useState(false);
  const busy = making || secret !== undefined;
  return (
    <Part
      {...part}
      actions={
        !busy && (
          <Button look="primary" onClick={() => setMaking(true)}>
            {add}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {secret}
        {making && form(() => setMaking(false))}
        {list(busy)}
      </div>
    </Part>
  );
}

interface CreateFormProps {
  /** The name of the form. */
  title: string;
  /** The words of its button. */
  action: string;
  /** A refusal that no field shows. */
  error: unknown;
  busy: boolean;
  onSubmit: () => void;
  /** Without it the form stays. */
  onCancel?: () => void;
  /** The entry is there: the button is no longer the next step. */
  created?: ReactNode;
  /** Its fields, in two columns. */
  children: ReactNode;
}

/** The form for a new entry. */
export function CreateForm({
  title,
  action,
  error,
  busy,
  onSubmit,
  onCancel,
  created,
  children,
}: CreateFormProps) {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Card className="p-4" aria-label={title}>
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        {error != null && (
          <div className="sm:col-span-2">
            <ErrorNotice error={error} compact />
          </div>
        )}
        {children}
        <div className="flex flex-wrap items-center gap-2 sm:col-span-2">
          <Button type="submit" look={created ? "plain" : "primary"} busy={busy}>
            {action}
          </Button>
          {onCancel && (
            <Button look="quiet" onClick={onCancel}>
              {t("ui.cancel")}
            </Button>
          )}
          {created}
        </div>
      </form>
    </Card>
  );
}

interface EntriesProps<T> {
  asked: Pick<UseQueryResult<{ items: T[] }>, "data" | "error" | "isPending" | "refetch">;
  label: string;
  /** Which of them are listed; all of them without it. */
  only?: (entry: T) => boolean;
  /** What is shown where there are none. */
  none: { icon: ReactNode; title: string; text: string } | null;
  /** The row of one. */
  children: (entry: T) => ReactNode;
}

/** The list, or why it is not there. A list that was loaded stays, with what is open in it, when it cannot be loaded again. */
export function Entries<T>({ asked, label, only, none, children }: EntriesProps<T>) {
  if (asked.isPending) {
    return <Waiting />;
  }
  const failed = asked.error && (
    <ErrorNotice
      error={asked.error}
      compact={asked.data !== undefined}
      onRetry={() => void asked.refetch()}
    />
  );
  if (!asked.data) {
    return failed;
  }
  const all = asked.data.items;
  const shown = only ? all.filter(only) : all;
  if (shown.length === 0) {
    return (
      <>
        {failed}
        {none && (
          <Empty icon={none.icon} title={none.title}>
            {none.text}
          </Empty>
        )}
      </>
    );
  }
  return (
    <>
      {failed}
      <ul className={LIST} aria-label={label}>
        {shown.map(children)}
      </ul>
    </>
  );
}

interface EntryProps {
  /** Its name and badges. */
  head: ReactNode;
  /** What it is about. */
  text?: ReactNode;
  /** Since when, by whom, when it was used. */
  facts: ReactNode;
  /** Its buttons, and what they open. */
  children?: ReactNode;
}

/** The row of one entry. */
export function Entry({ head, text, facts, children }: EntryProps) {
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 text-dense text-ink">{head}</p>
        {text && <p className="measure text-dense break-words text-ink-2">{text}</p>}
        <p className="text-meta text-ink-3">{facts}</p>
      </div>
      {children}
    </li>
  );
}
