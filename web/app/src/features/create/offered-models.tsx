// The models that a team can be given, with what each is good at.

import X from "lucide-react/icons/x";
import { ModelPicker } from "../../components/models/model-picker";
import { useTranslation } from "../../i18n";
import { type Offer, rowKey } from "../../meeting-form/form";
import { IconButton } from "../../ui/button";
import { FieldError, TextInput } from "../../ui/field";
import { MoreButton, type SectionProps } from "./section";

/** The offers of a team. */
export function OfferedModels({ form, set, wrong }: SectionProps) {
  const { t } = useTranslation();
  const put = (key: string, change: Partial<Offer>) =>
    set({ ...form, offers: form.offers.map((one) => (one.key === key ? { ...one, ...change } : one)) });
  if (form.simulate) {
    return null;
  }
  return (
    <div className="flex flex-col gap-2">
      {form.offers.length > 0 && (
        <>
          <span className="text-dense font-medium">{t("create.cast.offers")}</span>
          <ul className="flex flex-col gap-2">
            {form.offers.map((offer, at) => (
              <li key={offer.key} className="grid gap-2 sm:grid-cols-[1.3fr_0.8fr_1fr_auto]">
                <ModelPicker
                  label={t("create.cast.model")}
                  value={offer.model}
                  onChange={(model) => put(offer.key, { model })}
                />
                <TextInput
                  aria-label={t("create.cast.offer_name")}
                  placeholder={t("create.cast.offer_name")}
                  value={offer.name}
                  onChange={(event) => put(offer.key, { name: event.target.value })}
                />
                <TextInput
                  aria-label={t("create.cast.good_at")}
                  placeholder={t("create.cast.good_at")}
                  value={offer.good_at}
                  onChange={(event) => put(offer.key, { good_at: event.target.value })}
                />
                <IconButton
                  label={t("create.cast.take_out", { name: offer.name || offer.model })}
                  onClick={() =>
                    set({ ...form, offers: form.offers.filter((other) => other.key !== offer.key) })
                  }
                >
                  <X size={15} aria-hidden />
                </IconButton>
                <FieldError text={wrong[`offers.${at}`]} />
              </li>
            ))}
          </ul>
        </>
      )}
      <MoreButton
        onClick={() =>
          set({
            ...form,
            offers: [...form.offers, { key: rowKey(), model: "", name: "", good_at: "", sampling: {} }],
          })
        }
      >
        {t("create.cast.offers_add")}
      </MoreButton>
      <p className="text-meta text-ink-3">{t("create.cast.offers_hint")}</p>
    </div>
  );
}
