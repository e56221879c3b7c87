// A meeting that begins at once, with one press.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { queries } from "../api/queries";
import { notifyError } from "../ui/toast";
import { create } from "./create-meeting";
import { useIdempotencyKey } from "./idempotency-key";
import type { MeetingFile } from "./write-meeting-file";

/** Creates the meeting and opens it; it starts as soon as the page follows it. */
export function useStartNow() {
  const navigate = useNavigate();
  const keyOf = useIdempotencyKey();
  return useMutation({
    mutationFn: (file: MeetingFile) => create(file, keyOf(file)),
    onSuccess: async (id) => {
      void queries.invalidateQueries({ queryKey: ["meetings"] });
      await navigate({ to: "/m/$id", params: { id }, search: { begin: true } });
    },
    onError: notifyError,
  });
}
