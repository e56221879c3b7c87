// The fields of an answer, made from its schema.

import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { useTranslation } from "../../i18n";
import { Button, IconButton } from "../../ui/button";
import { Field, NumberInput, TextArea, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Segments } from "../../ui/toggles";
import {
  blankOf,
  type Fault,
  type Faults,
  type Filled,
  groupOf,
  mayStayEmpty,
  type Shape,
} from "./answer-schema";

/** A text of at most so many characters has one line. */
const LINE_MAX = 120;

interface Props {
  shape: Shape;
  filled: Filled | undefined;
  onChange: (filled: Filled) => void;
  faults: Faults;
}

/** The fields of a whole answer. */
export function AnswerFields({ shape, ...rest }: Props) {
  const { t } = useTranslation();
  return shape.kind === "group" ? (
    <Parts shape={shape} path="" {...rest} />
  ) : (
    <OneField label={t("turn.answer")} path="" shape={shape} {...rest} />
  );
}

/** The words for the name of a field; a name that is not known is shown as it is. */
function useFieldName(): (name: string) => string {
  const { i18n } = useTranslation();
  return (name) => i18n.find(`turn.field.${name}`) ?? name.replaceAll("_", " ");
}

function Parts({
  shape,
  path,
  filled,
  onChange,
  faults,
}: Props & { shape: Extract<Shape, { kind: "group" }>; path: string }) {
  const nameOf = useFieldName();
  const parts = isGroup(filled) ? filled : groupOf(shape);
  return shape.parts.map((part) => (
    <OneField
      key={part.name}
      label={nameOf(part.name)}
      path={path === "" ? part.name : `${path}.${part.name}`}
      optional={mayStayEmpty(part)}
      shape={part.shape}
      filled={parts[part.name]}
      onChange={(next) => onChange({ ...parts, [part.name]: next })}
      faults={faults}
    />
  ));
}

function isGroup(filled: Filled | undefined): filled is { [name: string]: Filled } {
  return typeof filled === "object" && filled !== null && !Array.isArray(filled);
}

/** What is wrong with a field, in words. */
function useFault(): (fault: Fault | undefined) => string | undefined {
  const { t } = useTranslation();
  return (fault) => {
    if (!fault) {
      return undefined;
    }
    return "limit" in fault
      ? t(`turn.fault.${fault.is}`, { count: fault.limit })
      : t(`turn.fault.${fault.is}`);
  };
}

function OneField({
  label,
  path,
  shape,
  filled,
  onChange,
  faults,
  bare,
  optional,
}: Props & { label: string; path: string; optional?: boolean; bare?: boolean }) {
  const { t } = useTranslation();
  const say = useFault();
  const fault = faults[path];
  const error = say(fault);
  const at = fault ? { "data-fault": path } : {};
  switch (shape.kind) {
    case "text": {
      const value = typeof filled === "string" ? filled : "";
      const length = [...value].length;
      const left = (shape.most ?? Number.POSITIVE_INFINITY) - length;
      const hint =
        shape.most === undefined || length <= shape.most * 0.8
          ? undefined
          : left < 0
            ? t("turn.chars_over", { count: -left })
            : t("turn.chars_left", { count: left });
      return (
        <div {...at}>
          <Field label={label} bare={bare} optional={optional} hint={hint} error={error}>
            {(shape.most ?? Number.POSITIVE_INFINITY) <= LINE_MAX ? (
              <TextInput value={value} onChange={(event) => onChange(event.currentTarget.value)} />
            ) : (
              <TextArea compact rows={1} value={value} onChange={(event) => onChange(event.target.value)} />
            )}
          </Field>
        </div>
      );
    }
    case "number": {
      const { least, most } = shape;
      const hint = least !== undefined && most !== undefined ? t("turn.between", { least, most }) : undefined;
      return (
        <div {...at}>
          <Field label={label} bare={bare} optional={optional} hint={hint} error={error}>
            <NumberInput
              label={label}
              value={typeof filled === "number" ? filled : null}
              onChange={onChange}
              min={least}
              max={most}
              step={shape.whole ? 1 : 0.1}
            />
          </Field>
        </div>
      );
    }
    case "truth":
      return (
        <div {...at}>
          <Field label={label} bare={bare} optional={optional} error={error}>
            <Segments
              label={label}
              className="self-start"
              value={typeof filled === "boolean" ? String(filled) : ""}
              onChange={(next) => onChange(next === "true")}
              choices={[
                { value: "true", label: t("turn.yes") },
                { value: "false", label: t("turn.no") },
              ]}
            />
          </Field>
        </div>
      );
    case "choice":
      return (
        <div {...at}>
          <Field label={label} bare={bare} optional={optional} error={error}>
            <Select
              value={typeof filled === "string" ? filled : ""}
              onChange={onChange}
              choices={shape.choices.map((value) => ({ value, label: value }))}
            />
          </Field>
        </div>
      );
    case "list":
      return (
        <div {...at}>
          <List {...{ label, path, shape, filled, onChange, faults, error }} />
        </div>
      );
    case "group": {
      if (shape.nullable && filled === null) {
        return (
          <Button look="quiet" size="small" className="self-start" onClick={() => onChange(groupOf(shape))}>
            <Plus size={14} aria-hidden />
            {label}
          </Button>
        );
      }
      return (
        <fieldset className="m-0 flex min-w-0 flex-col gap-3 rounded-lg border border-line p-3" {...at}>
          <legend className={bare ? "sr-only" : "px-1 text-dense font-medium text-ink"}>{label}</legend>
          <Parts {...{ shape, path, filled, onChange, faults }} />
        </fieldset>
      );
    }
    case "json":
      return (
        <div {...at}>
          <Field label={label} bare={bare} hint={t("turn.as_json")} error={error}>
            <TextArea
              value={typeof filled === "string" ? filled : ""}
              onChange={(event) => onChange(event.target.value)}
            />
          </Field>
        </div>
      );
  }
}

function List({
  label,
  path,
  shape,
  filled,
  onChange,
  faults,
  error,
}: Props & { label: string; path: string; shape: Extract<Shape, { kind: "list" }>; error?: string }) {
  const { t } = useTranslation();
  const items = Array.isArray(filled) ? filled : [];
  const full = shape.most !== undefined && items.length >= shape.most;
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-1.5 border-0 p-0">
      <legend className="p-0 text-dense font-medium text-ink">
        {label}
        <span className="ml-1.5 text-meta font-normal text-ink-3">
          {shape.least > 0 ? t("turn.at_least", { count: shape.least }) : t("ui.optional")}
        </span>
      </legend>
      {items.map((item, at) => (
        <div key={at} className="flex items-start gap-1.5">
          <div className="min-w-0 flex-1">
            <OneField
              bare
              label={t("turn.item", { label, n: at + 1 })}
              path={`${path}.${at}`}
              shape={shape.item}
              filled={item}
              onChange={(next) => onChange(items.with(at, next))}
              faults={faults}
            />
          </div>
          {items.length > shape.least && (
            <IconButton
              label={t("turn.remove", { label, n: at + 1 })}
              onClick={() => onChange(items.toSpliced(at, 1))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      {!full && (
        <Button
          look="quiet"
          size="small"
          className="self-start"
          aria-label={t("turn.add", { label })}
          onClick={() => onChange([...items, blankOf(shape.item)])}
        >
          <Plus size={14} aria-hidden />
          {t("turn.add_short")}
        </Button>
      )}
      {error && <p className="text-meta text-bad">{error}</p>}
    </fieldset>
  );
}
