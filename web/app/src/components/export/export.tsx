// A meeting to hand on: as a file, as text, on paper.

import { useQuery } from "@tanstack/react-query";
import Braces from "lucide-react/icons/braces";
import FileCheck from "lucide-react/icons/file-check";
import FileCode from "lucide-react/icons/file-code";
import FileText from "lucide-react/icons/file-text";
import FolderArchive from "lucide-react/icons/folder-archive";
import Plug from "lucide-react/icons/plug";
import Printer from "lucide-react/icons/printer";
import { useState } from "react";
import { usePermission } from "../../api/permissions";
import { build, queries } from "../../api/queries";
import type { MeetingId } from "../../api/schema";
import i18n, { useTranslation } from "../../i18n";
import { day } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { copy } from "../../ui/copy";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { Switch } from "../../ui/toggles";
import { EXPORT_FORMS } from "./export-forms";
import { type ExportForm, exported, exporters, resultText, viewOf } from "./result-queries";

const ICONS: Record<ExportForm, typeof FileText> = {
  markdown: FileText,
  html: FileCode,
  pdf: Printer,
  json: Braces,
  jsonl: FileCheck,
  files: FolderArchive,
};

/** Hands a file to the browser. */
function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name by which the file is found again: title and date, without signs that file systems refuse. */
export function fileName(title: string, date: string, served: string): string {
  const ending = /\.\w+$/.exec(served)?.[0] ?? "";
  const plain = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what file systems refuse
    .replace(/[\\/:*?"<>|\uff1f\uff1a\s\u0000-\u001f]+/g, " ")
    .trim();
  const short = [...plain].slice(0, 60).join("").trim();
  return `${[short, date.replace(/[^\d-]/g, "-")].filter(Boolean).join(" ")}${ending}`;
}

/** Exports a meeting in a form, and hands the file to the browser. */
export async function downloadExport(id: MeetingId, form: string, marks: boolean): Promise<void> {
  const [made, { title, created_at }] = await Promise.all([
    exported(id, form, marks),
    queries.fetchQuery({ ...viewOf(id), staleTime: 60_000 }),
  ]);
  const name = fileName(title, day(created_at), made.name);
  save(name, made.content);
  notify({ text: i18n.t("result.export.done", { name }) });
}

/** Copies the result as Markdown. */
export async function copyResult(id: MeetingId, said: string): Promise<void> {
  try {
    await copy(await resultText(id), said);
  } catch (error) {
    notifyError(error);
  }
}

/** The choice of export formats. An export that fails shows why, and the dialog stays. */
export function ExportDialog({
  id,
  topic,
  open,
  onOpenChange,
}: {
  id: MeetingId;
  topic: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation();
  const [marks, setMarks] = useState(false);
  const manage = usePermission("manage");
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const more = useQuery({ ...exporters, enabled: open });
  const lacksPdf = useQuery({ ...build, enabled: open }).data?.pdf === false;
  const rows = [
    ...EXPORT_FORMS.filter(({ need }) => !need || manage).map(({ form }) => ({
      form: form as string,
      icon: ICONS[form],
      title: t(`result.export.${form}`),
      text: t(form === "pdf" && lacksPdf ? "result.export.no_pdf" : `result.export.${form}_for`),
    })),
    ...(more.data?.items ?? []).map(({ name, title, extension }) => ({
      form: name,
      icon: Plug,
      title,
      text: t("result.export.exporter_for", { ending: `.${extension}` }),
    })),
  ];
  const make = async (form: string) => {
    setBusy(form);
    setError(undefined);
    try {
      await downloadExport(id, form, marks);
    } catch (failure) {
      setError(failure);
    }
    setBusy(null);
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("result.export.title")} description={topic}>
      <ul className="flex flex-col gap-1">
        {rows.map(({ form, icon: Icon, title, text }) => (
          <li key={form} className="flex items-center gap-3 rounded-xl py-2">
            <Icon size={18} className="shrink-0 text-ink-3" aria-hidden />
            <div className="min-w-0 flex-1">
              <p className="text-dense font-medium break-words">{title}</p>
              <p className="text-meta text-ink-3">{text}</p>
            </div>
            <Button
              size="small"
              busy={busy === form}
              disabled={busy !== null || (form === "pdf" && lacksPdf)}
              aria-label={t("result.export.get_form", { form: title })}
              onClick={() => void make(form)}
            >
              {t(busy === form ? "result.export.making" : "result.export.get")}
            </Button>
          </li>
        ))}
      </ul>
      {manage && (
        <div className="mt-2 border-t border-line pt-3">
          <Switch
            label={t("result.export.marks")}
            hint={t("result.export.marks_hint")}
            checked={marks}
            onChange={setMarks}
          />
        </div>
      )}
      {error !== undefined && (
        <div className="mt-3">
          <ErrorNotice compact error={error} />
        </div>
      )}
    </Dialog>
  );
}
