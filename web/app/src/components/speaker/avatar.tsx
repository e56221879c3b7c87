// Participants of the shown meeting, by their id.

import type { ParticipantId } from "../../api/schema";
import { FACILITATOR_SHAPE, shapeAt } from "../../meeting/names";
import { hueOf } from "../../meeting/speaker-colours";
import type { View } from "../../meeting/view";
import { nameOf } from "../meeting-page/context";
import { type SpeakerLook, SpeakerMark, SpeakerTag } from "./speaker";

/** How a participant is shown. */
export function speakerOf(view: View, id: ParticipantId): SpeakerLook {
  return { name: nameOf(view, id), hue: hueOf(id), shape: shapeAt(view, id) };
}

/** The mark of a participant. */
export function Avatar({ view, id }: { view: View; id: ParticipantId }) {
  return <SpeakerMark speaker={speakerOf(view, id)} size="medium" />;
}

/** The mark of the facilitator. */
export function FacilitatorAvatar({ name }: { name: string }) {
  return <SpeakerMark speaker={{ name, hue: null, shape: FACILITATOR_SHAPE }} size="medium" />;
}

/** A name in its speaker's colour, with its mark. */
export function Named({ view, id }: { view: View; id: ParticipantId }) {
  return <SpeakerTag speaker={speakerOf(view, id)} />;
}
