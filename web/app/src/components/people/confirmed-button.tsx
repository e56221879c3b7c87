// A button that takes something away from somebody: pressed, it asks first.

import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { notifyError } from "../../ui/toast";

interface Props {
  label: string;
  title: string;
  text: ReactNode;
  /** Does it; then what is taken away may leave its list. */
  onConfirmed: () => Promise<unknown>;
  onDone: () => void;
}

/** The button with its question, which is closed before anything around it changes. */
export function ConfirmedButton({ label, title, text, onConfirmed, onDone }: Props) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const went = await onConfirmed().then(() => true, notifyError);
    setBusy(false);
    setAsking(false);
    if (went) {
      onDone();
    }
  };
  return (
    <>
      <Button look="danger" size="small" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={title}
        text={text}
        action={label}
        danger
        busy={busy}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
