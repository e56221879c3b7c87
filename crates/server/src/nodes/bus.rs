//! Notices between nodes over NATS: whoever has listeners says for which meetings, and the node that runs one tells of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quorate_bus::{Bus, subject_part};
use quorate_contract::MeetingId;
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::notices::{NodeNotice, Notices};
use crate::state::ServerState;

/// The subject of what is wanted.
const WANTED: &str = "wanted";
/// How often a node says that it still has listeners.
const SAY_EVERY: Duration = Duration::from_secs(3);
/// How long a node that tells of a meeting is silent at most.
const SILENT: Duration = Duration::from_secs(12);
/// How often answers under way are asked for from their beginning.
const ANEW_AFTER: Duration = Duration::from_secs(1);
/// How often those who tell nothing any more are forgotten.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// How long a node tells of a meeting after somebody has said so.
const TOLD_FOR: Duration = Duration::from_secs(10);

/// What a node says for which it has listeners.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Wanted {
    meeting: MeetingId,
    /// Whether answers are wanted while they are written.
    fragments: bool,
    /// Whether those under way are wanted from their beginning.
    anew: bool,
}

fn subject(meeting: &MeetingId) -> String {
    format!("meeting.{}", subject_part(meeting.as_str()))
}

/// Passes on what the node tells that runs a meeting, for as long as NATS can be reached and there is something to hear. Which
/// node that is does not matter: the next one hears what is wanted within a few seconds. A node without NATS is silent.
pub(super) async fn pass_on(
    bus: &Bus,
    meeting: &MeetingId,
    fragments: bool,
    anew: &Notify,
    to: &mpsc::Sender<NodeNotice>,
) {
    let Ok(mut told) = bus.listen(&subject(meeting)).await else { return };
    let mut wanted = Wanted { meeting: meeting.clone(), fragments, anew: true };
    let mut silent_from = Instant::now();
    while bus.is_connected() && !to.is_closed() && silent_from.elapsed() < SILENT {
        let asked = serde_json::to_vec(&wanted).expect("plain data");
        bus.tell(WANTED, &asked).await;
        wanted.anew = false;
        let asked_at = Instant::now();
        let until = Instant::now() + SAY_EVERY;
        loop {
            tokio::select! {
                message = told.next() => {
                    let Some(message) = message else { return };
                    silent_from = Instant::now();
                    for line in message.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                        // A newer node may tell something that this one does not know.
                        if let Ok(notice) = serde_json::from_slice(line)
                            && to.send(notice).await.is_err()
                        {
                            return;
                        }
                    }
                }
                // At most once in that time, so that nodes that join one after the other do not have all told again and again.
                () = anew.notified(), if !wanted.anew => wanted.anew = true,
                () = sleep_until(until) => break,
                () = sleep_until(asked_at + ANEW_AFTER), if wanted.anew => break,
            }
        }
    }
}

/// Somebody who tells the others of one meeting.
struct Teller {
    /// Until when, whether with fragments, and how often from the beginning.
    asked: watch::Sender<Asked>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    until: Instant,
    fragments: bool,
    anew: u64,
}

/// Tells the other nodes of meetings that run here and for which they have listeners, for as long as it is polled.
pub(crate) async fn tell_others(server: ServerState, bus: Bus) {
    let mut tellers: HashMap<MeetingId, Teller> = HashMap::new();
    let mut swept = Instant::now();
    loop {
        let Ok(mut wanted) = bus.listen(WANTED).await else { return };
        while let Some(message) = wanted.next().await {
            let Ok(Wanted { meeting, fragments, anew }) = serde_json::from_slice(&message) else { continue };
            if swept.elapsed() > SWEEP_EVERY {
                tellers.retain(|_, teller| !teller.asked.is_closed());
                swept = Instant::now();
            }
            if !server.app().is_running(&meeting) {
                continue;
            }
            let until = Instant::now() + TOLD_FOR;
            match tellers.get(&meeting).filter(|teller| !teller.asked.is_closed()) {
                Some(teller) => teller.asked.send_modify(|asked| {
                    asked.until = until;
                    asked.fragments |= fragments;
                    asked.anew += u64::from(anew);
                }),
                None => {
                    let (asked, hears) = watch::channel(Asked { until, fragments, anew: 0 });
                    tokio::spawn(tell(server.clone(), bus.clone(), meeting.clone(), hears));
                    tellers.insert(meeting, Teller { asked });
                }
            }
        }
    }
}

/// Tells of one meeting until nobody has asked for some time.
async fn tell(server: ServerState, bus: Bus, meeting: MeetingId, mut asked: watch::Receiver<Asked>) {
    let subject: Arc<str> = subject(&meeting).into();
    loop {
        let now = *asked.borrow_and_update();
        let mut until = now.until;
        let Some(mut notices) = Notices::open(&server, &meeting, now.fragments).await else { return };
        loop {
            tokio::select! {
                lines = notices.lines() => match lines {
                    Some(lines) => bus.tell(&subject, lines.as_bytes()).await,
                    None => return,
                },
                changed = asked.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let then = *asked.borrow();
                    if (then.fragments, then.anew) != (now.fragments, now.anew) {
                        break;
                    }
                }
                () = sleep_until(until) => {
                    until = asked.borrow().until;
                    if until <= Instant::now() {
                        return;
                    }
                }
            }
        }
    }
}
