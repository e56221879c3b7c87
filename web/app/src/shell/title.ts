// The name of the page in the browser's tab, with the number of messages that wait for the user.

import { useEffect } from "react";
import { useTranslation } from "react-i18next";

let name = document.title;
let waiting = 0;

function show(): void {
  document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
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

/** Shows before the name how many messages wait; nothing for none. */
export function setTitleCount(count: number): void {
  waiting = count;
  show();
}
