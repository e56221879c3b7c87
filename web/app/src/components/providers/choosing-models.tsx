// Why a meeting that names no model is a while in coming: every provider is asked what it serves, and one may not answer.

import { useEffect, useState } from "react";
import { useTranslation } from "../../i18n";

/** Most meetings are there sooner, and nothing flashes up for them. */
const SOON_MS = 1_500;

/** Says it once that takes longer. */
export function ChoosingModels() {
  const { t } = useTranslation();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="text-meta text-ink-3">
      {late && t("home.choosing_models")}
    </p>
  );
}
