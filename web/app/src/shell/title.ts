// The name of the page in the browser's tab.

import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Names the page in the tab while the component is there. */
export function useTitle(title: string | undefined): void {
  const { t } = useTranslation();
  useEffect(() => {
    const name = t("shell.name");
    document.title = title ? `${title} · ${name}` : name;
  }, [title, t]);
}
