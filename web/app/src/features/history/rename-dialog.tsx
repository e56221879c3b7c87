// Another title for a meeting of the list.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done } from "../../api/client";
import type { MeetingListItem } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { notify, notifyError } from "../../ui/toast";
import { Unsaved } from "../../ui/unsaved";

interface Props {
  row: MeetingListItem;
  onClose: () => void;
}

/** The window for it. An empty title shows the topic. */
export default function RenameDialog({ row, onClose }: Props) {
  const { t } = useTranslation();
  const store = useQueryClient();
  const [title, setTitle] = useState(row.title);
  const rename = useMutation({
    mutationFn: () =>
      done(
        api.PATCH("/api/v1/meetings/{id}", {
          params: { path: { id: row.id } },
          body: { title: title.trim() === row.topic ? null : title.trim() || null },
        }),
      ),
    onSuccess: async () => {
      onClose();
      notify({ text: t("history.renamed") });
      await store.invalidateQueries({ queryKey: ["meetings"] });
    },
    onError: notifyError,
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("history.rename_title")}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button
            look="primary"
            busy={rename.isPending}
            disabled={title.trim() === row.title}
            onClick={() => rename.mutate()}
          >
            {t("history.rename_do")}
          </Button>
        </>
      }
    >
      <Unsaved when={title.trim() !== row.title} />
      <Field label={t("history.rename_field")} hint={t("history.rename_hint")}>
        <TextInput
          value={title}
          maxLength={200}
          placeholder={row.topic}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing && title.trim() !== row.title) {
              rename.mutate();
            }
          }}
        />
      </Field>
    </Dialog>
  );
}
