// Templates: meetings that one wants to hold again, to begin with, to rename and to throw away.

import { useMutation, useQuery } from "@tanstack/react-query";
import Pencil from "lucide-react/icons/pencil";
import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import { api, done } from "../../api/client";
import { queries, templates } from "../../api/queries";
import type { Template } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { ago } from "../../shell/formatting";
import { Button, IconButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextInput } from "../../ui/field";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { useUnsaved } from "../../ui/unsaved";
import { saveTemplate } from "./template-save";

interface Props {
  onClose: () => void;
  onUse: (template: Template) => void;
}

/** The list of templates in a window. */
export default function Templates({ onClose, onUse }: Props) {
  const { t } = useTranslation();
  const list = useQuery(templates);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("create.tpl.title")}>
      {list.isPending ? (
        <Waiting />
      ) : !list.data ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data.items.length === 0 ? (
        <Empty title={t("create.tpl.empty")}>{t("create.tpl.empty_text")}</Empty>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {list.data.items.map((one) => (
            <Row key={one.id} template={one} onUse={() => onUse(one)} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Row({ template, onUse }: { template: Template; onUse: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  useUnsaved(name !== undefined && name !== template.name);
  const refresh = () => queries.invalidateQueries({ queryKey: ["templates"] });
  const rename = useMutation({
    mutationFn: (to: string) =>
      done(
        api.PUT("/api/v1/templates/{id}", {
          params: { path: { id: template.id }, header: { "If-Match": `"${template.version}"` } },
          body: { name: to, body: {} },
          bodySerializer: () => JSON.stringify({ name: to, body: template.body }),
        }),
      ),
    onSuccess: async () => {
      await refresh();
      setName(undefined);
      notify({ text: t("history.renamed") });
    },
    onError: notifyError,
  });
  const forget = useMutation({
    mutationFn: () => done(api.DELETE("/api/v1/templates/{id}", { params: { path: { id: template.id } } })),
    onSuccess: async () => {
      await refresh();
      notify({
        text: t("create.tpl.deleted", { name: template.name }),
        action: {
          label: t("create.undo"),
          onSelect: () => void saveTemplate(template.name, template.body).catch(notifyError),
        },
      });
    },
    onError: notifyError,
  });
  if (name !== undefined) {
    const fits = name.trim() !== "" && [...name.trim()].length <= 100;
    return (
      <li>
        <form
          className="flex items-center gap-2 py-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (fits) {
              rename.mutate(name.trim());
            }
          }}
        >
          <TextInput
            autoFocus
            aria-label={t("create.tpl.name")}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="primary" disabled={!fits} busy={rename.isPending}>
            {t("ui.save")}
          </Button>
          <Button look="quiet" onClick={() => setName(undefined)}>
            {t("ui.cancel")}
          </Button>
        </form>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-2 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{template.name}</p>
        <p className="text-meta text-ink-3">{ago(template.updated_at)}</p>
      </div>
      <Button size="small" onClick={onUse}>
        {t("create.tpl.use")}
      </Button>
      <IconButton
        size="small"
        label={`${t("history.rename")} ${template.name}`}
        onClick={() => setName(template.name)}
      >
        <Pencil size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        label={t("create.tpl.delete", { name: template.name })}
        busy={forget.isPending}
        onClick={() => forget.mutate()}
      >
        <Trash size={14} aria-hidden />
      </IconButton>
    </li>
  );
}
