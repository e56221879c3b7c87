// The notices that are in sight.

import { Toast as Base } from "@base-ui/react/toast";
import X from "lucide-react/icons/x";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "./classes";
import { takeNotices } from "./toast";

const manager = Base.createToastManager();

/** The list of notices. */
export default function ToastList() {
  const { t } = useTranslation();
  useEffect(
    () =>
      takeNotices(({ text, more, action, bad }) => {
        const id = manager.add({
          title: text,
          description: more,
          type: bad ? "bad" : undefined,
          timeout: bad ? 12_000 : action ? 10_000 : 5_000,
          actionProps: action && {
            children: action.label,
            onClick: () => {
              action.onSelect();
              manager.close(id);
            },
          },
        });
      }),
    [],
  );
  return (
    <Base.Provider toastManager={manager} limit={4}>
      <Base.Portal>
        {/* Above what stands at a page's foot: one writes and sends there while a notice is in sight. On a phone, where the
            foot and windows take all the rest, under the title. */}
        <Base.Viewport
          aria-label={t("ui.notices")}
          className="fixed right-4 bottom-28 z-[60] flex w-[min(92vw,20rem)] flex-col gap-2 max-sm:inset-x-4 max-sm:top-14 max-sm:bottom-auto max-sm:w-auto"
        >
          <Rows />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Rows() {
  const { t } = useTranslation();
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className={cx(
        "fade-in rounded-xl border bg-raised p-3 text-dense text-ink shadow-float",
        toast.type === "bad" ? "border-bad/40" : "border-line",
      )}
    >
      <Base.Content role={toast.type === "bad" ? "alert" : undefined} className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Base.Title className="font-medium" />
          <Base.Description className="text-meta text-ink-2" />
          <Base.Action className="mt-1 rounded text-meta font-medium text-accent hover:underline" />
        </div>
        <Base.Close
          aria-label={t("shell.close")}
          className="rounded p-1 text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <X size={14} aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}
