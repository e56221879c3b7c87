// The topic box: a question, how it is to be discussed, and a meeting about it.

import { useNavigate } from "@tanstack/react-router";
import ChevronDown from "lucide-react/icons/chevron-down";
import Play from "lucide-react/icons/play";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import { type KeyboardEvent, type ReactElement, Suspense, useId, useRef, useState } from "react";
import { FORMATS } from "../../api/choices";
import { usePermission } from "../../api/permissions";
import type { Format } from "../../api/schema";
import { useAutomaticModels } from "../../components/providers/automatic-models";
import { ChoosingModels } from "../../components/providers/choosing-models";
import { useUsable } from "../../components/providers/usable-providers";
import { useTranslation } from "../../i18n";
import { useStartNow } from "../../meeting-form/use-start-now";
import { useShortcuts } from "../../shell/keys";
import { Button } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { Menu, type MenuItem } from "../../ui/menu";
import { Badge } from "../../ui/surface";

const EstimateLine = lazily(() => import("./estimate-line").then((all) => ({ default: all.EstimateLine })));
const SetupDialog = lazily(() => import("../../components/providers/setup-dialog"));

const TABLES = [2, 3, 4, 5, 6, 8];
const TOPIC_MAX = 200;
/** So many models fit in a list that is looked through; the form has all of them. */
const MODELS_MAX = 20;

/** Asks for the topic, and begins. */
export function TopicBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const usable = useUsable();
  const owner = usePermission("owner");
  const begin = useStartNow();
  const [text, setText] = useState("");
  const [format, setFormat] = useState<Format>("consensus");
  const [seats, setSeats] = useState(4);
  const [model, setModel] = useState<string>();
  const [connects, setConnects] = useState(false);
  const [asked, setAsked] = useState(false);
  const [first = "", ...more] = text.trim().split("\n");
  const [topic, background] = [first.trim(), more.join("\n").trim()];
  const length = [...topic].length;
  const fault =
    length === 0 ? t("home.topic_missing") : length > TOPIC_MAX ? t("home.topic_long") : undefined;
  const wrong = asked ? fault : undefined;
  const told = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const ready = usable.providers.length > 0;
  const none = !usable.pending && !ready;
  const { models } = usable;

  // Without a named model the server gives the seats different ones, as far as there are.
  const mix = useAutomaticModels(seats, ready);
  const automatic =
    mix.length > 1
      ? t("home.chip.mixed", { names: mix.join(t("ui.comma")) })
      : mix[0] !== undefined
        ? t("home.chip.automatic", { name: mix[0] })
        : t("home.chip.models_all");

  const file = {
    topic,
    format,
    seats,
    ...(background && { background }),
    ...(none && { simulate: true }),
    ...(model && { models: [model] }),
  };
  const start = () => {
    setAsked(true);
    if (fault || usable.pending || begin.isPending) return;
    begin.mutate(file);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key === "Enter" && !event.shiftKey && !composing) {
      event.preventDefault();
      start();
    }
  };
  const setUp = () => void navigate({ to: "/new", search: { format, ...(topic && { topic }) } });
  useShortcuts(t("home.title"), [{ keys: "mod+Enter", label: t("home.start"), run: start, always: true }]);
  return (
    <div className="rounded-2xl border border-line bg-raised p-3 shadow-float has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-(--focus) sm:p-4">
      <textarea
        ref={box}
        // biome-ignore lint/a11y/noAutofocus: the page is there to be asked a question
        autoFocus
        data-testid="topic"
        rows={2}
        value={text}
        aria-label={t("home.topic")}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong ? `${told} ${told}-keys` : `${told}-keys`}
        placeholder={t("home.topic_placeholder")}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="max-h-44 min-h-18 w-full resize-none rounded-lg border border-transparent bg-transparent px-2 py-2 text-h3 text-ink outline-none [field-sizing:content] placeholder:text-ink-3 aria-[invalid=true]:border-bad"
      />
      {wrong && (
        <p id={told} role="alert" className="px-2 text-meta text-bad">
          {wrong}
        </p>
      )}
      <p id={`${told}-keys`} className="px-2 text-meta text-ink-3 coarse:sr-only">
        {t("home.enter_hint")}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Menu
          trigger={chip("format", t("home.chip.format", { name: t(`shell.format.${format}`) }))}
          items={FORMATS.map((one) => ({
            label: t(`shell.format.${one}`),
            checked: one === format,
            onSelect: () => setFormat(one),
          }))}
        />
        <Menu
          trigger={chip("table", t("home.chip.table", { count: seats }))}
          items={TABLES.map((count) => ({
            label: t("home.chip.table", { count }),
            checked: count === seats,
            onSelect: () => setSeats(count),
          }))}
        />
        {ready && (
          <Menu
            trigger={chip("model", model ? t("home.chip.model", { name: model }) : automatic)}
            items={[
              {
                label: automatic,
                ...(mix.length > 1 && { note: t("home.chip.mixed_note") }),
                checked: !model,
                onSelect: () => setModel(undefined),
              },
              null,
              ...models.slice(0, MODELS_MAX).map((one): MenuItem => {
                const label = `${one.provider}/${one.model}`;
                return { label, checked: label === model, onSelect: () => setModel(label) };
              }),
              ...(models.length > MODELS_MAX ? [{ label: t("home.chip.models_more"), onSelect: setUp }] : []),
            ]}
          />
        )}
        <span className="ml-auto flex gap-2">
          <Button look="quiet" onClick={setUp}>
            <SlidersHorizontal size={15} aria-hidden />
            {t("home.set_up")}
          </Button>
          <Button
            look="primary"
            data-testid="start"
            busy={begin.isPending}
            disabled={usable.pending}
            onClick={start}
          >
            <Play size={15} aria-hidden />
            {t("home.start")}
          </Button>
        </span>
      </div>
      {/* Nothing moves when it becomes known whether there is a model. */}
      <div className="mt-2 flex min-h-18 flex-wrap items-center gap-x-2 px-2 text-meta text-ink-3 sm:min-h-6">
        {ready &&
          (begin.isPending && !model ? (
            <ChoosingModels />
          ) : (
            <Suspense>
              <EstimateLine file={file} />
            </Suspense>
          ))}
        {none && (
          <>
            <Badge tone="warn">{t("table.simulated")}</Badge>
            <span>{t("home.no_model")}</span>
            {!owner ? (
              <span>{t("shell.may_not_connect")}</span>
            ) : (
              <button
                type="button"
                data-testid="connect-model"
                className="rounded font-medium text-accent underline underline-offset-2"
                onClick={() => setConnects(true)}
              >
                {t("home.connect")}
              </button>
            )}
          </>
        )}
      </div>
      {connects && (
        <Suspense>
          <SetupDialog backTo={box} onClose={() => setConnects(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** A small button that shows what is chosen, and opens the choices. */
function chip(name: string, label: string): ReactElement<Record<string, unknown>> {
  return (
    <Button size="small" data-testid={`chip-${name}`} title={label} className="max-w-64">
      <span className="truncate">{label}</span>
      <ChevronDown size={13} aria-hidden className="shrink-0" />
    </Button>
  );
}
