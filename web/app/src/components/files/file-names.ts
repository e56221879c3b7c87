// The names by which the files of a meeting are cited.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { queries } from "../../api/queries";
import { type FileNames, fileNames } from "../../markdown/marked";
import { filesOf } from "./requests";

/** The names of the files of a meeting; none before they are known. */
export function useFileNames(meeting: string): FileNames | undefined {
  const { data } = useQuery({ ...filesOf(meeting), enabled: meeting !== "" });
  return useMemo(() => data && fileNames(data), [data]);
}

/** Has the list of files fetched anew when it lacks one that was attached, also by somebody else. */
export function useKnownFile(meeting: string, file: string): void {
  useEffect(() => {
    const { queryKey } = filesOf(meeting);
    const known = queries.getQueryData(queryKey);
    if (known && !known.some(({ id }) => id === file)) {
      void queries.invalidateQueries({ queryKey });
    }
  }, [meeting, file]);
}
