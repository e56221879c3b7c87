// The rules: in plain words what most people turn, and one press away all of them.

import { useState } from "react";
import { useFormats } from "../../components/rules/catalogue";
import { isWhole } from "../../components/rules/rules";
import { useTranslation } from "../../i18n";
import { type Form, ruleField } from "../../meeting-form/form";
import { TextInput } from "../../ui/field";
import { Segments } from "../../ui/toggles";
import { sectionOf } from "./field-errors";
import { RuleOfForm } from "./rule-of-form";
import { ControlGroup, Section, type SectionProps } from "./section";

interface Props extends SectionProps {
  open: boolean;
  onToggle: () => void;
}

/** The section of rules: how the meeting decides, how long it discusses, and when it asks. */
export function RulesSection({ form, set, wrong, open, onToggle }: Props) {
  const { t } = useTranslation();
  const faults = Object.keys(wrong).filter((field) => sectionOf(field) === "rules");
  const [view, setView] = useState<"plain" | "expert">("plain");
  const hidden = faults.some((path) => !plainOf(form).includes(path));
  const shown = hidden ? "expert" : view;
  return (
    <Section
      id="rules"
      title={t("create.rules.section")}
      line={useRulesLine(form)}
      open={open}
      onToggle={onToggle}
      alarm={faults.length > 0}
    >
      <Segments
        label={t("create.rules.view")}
        value={shown}
        onChange={setView}
        className="self-start"
        choices={[
          { value: "plain", label: t("create.rules.plain") },
          { value: "expert", label: t("create.rules.expert") },
        ]}
      />
      {shown === "plain" ? (
        <Plain form={form} set={set} wrong={wrong} />
      ) : (
        <Expert form={form} set={set} wrong={wrong} />
      )}
    </Section>
  );
}

function clusters(form: Form) {
  const ballots = ruleField(form, "decision.ballots") === true;
  return {
    decide: ballots
      ? [
          "decision.ballots",
          "decision.mean_score",
          "decision.pass_ratio",
          "decision.min_score",
          "decision.quorum",
          "decision.on_steering",
        ]
      : ["decision.ballots", "decision.convergence"],
    flow: [
      "limits.max_rounds",
      ...(ballots ? ["decision.min_rounds"] : []),
      "turns.blind_round",
      "turns.floor",
      "talk.style",
      ...(simulates(form) || "turns.pace" in form.rules ? ["turns.pace"] : []),
    ],
    you: ["intake.when", "roster.approve", "turns.people_may_speak"],
    yield: ["closing.artifacts", ...(ruleField(form, "turns.ideas") === true ? ["closing.best_ideas"] : [])],
  };
}

/** Whether any participant is simulated, so that their speed matters. */
const simulates = (form: Form) => form.simulate || form.seats.some((seat) => seat.kind === "simulated");

const plainOf = (form: Form) => Object.values(clusters(form)).flat();

function Plain(props: SectionProps) {
  const { t } = useTranslation();
  const { decide, flow, you, yield: yields } = clusters(props.form);
  const rows = (paths: string[]) => paths.map((path) => <RuleOfForm key={path} path={path} {...props} />);
  return (
    <div className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
      <ControlGroup title={t("create.rules.decide")}>{rows(decide)}</ControlGroup>
      <ControlGroup title={t("create.rules.flow")}>{rows(flow)}</ControlGroup>
      <ControlGroup title={t("create.rules.you")}>
        {rows(you)}
        <p className="text-meta text-ink-3">{t("create.rules.ask_note")}</p>
      </ControlGroup>
      <ControlGroup title={t("create.rules.yield")}>{rows(yields)}</ControlGroup>
    </div>
  );
}

function Expert(props: SectionProps) {
  const { t } = useTranslation();
  const { groups: all, fields } = useFormats();
  const [typed, setTyped] = useState("");
  const wanted = typed.trim().toLowerCase();
  const fitting = fields.filter(
    (field) => isWhole(field) && `${field.path} ${field.label} ${field.help}`.toLowerCase().includes(wanted),
  );
  const groups = all.map(({ name, label }) => ({
    name,
    label,
    ruleFields: fitting.filter((field) => field.group === name),
  }));
  const found = groups.filter((group) => group.ruleFields.length > 0);
  return (
    <>
      <TextInput
        type="search"
        aria-label={t("create.rules.search")}
        placeholder={t("create.rules.search")}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="max-w-xs"
      />
      {found.length === 0 && <p className="text-dense text-ink-3">{t("create.rules.none_found")}</p>}
      <div className="gap-x-10 sm:columns-2">
        {found.map((group) => (
          <div key={group.name} className="mb-7 break-inside-avoid">
            <ControlGroup title={group.label}>
              {group.ruleFields.map((one) => (
                <div key={one.path} className="break-inside-avoid">
                  <RuleOfForm path={one.path} {...props} />
                  <code className="text-[0.6875rem] text-ink-3">{one.path}</code>
                </div>
              ))}
            </ControlGroup>
          </div>
        ))}
      </div>
    </>
  );
}

/** The rules in a line. */
export function useRulesLine(form: Form): string {
  const { t } = useTranslation();
  const score = ruleField(form, "decision.mean_score");
  const rounds = ruleField(form, "limits.max_rounds");
  const changed = Object.keys(form.rules).filter((path) => sectionOf(path) === "rules").length;
  const parts = [
    t("create.rules.sum_rounds", { count: Number(rounds) }),
    ruleField(form, "decision.ballots") !== true
      ? t("create.rules.sum_no_ballot")
      : typeof score === "number"
        ? t("create.rules.sum_score", { n: score })
        : "",
    changed > 0 ? t("create.rules.sum_changed", { n: changed }) : "",
  ];
  return parts.filter(Boolean).join(" · ");
}
