// Who wrote something, by name.

import { useTranslation } from "react-i18next";
import type { Author } from "../../api/schema";
import { nameOf, useTable } from "../meeting-page/context";

/** Names an author. */
export function useAuthor(): (author: Author) => string {
  const { t } = useTranslation();
  const { view } = useTable();
  return (author) =>
    typeof author === "object" ? nameOf(view, author.participant) : t(`table.author.${author}`);
}
