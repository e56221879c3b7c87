// The tags of a meeting of the list.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done } from "../../api/client";
import type { MeetingListItem } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Unsaved } from "../../ui/unsaved";

interface Props {
  row: MeetingListItem;
  onClose: () => void;
}

/** The tags that a person typed, separated by commas of either language. */
function tagsIn(text: string): string[] {
  return text
    .split(/[,，、;；\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** The window in which they are changed. */
export default function TagsDialog({ row, onClose }: Props) {
  const { t } = useTranslation();
  const store = useQueryClient();
  const before = row.tags.join(t("history.tags_separator"));
  const [text, setText] = useState(before);
  const change = useMutation({
    mutationFn: () =>
      done(
        api.PATCH("/api/v1/meetings/{id}", {
          params: { path: { id: row.id } },
          body: { tags: tagsIn(text) },
        }),
      ),
    onSuccess: async () => {
      onClose();
      notify({ text: t("history.tags_changed") });
      await store.invalidateQueries({ queryKey: ["meetings"] });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("history.tags_title")}
      description={row.title}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button
            look="primary"
            busy={change.isPending}
            disabled={text === before}
            onClick={() => change.mutate()}
          >
            {t("history.tags_do")}
          </Button>
        </>
      }
    >
      <Unsaved when={text !== before} />
      {change.error && <ErrorNotice error={change.error} compact />}
      <Field label={t("history.tags")} hint={t("history.tags_hint")}>
        <TextInput
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing && text !== before) {
              change.mutate();
            }
          }}
        />
      </Field>
    </Dialog>
  );
}
