// The open tab of the side panel; it is kept in the address.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTable } from "./context";
import { usePhone } from "./layout";

/** All tabs, in their order. */
export const TABS = ["health", "votes", "draft", "agenda", "minutes", "artifacts", "cost", "hidden"] as const;

/** A tab of the panel. */
export type PanelTab = (typeof TABS)[number];

/**
 * The tab of the address, and a way to another one. Where the address has none, what the agreement rests on comes first; on a
 * phone what the button that leads there promises, conclusion and votes.
 */
export function useTab(): [PanelTab, (tab: PanelTab) => void] {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { ballots } = useTable().view.rules.decision;
  const first = usePhone() ? (ballots ? "votes" : "draft") : "health";
  const now = TABS.find((one) => one === tab) ?? first;
  const go = (next: PanelTab) =>
    void navigate({ to: ".", search: (before) => ({ ...before, tab: next }), replace: true });
  return [now, go];
}
