// The window that imports meetings from exported files. Each file is a request of its own, so that one that is refused says so
// beside its name and holds nothing else back.

import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { api, done, newKey } from "../../api/client";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Dialog } from "../../ui/dialog";
import { Switch } from "../../ui/toggles";
import { Unsaved } from "../../ui/unsaved";
import { type Chosen, ChosenFile, isUnsure } from "./chosen-file";
import { withContents } from "./held";
import { readExport, type Unfit } from "./read-export";

/** The files that a browser offers to choose from. */
const ACCEPTED = ".zip,.json,.jsonl,application/zip,application/json";

/** The window. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const [all, setAll] = useState<Chosen[]>([]);
  const [agents, setAgents] = useState(false);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);

  const change = (key: string, more: Partial<Chosen>) =>
    setAll((now) => now.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const take = async (files: File[]) => {
    const chosen = files.map((file): Chosen & { file: File } => ({
      key: newKey(),
      name: file.name,
      size: file.size,
      file,
    }));
    setAll((now) => [...now, ...chosen.map(({ file: _, ...one }) => one)]);
    for (const { key, file } of chosen) {
      // One that fails, for want of memory for instance, holds those after it back no more than one that is unfit.
      const read = await readExport(file).catch((): Unfit => "unreadable");
      if (typeof read === "string") {
        change(key, { unfit: read });
      } else {
        setAll((now) => withContents(now, key, read));
      }
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!busy) {
      void take([...event.dataTransfer.files]);
    }
  };

  // A file that is dropped beside the window would be opened in place of the page, with what was chosen in it.
  useEffect(() => {
    const hold = (event: Event) => event.preventDefault();
    window.addEventListener("dragover", hold);
    window.addEventListener("drop", hold);
    return () => {
      window.removeEventListener("dragover", hold);
      window.removeEventListener("drop", hold);
    };
  }, []);

  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);

  const ready = all.filter((one) => one.contents && !one.result);
  const send = async () => {
    setBusy(true);
    for (const { key, contents, agents: before } of ready) {
      // Nobody would see what became of a file that is sent once the window is closed.
      if (contents && !left.current) {
        // Where nobody knows what became of a request, the same is made again, and carried out once for one key.
        const asked = before ?? (agents && contents.agents > 0);
        change(key, { sending: true, error: undefined });
        try {
          const body = { ...contents.request, agents: asked };
          const params = { header: { "Idempotency-Key": asked ? `${key}-agents` : key } };
          const result = await done(api.POST("/api/v1/import", { params, body }));
          // What was sent is not needed any more, and may be large.
          change(key, { sending: false, result, contents: undefined });
        } catch (error) {
          change(key, { sending: false, error, agents: isUnsure(error) ? asked : undefined });
        }
      }
    }
    setBusy(false);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["meetings"] }),
      queries.invalidateQueries({ queryKey: ["agents"] }),
    ]);
  };
  const finished = all.length > 0 && all.every((one) => one.result);

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("dialog.import.title")}
      description={t("dialog.import.lead")}
      discard={{
        title: t("dialog.import.leave_title"),
        text: t("dialog.import.leave_text"),
        action: t("dialog.import.leave"),
      }}
      footer={
        finished ? (
          <Button look="primary" onClick={onClose}>
            {t("dialog.import.close")}
          </Button>
        ) : (
          <>
            <Button look="quiet" disabled={busy} onClick={onClose}>
              {t(all.some((one) => one.result) ? "dialog.import.close" : "ui.cancel")}
            </Button>
            <Button look="primary" busy={busy} disabled={ready.length === 0} onClick={() => void send()}>
              {t(busy ? "dialog.import.sending" : "dialog.import.do")}
            </Button>
          </>
        )
      }
    >
      <Unsaved when={busy} />
      <section
        aria-label={t("dialog.import.choose")}
        className="flex flex-col gap-4"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <div
          className={cx(
            "flex flex-col items-center gap-2 rounded-2xl border border-dashed px-4 py-6 text-center",
            over ? "border-accent bg-accent-soft" : "border-line-strong",
          )}
        >
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            accept={ACCEPTED}
            aria-label={t("dialog.import.choose")}
            onChange={(event) => {
              void take([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
          <p className="flex flex-wrap items-center justify-center gap-2 text-dense text-ink-2">
            <Button disabled={busy} onClick={() => picker.current?.click()}>
              {t("dialog.import.choose")}
            </Button>
            <span className="coarse:hidden">{t("dialog.import.drop")}</span>
          </p>
          <p className="text-meta text-ink-3">{t("dialog.import.takes")}</p>
        </div>
        {all.length > 0 && (
          <ul aria-label={t("dialog.import.list")} className="flex flex-col divide-y divide-line">
            {all.map((one) => (
              <ChosenFile
                key={one.key}
                one={one}
                onRemove={busy ? undefined : () => setAll((now) => now.filter(({ key }) => key !== one.key))}
              />
            ))}
          </ul>
        )}
        {ready.some((one) => one.contents?.agents) && (
          <Switch
            label={t("dialog.import.with_agents")}
            hint={t("dialog.import.with_agents_hint")}
            checked={agents}
            onChange={setAgents}
            disabled={busy}
          />
        )}
      </section>
    </Dialog>
  );
}
