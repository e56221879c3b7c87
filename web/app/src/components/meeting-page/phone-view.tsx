// One of the views of a meeting on a phone, in the place of the transcript: the bar at the foot of the page changes it.

import type { ReactNode } from "react";

/** The view; the transcript under it keeps its place. */
export function PhoneView({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="fade-in absolute inset-0 z-20 flex min-h-0 flex-col bg-paper">
      <h2 className="sr-only">{label}</h2>
      {children}
    </section>
  );
}
