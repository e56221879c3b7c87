// The box that one writes in: names and commands are offered above it, and the input method has its keys to itself.

import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { SpeakerMark } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import type { Suggestion } from "./suggestions";

interface Props {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string, caret: number) => void;
  /** The caret has moved, and the text is as it was. */
  onCaret: (caret: number) => void;
  offers: readonly Suggestion[];
  /** The offers are put aside. */
  onDismiss: () => void;
  enterSends: boolean;
  onSend: () => void;
  disabled?: boolean;
  placeholder: string;
  describedBy: string;
}

/** Keys belong to the input method while it composes. */
function composes(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** The composer's box. */
export function ComposerBox({
  box,
  text,
  onText,
  onCaret,
  offers,
  onDismiss,
  enterSends,
  onSend,
  disabled,
  placeholder,
  describedBy,
}: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const place = useRef<number | null>(null);
  const [composing, setComposing] = useState(false);
  const shown = composing ? [] : offers;
  const at = Math.min(chosen, shown.length - 1);

  const take = (offer: Suggestion) => {
    const { text: next, caret } = offer.take();
    place.current = caret;
    onText(next, caret);
    setChosen(0);
  };
  // With the text, not after it: who types on at once types behind the name.
  useLayoutEffect(() => {
    if (place.current !== null) {
      box.current?.focus();
      box.current?.setSelectionRange(place.current, place.current);
      place.current = null;
    }
  });

  const onOffers = (event: KeyboardEvent): boolean => {
    const offer = shown[at];
    if (!offer) {
      return false;
    }
    switch (event.key) {
      case "ArrowDown":
        setChosen((at + 1) % shown.length);
        return true;
      case "ArrowUp":
        setChosen((at + shown.length - 1) % shown.length);
        return true;
      case "Escape":
        onDismiss();
        return true;
      case "Tab":
        take(offer);
        return !event.shiftKey;
      case "Enter":
        // A command that is written out is done by Enter, not offered once more.
        if (offer.take().text.trimEnd() === text.trimEnd()) {
          return false;
        }
        take(offer);
        return true;
      default:
        return false;
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (composes(event)) {
      return;
    }
    if (onOffers(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && !event.altKey && (mod || (enterSends && !event.shiftKey))) {
      event.preventDefault();
      onSend();
    } else if (event.key === "Escape") {
      box.current?.blur();
    }
  };

  return (
    <div className="relative">
      {shown.length > 0 && (
        <div
          id={`${id}-offers`}
          role="listbox"
          aria-label={t("talk.offers")}
          className="fade-in absolute bottom-full left-0 z-30 mb-1.5 max-h-[min(18rem,calc(var(--page-height,100dvh)-10.5rem))] w-[min(100%,28rem)] overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float"
        >
          {shown.map((offer, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys, as in every combobox
            <div
              key={offer.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(offer)}
              className={cx(
                "flex cursor-default items-center gap-2 rounded-lg px-2 py-1.5 text-dense coarse:min-h-10",
                index === at && "bg-sunken",
              )}
            >
              <Offered offer={offer} />
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={box}
        value={text}
        rows={1}
        aria-haspopup="listbox"
        aria-controls={shown.length > 0 ? `${id}-offers` : undefined}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        aria-label={t("talk.say")}
        aria-describedby={describedBy}
        disabled={disabled}
        placeholder={placeholder}
        onChange={(event) => {
          setChosen(0);
          onText(event.currentTarget.value, event.currentTarget.selectionStart);
        }}
        onSelect={(event) => {
          onCaret(event.currentTarget.selectionStart);
        }}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={(event) => {
          setComposing(false);
          onText(event.currentTarget.value, event.currentTarget.selectionStart);
        }}
        onKeyDown={onKeyDown}
        className="block max-h-48 w-full resize-none bg-transparent px-1 py-1.5 text-body outline-none [field-sizing:content] placeholder:text-ink-3 disabled:opacity-60"
      />
    </div>
  );
}

function Offered({ offer }: { offer: Suggestion }) {
  const { t } = useTranslation();
  if (offer.command) {
    const { name } = offer.command;
    return (
      <>
        <span className="w-20 shrink-0 font-mono text-meta">{offer.label}</span>
        <span className="min-w-0 text-ink-2">{t(`talk.command_${name}`)}</span>
      </>
    );
  }
  return (
    <>
      {offer.person && <SpeakerMark speaker={offer.person} size="small" />}
      <span>{offer.label}</span>
      {offer.person?.role && <span className="truncate text-meta text-ink-3">{offer.person.role}</span>}
    </>
  );
}
