// Windows over the page, as they are drawn once one is open.

import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { type RouterHistory, useRouter } from "@tanstack/react-router";
import X from "lucide-react/icons/x";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../i18n";
import { Button, IconButton } from "./button";
import { cx } from "./classes";
import type { ConfirmProps, DialogProps, DrawerProps, WindowProps } from "./dialog";
import { UnsavedEdits } from "./unsaved";

const BACKDROP = "fixed inset-0 z-40 bg-backdrop fade-in";

/** A window in the middle of the page. */
export function Dialog({ wide, ...rest }: DialogProps) {
  const place =
    "fixed z-50 left-1/2 top-[calc(var(--page-height,100dvh)/2)] -translate-x-1/2 -translate-y-1/2 " +
    "max-h-[min(calc(var(--page-height,100dvh)*0.88),52rem)] rounded-2xl " +
    cx("w-[calc(100vw-2rem)]", wide ? "max-w-3xl" : "max-w-lg");
  return <Window {...rest} place={place} />;
}

/** A window at the side of the page, as high as the page. */
export function Drawer({ side = "right", ...rest }: DrawerProps) {
  const edge = side === "right" ? "right-0 border-l" : "left-0 border-r";
  return <Window {...rest} place={cx("fixed z-50 inset-y-0 w-[min(92vw,26rem)] border-line", edge)} />;
}

const FIELDS = "input:not([type=hidden], [type=checkbox], :disabled), textarea:not(:disabled)";

function Window({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  discard,
  place,
}: WindowProps & { place: string }) {
  const { t } = useTranslation();
  const body = useRef<HTMLDivElement>(null);
  // With keyboard or mouse, the first field of a form gets the focus; on touch that would open the on-screen
  // keyboard. A switch is not what a window is opened for: the one at the foot of a long list would scroll it away.
  const first = (opened: string) =>
    opened === "touch" ? true : (body.current?.querySelector<HTMLElement>(FIELDS) ?? true);
  const [unsaved] = useState(() => new Set<string>());
  const [asking, setAsking] = useState(false);
  const steps = useStepsOfHistory(open, unsaved, () => setAsking(true));
  // What was saved in the meantime has nothing left to ask.
  if (asking && !open) {
    setAsking(false);
  }
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        if (next || unsaved.size === 0) {
          onOpenChange(next);
          return;
        }
        details.cancel();
        steps.forget();
        setAsking(true);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          initialFocus={first}
          className={cx("flex flex-col bg-raised text-ink shadow-float fade-in", place)}
        >
          <header className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-h3 font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-dense text-ink-2">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              render={
                <IconButton label={t("shell.close")} size="small">
                  <X size={16} aria-hidden />
                </IconButton>
              }
            />
          </header>
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-5 py-2" tabIndex={0}>
            <UnsavedEdits value={unsaved}>{children}</UnsavedEdits>
          </div>
          {footer ? (
            <footer className="flex flex-wrap justify-end gap-2 px-5 pt-2 pb-4">{footer}</footer>
          ) : (
            <div className="h-3" />
          )}
          <Confirm
            open={asking}
            onOpenChange={setAsking}
            title={discard?.title ?? t("ui.discard_title")}
            text={discard?.text ?? t("ui.discard_text")}
            action={discard?.action ?? t("ui.discard")}
            danger
            onConfirm={() => {
              setAsking(false);
              onOpenChange(false);
              steps.take();
            }}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Holds the browser's Back and Forward, and leaving the site, while an open window has edits that are not saved. */
function useStepsOfHistory(open: boolean, unsaved: Set<string>, onHeld: () => void) {
  // Some windows are tested without pages.
  const history: RouterHistory | undefined = useRouter({ warn: false })?.history;
  const step = useRef(0);
  const held = useEffectEvent(onHeld);
  useEffect(() => {
    if (open) {
      return history?.block({
        enableBeforeUnload: () => unsaved.size > 0,
        blockerFn: ({ action, currentLocation, nextLocation }) => {
          // What a window itself goes on to comes after it has saved.
          if (action === "PUSH" || action === "REPLACE" || unsaved.size === 0) {
            return false;
          }
          step.current = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
          held();
          return true;
        },
      });
    }
  }, [history, open, unsaved]);
  return {
    /** Goes where it was held. */
    take: () => {
      if (step.current !== 0) {
        history?.go(step.current, { ignoreBlocker: true });
      }
    },
    /** Somebody closes the window otherwise. */
    forget: () => {
      step.current = 0;
    },
  };
}

/** Asks before something is done. */
export function Confirm({
  open,
  onOpenChange,
  title,
  text,
  action,
  danger,
  busy,
  onConfirm,
  children,
}: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-2xl bg-raised p-5 text-ink shadow-float fade-in">
          <AlertDialog.Title className="text-h3 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1 text-dense text-ink-2">{text}</AlertDialog.Description>
          {children}
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Close render={<Button look="quiet">{t("ui.cancel")}</Button>} />
            <Button look={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
