// Asks before something of the server's is taken away, takes it away, and has the list read again.

import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toast";

interface Props {
  title: string;
  text: string;
  action: string;
  /** Takes it away. */
  run: () => Promise<unknown>;
  /** The notice after the deletion. */
  said: string;
  /** The list in which it stood. */
  list: QueryKey;
  onOver: () => void;
}

/** The question, and what follows from a yes. */
export function RemoveConfirmation({ title, text, action, run, said, list, onOver }: Props) {
  const queries = useQueryClient();
  const taking = useMutation({
    mutationFn: run,
    onSuccess: () => notify({ text: said }),
    onError: notifyError,
    onSettled: async () => {
      onOver();
      await queries.invalidateQueries({ queryKey: list });
    },
  });
  return (
    <Confirm
      open
      onOpenChange={onOver}
      title={title}
      text={text}
      action={action}
      danger
      busy={taking.isPending}
      onConfirm={() => taking.mutate()}
    />
  );
}
