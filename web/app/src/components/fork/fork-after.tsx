// A fork after a message: the same dialog as elsewhere, with that place proposed.

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { MeetingId } from "../../api/schema";
import { notifyError } from "../../ui/toast";
import { viewOf } from "../export/result-queries";
import { ForkDialog } from "./fork";

interface Props {
  id: MeetingId;
  /** The event of the message. */
  seq: number;
  onOpenChange: (open: boolean) => void;
}

/** The window that makes a fork after a message. */
export default function ForkAfter({ id, seq, onOpenChange }: Props) {
  const { data: view, error } = useQuery(viewOf(id));
  useEffect(() => {
    if (error) {
      notifyError(error);
      onOpenChange(false);
    }
  }, [error, onOpenChange]);
  return view ? (
    <ForkDialog id={id} view={view} at={seq} afterWords open onOpenChange={onOpenChange} />
  ) : null;
}
