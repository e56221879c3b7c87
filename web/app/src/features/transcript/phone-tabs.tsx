// The three views of a meeting on a phone: messages, results, participants.

import MessagesSquare from "lucide-react/icons/messages-square";
import Scale from "lucide-react/icons/scale";
import Users from "lucide-react/icons/users";
import { changeLayout, useLayout } from "../../components/meeting-page/layout";
import { useTranslation } from "../../i18n";
import { useIsTurnOpen } from "../../meeting/own-seat";

/** The bar at the foot of the page, where there is room for one view at a time. */
export function PhoneTabs() {
  const { t } = useTranslation();
  const { drawer } = useLayout();
  const isAsked = useIsTurnOpen();
  const tabs = [
    { shows: null, label: t("talk.tab_talk"), icon: <MessagesSquare size={18} aria-hidden /> },
    { shows: "panel", label: t("talk.tab_panel"), icon: <Scale size={18} aria-hidden /> },
    { shows: "participants", label: t("talk.tab_rail"), icon: <Users size={18} aria-hidden /> },
  ] as const;
  return (
    <nav
      data-edge="bottom"
      aria-label={t("talk.views")}
      className="flex shrink-0 border-t border-line bg-raised md:hidden keyboard:hidden"
    >
      {tabs.map((tab) => (
        <button
          key={tab.label}
          type="button"
          aria-current={drawer === tab.shows ? "page" : undefined}
          onClick={() => changeLayout({ drawer: tab.shows })}
          className="flex h-12 flex-1 flex-col items-center justify-center text-[0.6875rem] leading-tight text-ink-3 aria-[current=page]:text-accent"
        >
          <span className="relative">
            {tab.icon}
            {tab.shows === null && isAsked && (
              <span
                aria-hidden
                data-testid="turn-dot"
                className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent"
              />
            )}
          </span>
          {tab.label}
        </button>
      ))}
    </nav>
  );
}
