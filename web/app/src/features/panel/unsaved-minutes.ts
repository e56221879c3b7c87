// Minutes that a person is editing: they outlast the tab and the drawer that show them, and go when the person signs out.

import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Minutes, MinutesVersion } from "../../api/schema";

/** An edit: of which version, and how it reads by now. */
export interface Edit {
  from: MinutesVersion;
  minutes: Minutes;
}

/** The edit of a meeting's minutes, if there is one, and a way to keep or drop it. */
export function useEdit(id: string): [Edit | null, (edit: Edit | null) => void] {
  const queries = useQueryClient();
  const queryKey = ["meeting", id, "minutes", "edit"];
  const { data } = useQuery<Edit | null>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return [data ?? null, (edit) => queries.setQueryData(queryKey, edit)];
}
