// The topic box: a question, and a meeting about it.

import { useNavigate } from "@tanstack/react-router";
import Play from "lucide-react/icons/play";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShortcuts } from "../../shell/keys";
import { Button } from "../../ui/button";
import { useUsable } from "../providers/usable-providers";
import { useStartNow } from "./use-start-now";

/** Asks for the topic, and begins. */
export function TopicBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const usable = useUsable();
  const begin = useStartNow();
  const [topic, setTopic] = useState("");
  const [asked, setAsked] = useState(false);
  const length = [...topic.trim()].length;
  const fault = length === 0 ? t("home.topic_missing") : length > 200 ? t("home.topic_long") : undefined;
  const wrong = asked ? fault : undefined;
  const told = useId();
  const ready = usable.providers.length > 0;

  const start = () => {
    setAsked(true);
    if (!fault && !usable.pending) {
      begin.mutate({ topic: topic.trim(), format: "consensus", ...(ready ? {} : { simulate: true }) });
    }
  };
  const setUp = () => void navigate({ to: "/new", search: topic.trim() ? { topic: topic.trim() } : {} });
  useShortcuts(t("home.title"), [
    { keys: "mod+Enter", label: ready ? t("home.start") : t("home.start_demo"), run: start, always: true },
  ]);
  return (
    <div className="rounded-2xl border border-line bg-raised p-3 shadow-float has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-(--focus) sm:p-4">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the page is there to be asked a question
        autoFocus
        rows={2}
        value={topic}
        aria-label={t("home.topic")}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong && told}
        placeholder={t("home.topic_placeholder")}
        onChange={(event) => setTopic(event.target.value.replace(/\n/g, " "))}
        className="max-h-44 min-h-18 w-full resize-none rounded-lg border border-transparent bg-transparent px-2 py-2 text-h3 text-ink outline-none [field-sizing:content] placeholder:text-ink-3 aria-[invalid=true]:border-bad"
      />
      {wrong && (
        <p id={told} className="text-meta text-bad">
          {wrong}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <p className="min-w-48 basis-full px-2 text-meta text-ink-3 sm:basis-0 sm:grow">
          {usable.pending
            ? ""
            : ready
              ? t("home.start_with", {
                  names: usable.providers.map((one) => one.provider).join(t("ui.comma")),
                })
              : t("home.no_model")}
        </p>
        <Button look="quiet" onClick={setUp}>
          <SlidersHorizontal size={15} aria-hidden />
          {t("home.set_up")}
        </Button>
        <Button look="primary" busy={begin.isPending} disabled={usable.pending} onClick={start}>
          <Play size={15} aria-hidden />
          {ready || usable.pending ? t("home.start") : t("home.start_demo")}
        </Button>
      </div>
    </div>
  );
}
