// What a meeting is called, and how its times are shown.
import type { View } from "../view";
import type { Payload } from "./payload";

type Details = Payload<"details_changed">["details"];

/** Takes over all of it; without a title of its own the meeting is called by its topic. */
export function setDetails(v: View, details: Details): void {
  const { title = "", description = "", display } = details;
  v.title = title || v.topic;
  v.description = description || undefined;
  v.display = display && Object.keys(display).length > 0 ? display : undefined;
  v.kept = { ...v.kept, own_title: title !== "" };
}

/** After another topic: a title of its own stays. */
export function setTopicAsTitle(v: View): void {
  const { own_title } = v.kept;
  if (own_title === false) {
    v.title = v.topic;
  } else if (own_title === null) {
    // The server knows whether the title of a fork was given.
    v.kept = { ...v.kept, stale: true };
  }
}
