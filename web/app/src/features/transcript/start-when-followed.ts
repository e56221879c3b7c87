// Starts a new meeting once this page follows it: then its first messages can be watched while they are
// generated.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, done, onceKey } from "../../api/client";
import { useMeeting } from "../../meeting/hooks";
import { notifyError } from "../../ui/toast";

// Where a line does not come about, the meeting begins all the same.
const NOTICE_AFTER_MS = 4_000;

const begun = new Set<string>();

/** Begins the meeting when its address says so (`?begin=true`), once. */
export function useStartWhenFollowed(id: string): void {
  const { begin } = useSearch({ from: "/m/$id" });
  const navigate = useNavigate({ from: "/m/$id" });
  const draft = useMeeting((shown) => shown.view?.state === "draft");
  const connected = useMeeting((shown) => shown.connection === "live");
  const known = useMeeting((shown) => shown.status === "ready");
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), NOTICE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!begin || !known || !(connected || late)) {
      return;
    }
    void navigate({ search: ({ begin: _, ...rest }) => rest, replace: true });
    if (draft && !begun.has(id)) {
      begun.add(id);
      const params = { path: { id }, header: onceKey() };
      done(api.POST("/api/v1/meetings/{id}/start", { params })).catch(notifyError);
    }
  }, [begin, known, connected, late, draft, id, navigate]);
}
