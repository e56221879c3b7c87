// An image of a meeting, small. What is shown is what the server has written anew from its pixels, never the file.

import { useState } from "react";
import type { AttachedFile } from "../../api/schema";
import { cx } from "../../ui/classes";

interface Props {
  /** The meeting. */
  id: string;
  file: AttachedFile;
  /** What opening it does. */
  title: string;
  className?: string;
}

/** The URL of an image as it is shown: its pixels, written anew by the server. */
function imageOf(id: string, file: string): string {
  return `/api/v1/meetings/${encodeURIComponent(id)}/files/${encodeURIComponent(file)}/image`;
}

/** The image, which opens in full; nothing where the file is none or its content is not there. */
export function Thumbnail({ id, file, title, className }: Props) {
  const [missing, setMissing] = useState(false);
  if (!file.image || missing) {
    return null;
  }
  const address = imageOf(id, file.id);
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={title}>
      <img
        src={address}
        alt={file.name}
        width={file.image.width}
        height={file.image.height}
        loading="lazy"
        decoding="async"
        onError={() => setMissing(true)}
        className={cx("rounded-sm border border-line object-contain", className)}
      />
    </a>
  );
}
