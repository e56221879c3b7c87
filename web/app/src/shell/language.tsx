// The page's other language, one press away.

import { type Language, setLanguage, useTranslation } from "../i18n";
import { Button } from "../ui/button";
import { notifyError } from "../ui/toast";
import { prefer } from "./own-settings";

/** Speaks a language, and keeps that it was chosen. */
export function takeLanguage(language: Language): void {
  void setLanguage(language)
    .then(() => prefer({ language: language === "en" ? "en" : "zh" }))
    .catch(notifyError);
}

/** The language that is not spoken now, by its own name, and what makes the page speak it. */
export function useOtherLanguage() {
  const { i18n } = useTranslation();
  const language = i18n.language === "en" ? "zh-CN" : "en";
  return {
    language,
    name: language === "en" ? "English" : "中文",
    take: () => takeLanguage(language),
  };
}

/** The language button of pages that are shown before sign-in. */
export function LanguageButton() {
  const { language, name, take } = useOtherLanguage();
  return (
    <Button look="quiet" size="small" lang={language} onClick={take}>
      {name}
    </Button>
  );
}
