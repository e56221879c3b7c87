// The rules of a meeting: the changeable ones in plain words, and all of them as JSON.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, done, ProblemError } from "../../api/client";
import type { Rules } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useRuleCatalogue } from "../../components/rules/catalogue";
import { useTranslation } from "../../i18n";
import { isOpen } from "../../meeting/view";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextArea } from "../../ui/field";
import { type Fields, isFields, readJson } from "../../ui/json";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import { useUnsaved } from "../../ui/unsaved";
import { RulesInWords, SHOWN } from "./rules-in-words";

/** The dialog of the rules. Users who may not change them can read them. */
export default function RulesDialog({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const held = useQuery({
    queryKey: ["meeting", view.id, "rules"],
    queryFn: async () => {
      const asked = api.GET("/api/v1/meetings/{id}/rules", { params: { path: { id: view.id } } });
      const rules = await done(asked);
      return { rules, tag: (await asked).response.headers.get("etag") };
    },
    staleTime: 0,
    gcTime: 0,
    // Rules that somebody else has changed meanwhile do not take the place of those that are being changed here.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const formats = useRuleCatalogue();
  const changeable = may.manage && isOpen(view);
  const again = () => void Promise.all([held.refetch(), formats.refetch()]);
  const error = held.error ?? formats.error;
  return (
    <Dialog
      wide
      open
      onOpenChange={onOpenChange}
      title={t("dialog.rules.title")}
      description={t(changeable ? "dialog.rules.lead" : "dialog.rules.lead_read")}
    >
      {!error && (held.isPending || formats.isPending) && <Waiting />}
      {error && <ErrorNotice error={error} onRetry={again} />}
      {held.data && formats.data && (
        <Form
          key={held.data.tag}
          {...held.data}
          changeable={changeable}
          onReload={() => void held.refetch()}
          onDone={() => onOpenChange(false)}
        />
      )}
    </Dialog>
  );
}

interface FormProps {
  rules: Rules;
  tag: string | null;
  changeable: boolean;
  onReload: () => void;
  onDone: () => void;
}

function Form({ rules: before, tag, changeable, onReload, onDone }: FormProps) {
  const { t } = useTranslation();
  const { view } = useTable();
  const [as, setAs] = useState<"words" | "json">("words");
  const [rules, setRules] = useState(before);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const put = (body: Rules, match: string | null) =>
    done(
      api.PUT("/api/v1/meetings/{id}/rules", {
        params: { path: { id: view.id }, header: match ? { "If-Match": match } : {} },
        body,
      }),
    );
  // Changes that were made since are kept.
  const back = (seq: number) =>
    put(before, `"${seq}"`).then(
      () => notify({ text: t("dialog.rules.back") }),
      (error: unknown) =>
        isOutdated(error)
          ? notify({ bad: true, text: t("dialog.rules.not_back"), more: t("dialog.rules.not_back_more") })
          : notifyError(error),
    );
  /** Parses the rules in the text; errors are shown. */
  const written = (whole: boolean): Rules | null => {
    const read = readJson(text);
    if (read.fault) {
      setProblem(new Error(t("dialog.rules.no_json", { ...read.fault })));
      return null;
    }
    if (!isFields(read.value)) {
      setProblem(new Error(t("dialog.rules.no_object")));
      return null;
    }
    const lacking = lacks(read.value, before);
    if (whole && lacking.length > 0) {
      setProblem(new Error(t("dialog.rules.no_words", { names: lacking.join(t("ui.comma")) })));
      return null;
    }
    // The server has the last word on what may stand there.
    return read.value as unknown as Rules;
  };
  const show = (next: "words" | "json") => {
    setProblem(null);
    if (next === as) {
      return;
    }
    if (next === "json") {
      setText(asText(rules));
      setAs(next);
      return;
    }
    const now = written(true);
    if (now) {
      setRules(now);
      setAs(next);
    }
  };
  const save = async () => {
    setProblem(null);
    const wanted = as === "json" ? written(false) : rules;
    if (!wanted) {
      return;
    }
    setBusy(true);
    try {
      const { seq } = await put(wanted, tag);
      notify({
        text: t("dialog.rules.done"),
        action: { label: t("table.undo"), onSelect: () => void back(seq) },
      });
      onDone();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const outdated = isOutdated(problem);
  const same = as === "json" ? text === asText(before) : JSON.stringify(rules) === JSON.stringify(before);
  useUnsaved(changeable && !same);

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Segments
        label={t("dialog.rules.as")}
        value={as}
        onChange={show}
        className="self-start"
        choices={[
          { value: "words", label: t("create.rules.plain") },
          { value: "json", label: t("dialog.rules.all") },
        ]}
      />
      {as === "json" ? (
        <Field label={t("dialog.rules.all")} bare hint={t("dialog.rules.all_hint")}>
          <TextArea
            value={text}
            readOnly={!changeable}
            spellCheck={false}
            className="min-h-80 font-mono text-meta"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      ) : (
        <RulesInWords rules={rules} onChange={setRules} disabled={!changeable} />
      )}
      {(changeable || problem !== null) && (
        // Stays in view: the rules are longer than the window.
        <div className="sticky -bottom-2 flex flex-col gap-3 bg-raised py-2">
          {problem !== null && (
            <ErrorNotice
              error={outdated ? new Error(t("dialog.rules.outdated")) : problem}
              compact
              onRetry={outdated ? onReload : undefined}
            />
          )}
          {changeable && (
            <div className="flex items-center justify-end gap-3">
              <span className="text-meta text-ink-3">{t("dialog.rules.when")}</span>
              <Button type="submit" look="primary" busy={busy} disabled={same}>
                {t("ui.save")}
              </Button>
            </div>
          )}
        </div>
      )}
    </form>
  );
}

function asText(rules: Rules): string {
  return JSON.stringify(rules, null, 2);
}

function isOutdated(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 412;
}

/** Fields that the sentences need and the text lacks: `limits`, `turns.may_skip`. */
function lacks(rules: Fields, before: Rules): string[] {
  return SHOWN.flatMap((group) => {
    const held = rules[group];
    return isFields(held)
      ? Object.keys(before[group])
          .filter((name) => !(name in held))
          .map((name) => `${group}.${name}`)
      : [group];
  });
}
