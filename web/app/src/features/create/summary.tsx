// The form in short, what it would take, and the buttons that begin it. It stays in sight.

import Play from "lucide-react/icons/play";
import { ChoosingModels } from "../../components/providers/choosing-models";
import { useTranslation } from "../../i18n";
import { type Form, headCount, participantChoice, ruleField } from "../../meeting-form/form";
import { Button } from "../../ui/button";
import { Badge, ErrorNotice } from "../../ui/surface";
import { EstimateCard } from "./estimate-card";
import { type FieldErrors, sectionOf } from "./field-errors";
import { useRulesLine } from "./rules-section";
import { namesFields } from "./use-start";

interface Props {
  form: Form;
  /** All errors, after the user has tried to start, also those without a section. */
  wrong: FieldErrors;
  onReveal: (field: string) => void;
  ready: boolean;
  simulated: boolean;
  error: Error | null;
  busy: "start" | "draft" | undefined;
  onStart: () => void;
  onDraft: () => void;
}

/** The side of the page. */
export function Summary(props: Props) {
  const { form, wrong, onReveal, ready, simulated, error, busy, onStart, onDraft } = props;
  const { t } = useTranslation();
  const ask = ruleField(form, "intake.when");
  const names = form.seats.map((one) => one.name).filter(Boolean);
  const cast = participantChoice(form);
  const seated = headCount(form) - form.described.length;
  const who =
    cast === "named"
      ? names.length === 0
        ? t("create.cast.sum_nobody")
        : t("create.cast.sum_named", { n: names.length, names: names.join(t("ui.comma")) })
      : cast === "team"
        ? t("create.cast.sum_team", { n: seated })
        : t("create.cast.sum_auto", { n: seated });
  return (
    <div className="flex flex-col gap-4 rounded-2xl border border-line bg-raised p-4">
      <dl className="flex flex-col gap-1 text-dense">
        <div>
          <dt className="sr-only">{t("create.format.section")}</dt>
          <dd className="flex flex-wrap items-center gap-2 font-semibold">
            {t(`shell.format.${form.format}`)}
            {simulated && <Badge tone="warn">{t("create.cast.simulated")}</Badge>}
            {form.off_record && <Badge>{t("table.off_record")}</Badge>}
          </dd>
        </div>
        <div>
          <dt className="sr-only">{t("create.cast.section")}</dt>
          <dd className="text-ink-2">{who}</dd>
          {form.described.length > 0 && (
            <dd className="text-ink-2">{t("create.cast.sum_described", { n: form.described.length })}</dd>
          )}
        </div>
        <div>
          <dt className="sr-only">{t("create.rules.section")}</dt>
          <dd className="text-ink-2">{useRulesLine(form)}</dd>
        </div>
      </dl>
      {ask !== "never" && (
        <p className="-mt-3 text-dense text-ink-2">
          {ask === "start" ? t("create.go.will_ask") : t("create.go.will_ask_rounds")}
        </p>
      )}
      <EstimateCard form={form} ready={ready} />
      {error && !namesFields(error) && <ErrorNotice error={error} compact />}
      <Faults wrong={wrong} onReveal={onReveal} />
      {busy !== undefined && !form.simulate && form.models.length === 0 && cast !== "named" && (
        <ChoosingModels />
      )}
      <div className="hidden flex-col gap-2 lg:flex">
        <Go busy={busy} onStart={onStart} onDraft={onDraft} />
        <p className="text-center text-meta text-ink-3 coarse:hidden">{t("create.go.keys")}</p>
      </div>
    </div>
  );
}

function Faults({ wrong, onReveal }: Pick<Props, "wrong" | "onReveal">) {
  const { t } = useTranslation();
  const faults = Object.entries(wrong);
  if (faults.length === 0) {
    return null;
  }
  return (
    <div role="alert" className="text-dense text-bad">
      <p>{t("create.go.fix", { count: faults.length })}</p>
      <ul className="list-disc pl-5">
        {faults.map(([field, text]) => (
          <li key={field}>
            {field === "" ? (
              text
            ) : (
              <button
                type="button"
                onClick={() => onReveal(field)}
                className="text-left align-top hover:underline"
              >
                {t(`create.${sectionOf(field)}.section`)} · {text}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The two buttons that create the meeting. */
export function Go({ busy, onStart, onDraft }: Pick<Props, "busy" | "onStart" | "onDraft">) {
  const { t } = useTranslation();
  const waits = busy !== undefined;
  return (
    <>
      <Button
        look="primary"
        size="large"
        className="grow"
        busy={busy === "start"}
        disabled={waits}
        onClick={onStart}
      >
        <Play size={16} aria-hidden />
        {t("create.go.start")}
      </Button>
      <Button look="quiet" size="large" busy={busy === "draft"} disabled={waits} onClick={onDraft}>
        {t("create.go.draft")}
      </Button>
    </>
  );
}
