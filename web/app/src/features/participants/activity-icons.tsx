// The icon of each state of a participant; word and colour stand beside it.

import Brain from "lucide-react/icons/brain";
import Check from "lucide-react/icons/check";
import CirclePause from "lucide-react/icons/circle-pause";
import CircleX from "lucide-react/icons/circle-x";
import Clock from "lucide-react/icons/clock";
import Ellipsis from "lucide-react/icons/ellipsis";
import Hourglass from "lucide-react/icons/hourglass";
import LogOut from "lucide-react/icons/log-out";
import MessageCircle from "lucide-react/icons/message-circle";
import SkipForward from "lucide-react/icons/skip-forward";
import TimerOff from "lucide-react/icons/timer-off";
import UserRound from "lucide-react/icons/user-round";
import Vote from "lucide-react/icons/vote";
import WifiOff from "lucide-react/icons/wifi-off";
import type { ComponentType } from "react";
import type { Activity } from "./activity";

type Icon = ComponentType<{ size?: number; "aria-hidden"?: boolean; className?: string }>;

/** The icon and the colour of each state. */
export const ACTIVITY_ICONS: Record<Activity["is"], { Icon: Icon; tone: string }> = {
  speaking: { Icon: MessageCircle, tone: "text-accent" },
  thinking: { Icon: Brain, tone: "text-calm" },
  asked: { Icon: UserRound, tone: "text-calm" },
  voting: { Icon: Vote, tone: "text-calm" },
  voted: { Icon: Check, tone: "text-good" },
  said: { Icon: Check, tone: "text-ink-3" },
  queued: { Icon: Clock, tone: "text-ink-3" },
  awaits: { Icon: Hourglass, tone: "text-warn" },
  retries: { Icon: Hourglass, tone: "text-warn" },
  next_round: { Icon: Clock, tone: "text-ink-3" },
  held: { Icon: CirclePause, tone: "text-warn" },
  skipped: { Icon: SkipForward, tone: "text-ink-3" },
  timed_out: { Icon: TimerOff, tone: "text-warn" },
  failed: { Icon: CircleX, tone: "text-bad" },
  offline: { Icon: WifiOff, tone: "text-ink-3" },
  left: { Icon: LogOut, tone: "text-ink-3" },
  idle: { Icon: Ellipsis, tone: "text-ink-3" },
};
