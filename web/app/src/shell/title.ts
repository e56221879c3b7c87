// The name of the page in the browser's tab, with the number of meetings and messages that wait for the user.

import { useEffect } from "react";
import { useTranslation } from "../i18n";

let name = document.title;
const counts = { waiting: 0, mentions: 0 };

function show(): void {
  const all = counts.waiting + counts.mentions;
  document.title = all > 0 ? `(${all}) ${name}` : name;
}

/** Names the page in the tab while the component is there. */
export function useTitle(title: string | undefined): void {
  const { t } = useTranslation();
  useEffect(() => {
    const page = t("shell.name");
    name = title ? `${title} · ${page}` : page;
    show();
  }, [title, t]);
}

/** Shows before the name how many meetings wait and mentions are new, together; nothing for none. */
export function setTitleCount(what: keyof typeof counts, count: number): void {
  counts[what] = count;
  show();
}
