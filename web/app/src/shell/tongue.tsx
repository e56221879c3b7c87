// The page's other language, one press away.

import { useTranslation } from "react-i18next";
import { speak } from "../i18n";
import { Button } from "../ui/button";
import { notifyTrouble } from "../ui/toast";

/** The language that is not spoken now, by its own name, and what makes the page speak it. */
export function useOtherTongue() {
  const { i18n } = useTranslation();
  const tongue = i18n.language === "en" ? "zh-CN" : "en";
  return {
    tongue,
    name: tongue === "en" ? "English" : "中文",
    take: () => void speak(tongue).catch(notifyTrouble),
  };
}

/** For pages that somebody sees who has no settings yet. */
export function TongueButton() {
  const { tongue, name, take } = useOtherTongue();
  return (
    <Button look="quiet" size="small" lang={tongue} onClick={take}>
      {name}
    </Button>
  );
}
