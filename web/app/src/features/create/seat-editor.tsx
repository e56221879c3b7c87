// The editor of one participant.

import { useState } from "react";
import { LENGTHS, TEMPERAMENTS } from "../../api/choices";
import { ModelPicker } from "../../components/models/model-picker";
import { ProcessPicker } from "../../components/models/process-picker";
import { useTranslation } from "../../i18n";
import { isProcess, PROCESS, type Seat } from "../../meeting-form/form";
import { Field, TextArea, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Switch } from "../../ui/toggles";
import { SamplingFields } from "./sampling";
import { MoreButton } from "./section";

interface Props {
  seat: Seat;
  onChange: (seat: Seat) => void;
}

/** Name, role, model and manner of one participant. */
export function SeatEditor({ seat, onChange }: Props) {
  const { t } = useTranslation();
  const { role, sampling, fallback } = seat;
  const [more, setMore] = useState(
    role.system_prompt !== "" ||
      seat.skip_list !== "" ||
      fallback !== "" ||
      seat.web_search ||
      Object.keys(sampling).length > 0,
  );
  // What is typed into the list of models stays there until the editor is opened again.
  const [process] = useState(seat.kind === "model" && isProcess(seat.model));
  const put = (change: Partial<Seat>) => onChange({ ...seat, ...change });
  const length = (
    <div className="flex flex-col gap-1">
      <span className="text-dense font-medium">{t("create.cast.length")}</span>
      <Select
        label={t("create.cast.length")}
        value={seat.length}
        onChange={(next) => put({ length: next })}
        choices={[
          { value: "", label: t("create.cast.length_free") },
          ...LENGTHS.map((one) => ({ value: one, label: t(`create.cast.length_${one}`) })),
        ]}
      />
    </div>
  );
  if (seat.kind === "agent") {
    return <div className="max-w-60 px-2 pt-2 pb-3 sm:px-8">{length}</div>;
  }
  return (
    <div className="grid gap-3 px-2 pt-2 pb-3 sm:grid-cols-2 sm:px-8">
      <Field label={t("create.cast.name")}>
        <TextInput
          autoFocus
          maxLength={50}
          value={seat.name}
          onChange={(event) => put({ name: event.target.value })}
        />
      </Field>
      <Field label={t("create.cast.role")} hint={t("create.cast.role_hint")}>
        <TextInput
          maxLength={50}
          value={role.name}
          onChange={(event) => put({ role: { ...role, name: event.target.value } })}
        />
      </Field>
      <Field label={t("create.cast.role_text")} className="sm:col-span-2">
        <TextArea
          maxLength={2000}
          rows={2}
          value={role.description}
          onChange={(event) => put({ role: { ...role, description: event.target.value } })}
          className="min-h-16!"
        />
      </Field>
      {seat.kind === "simulated" ? (
        <div className="flex flex-col gap-1">
          <span className="text-dense font-medium">{t("create.cast.temperament")}</span>
          <Select
            label={t("create.cast.temperament")}
            value={seat.temperament}
            onChange={(temperament) => put({ temperament })}
            choices={TEMPERAMENTS.map((one) => ({ value: one, label: t(`table.temperament.${one}`) }))}
          />
        </div>
      ) : process ? (
        <ProcessPicker value={seat.model} onChange={(model) => put({ model: model || PROCESS })} />
      ) : (
        <div className="flex min-w-0 flex-col gap-1">
          <span className="text-dense font-medium">{t("create.cast.model")}</span>
          <ModelPicker
            label={t("create.cast.model")}
            value={seat.model}
            onChange={(model) => put({ model })}
            also={[{ value: "", label: t("create.cast.model_auto"), note: t("create.cast.model_auto_note") }]}
          />
        </div>
      )}
      {length}
      <div className="sm:col-span-2">
        <MoreButton expanded={more} onClick={() => setMore(!more)}>
          {t("create.cast.details")}
        </MoreButton>
      </div>
      {more && (
        <>
          <Field label={t("create.cast.role_prompt")} className="sm:col-span-2">
            <TextArea
              rows={2}
              value={role.system_prompt}
              onChange={(event) => put({ role: { ...role, system_prompt: event.target.value } })}
              className="min-h-16!"
            />
          </Field>
          <Field
            label={t("create.cast.skip_list")}
            hint={t("create.cast.skip_list_hint")}
            className="sm:col-span-2"
          >
            <TextArea
              rows={2}
              value={seat.skip_list}
              onChange={(event) => put({ skip_list: event.target.value })}
              className="min-h-16!"
            />
          </Field>
          {seat.kind === "model" && !isProcess(seat.model) && (
            <>
              <div className="flex min-w-0 flex-col gap-1">
                <span className="text-dense font-medium">{t("create.cast.fallback")}</span>
                <ModelPicker
                  label={t("create.cast.fallback")}
                  value={fallback}
                  onChange={(next) => put({ fallback: next })}
                  also={[
                    { value: "", label: t("create.cast.fallback_default") },
                    { value: "none", label: t("create.cast.fallback_none") },
                  ]}
                />
                <p className="text-meta text-ink-3">{t("create.cast.fallback_hint")}</p>
              </div>
              <div className="sm:col-span-2">
                <Switch
                  label={t("create.cast.web_search")}
                  hint={t("create.cast.web_search_seat_hint")}
                  checked={seat.web_search}
                  onChange={(web_search) => put({ web_search })}
                />
              </div>
              <div className="sm:col-span-2">
                <SamplingFields value={sampling} onChange={(next) => put({ sampling: next })} />
              </div>
            </>
          )}
        </>
      )}
    </div>
  );
}
