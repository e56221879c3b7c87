// The tags of a meeting.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, done } from "../../api/client";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Unsaved } from "../../ui/unsaved";

interface Props {
  /** The meeting; without its tags they are asked for. */
  meeting: { id: string; title: string; tags?: readonly string[] };
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
export default function TagsDialog({ meeting, onClose }: Props) {
  const { t } = useTranslation();
  const { id, title, tags } = meeting;
  // A live meeting tells them to nobody: they are no part of its log.
  const asked = useQuery({
    queryKey: ["meetings", id, "tags"],
    queryFn: ({ signal }) =>
      done(
        api.GET("/api/v1/meetings/{id}", { params: { path: { id }, query: { messages: 0 } }, signal }),
      ).then((view) => view.tags ?? []),
    enabled: tags === undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const known = tags ?? asked.data;
  if (known !== undefined) {
    return <Editor id={id} title={title} tags={known} onClose={onClose} />;
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("history.tags_title")}
      description={title}
    >
      {asked.error ? <ErrorNotice error={asked.error} compact /> : <Waiting text={t("shell.loading")} />}
    </Dialog>
  );
}

interface EditorProps {
  id: string;
  title: string;
  tags: readonly string[];
  onClose: () => void;
}

function Editor({ id, title, tags, onClose }: EditorProps) {
  const { t } = useTranslation();
  const store = useQueryClient();
  const before = tags.join(t("history.tags_separator"));
  const [text, setText] = useState(before);
  const change = useMutation({
    mutationFn: () =>
      done(
        api.PATCH("/api/v1/meetings/{id}", {
          params: { path: { id } },
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
      description={title}
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
