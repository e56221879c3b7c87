// Links to pages of the web that participants have read.

import type { Evidence } from "../api/schema";

/** The address of a page of the web that is cited; none for anything that is no address of `http` or `https`. */
export function webAddress({ path }: Evidence): string | undefined {
  return path != null && /^https?:\/\/[^/@\s]+([/?#]\S*)?$/i.test(path) ? path : undefined;
}

/** A page of the web: its title and site, as a link that opens elsewhere. */
export function WebLink({ address, title }: { address: string; title?: string | null | undefined }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={address}
      className="max-w-full truncate rounded px-0.5 underline decoration-line-strong underline-offset-2 hover:text-ink"
    >
      {title || address}
    </a>
  );
}
