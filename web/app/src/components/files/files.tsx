// The files of a meeting: listed, opened, added, taken away.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import FileText from "lucide-react/icons/file-text";
import Trash2 from "lucide-react/icons/trash-2";
import { useRef, useState } from "react";
import { useMe, usePermission } from "../../api/permissions";
import type { FileRecord } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { moment } from "../../shell/formatting";
import { Button, IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Confirm } from "../../ui/dialog";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { useAction } from "../meeting-page/use-action";
import { useActor } from "../speaker/actor-name";
import { addressOf, attach, detach, filesOf, LARGEST, sizeOf } from "./requests";
import { Thumbnail } from "./thumbnail";

interface Props {
  /** The meeting. */
  id: string;
  /** Whether the meeting is off the record, so that files are not stored either. */
  offRecord?: boolean;
  /** A part of a page that is read: nothing can be added, and where there are none it says nothing. */
  asPart?: boolean;
  className?: string;
}

/** The files under their heading. */
export default function Files({ id, offRecord, asPart, className }: Props) {
  const { t } = useTranslation();
  const speaks = usePermission("speak");
  const held = useQuery({ ...filesOf(id), enabled: !offRecord });
  const none = held.data?.length === 0;
  if (asPart && (offRecord || !held.data || none)) {
    return null;
  }
  const Title = asPart ? "h2" : "h3";
  return (
    <section aria-labelledby="files" className={className}>
      <div className="flex items-center justify-between gap-3">
        <Title id="files" className={cx("font-semibold", asPart ? "text-h2" : "text-dense")}>
          {t("files.title")}
          {held.data && !none && <span className="ml-1.5 font-normal text-ink-3">{held.data.length}</span>}
        </Title>
        {speaks && !offRecord && !asPart && <Add id={id} />}
      </div>
      {offRecord ? (
        <p className="mt-1 text-meta text-ink-3">{t("files.off_record")}</p>
      ) : held.isPending ? (
        <Waiting className="p-3" />
      ) : !held.data ? (
        <ErrorNotice error={held.error} compact onRetry={() => void held.refetch()} />
      ) : none ? (
        <p className="mt-1 text-meta text-ink-3">{t(speaks ? "files.none_add" : "files.none")}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {held.data.map((one) => (
            <Row key={one.id} id={id} file={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ id, file }: { id: string; file: FileRecord }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const manages = usePermission("manage");
  const alone = useMe()?.signed_in_by === "local";
  const actor = useActor();
  const action = useAction();
  const [sure, setSure] = useState(false);
  const remove = async () => {
    await action.run(() => detach(id, file.id), t("files.removed", { name: file.name }));
    setSure(false);
    await queries.invalidateQueries({ queryKey: filesOf(id).queryKey });
  };
  const facts = [
    file.id,
    ...(file.text ? [t("files.lines", { count: file.text.lines })] : []),
    ...(file.image ? [`${file.image.width} × ${file.image.height}`] : []),
    sizeOf(file.size),
    file.media_type,
    ...(alone ? [] : [actor(file.by)]),
    moment(file.attached_at),
  ];
  return (
    <li className="flex items-center gap-2.5 py-2">
      {file.image ? (
        <Thumbnail
          id={id}
          file={file}
          title={t("files.view", { name: file.name })}
          className="size-10 shrink-0 object-cover"
        />
      ) : (
        <FileText size={16} aria-hidden className="shrink-0 text-ink-3" />
      )}
      <div className="min-w-0 flex-1">
        <a
          href={addressOf(id, file.id)}
          download={file.name}
          title={t("files.open", { name: file.name })}
          className="block truncate text-dense font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
        >
          {file.name}
        </a>
        <p className="text-meta text-ink-3">{facts.join(" · ")}</p>
      </div>
      {manages && (
        <span className="print:hidden">
          <IconButton
            size="small"
            label={t("files.remove", { name: file.name })}
            onClick={() => setSure(true)}
          >
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </span>
      )}
      {sure && (
        <Confirm
          open
          onOpenChange={() => setSure(false)}
          title={t("files.remove_title", { name: file.name })}
          text={t("files.remove_text")}
          action={t("ui.delete")}
          danger
          busy={action.busy}
          onConfirm={() => void remove()}
        />
      )}
    </li>
  );
}

function Add({ id }: { id: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const action = useAction();
  const give = async (chosen: File[]) => {
    for (const file of chosen) {
      if (file.size > LARGEST) {
        notify({ bad: true, text: t("files.large", { name: file.name }) });
      } else {
        await action.run(() => attach(id, file), t("files.added", { name: file.name }));
      }
    }
    await queries.invalidateQueries({ queryKey: filesOf(id).queryKey });
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("files.add")}
        onChange={(event) => {
          void give([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button size="small" busy={action.busy} onClick={() => picker.current?.click()}>
        {t("files.add")}
      </Button>
    </>
  );
}
