// The language and the time zone of somebody else, in the words of the reader.

import { zoneInWords } from "../../components/times/zones";
import { useTranslation } from "../../i18n";

/** `中文（中国）` for `zh-CN`; a tag that no language has stays as it is. */
export function languageInWords(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Names languages by their tags, and zones with their present offset: `中国时间（UTC+08:00）`. */
export function useLocaleNames(): { language: (tag: string) => string; zone: (name: string) => string } {
  const { t, i18n } = useTranslation();
  return {
    language: (tag) => languageInWords(tag, i18n.language),
    zone: (name) => {
      const { words, offset } = zoneInWords(name, i18n.language);
      return offset === undefined ? words : t("times.zone_offset", { zone: words, offset });
    },
  };
}
