// Creates a meeting from the same file only once, however often the button is pressed, and even if the first
// response was lost.

import { useRef } from "react";
import { newKey } from "../api/client";
import type { MeetingFile } from "./write-meeting-file";

/** The key under which a file is sent: the same one for as long as the file is the same. */
export function useIdempotencyKey(): (file: MeetingFile) => string {
  const sent = useRef({ text: "", key: "" });
  return (file) => {
    const text = JSON.stringify(file);
    if (sent.current.text !== text) {
      sent.current = { text, key: newKey() };
    }
    return sent.current.key;
  };
}
