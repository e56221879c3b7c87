//! Notices between nodes over NATS: whoever has listeners says for which meetings, and the node that runs one tells of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quorate_bus::{Bus, subject_part};
use quorate_contract::MeetingId;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::notices::{NodeNotice, Notices};
use crate::state::ServerState;

/// The subject of what is wanted.
const WANTED: &str = "wanted";
/// How often a node says that it still has listeners.
const SAY_EVERY: Duration = Duration::from_secs(3);
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

/// Passes on what the node tells that runs a meeting, for as long as it is another one and NATS can be reached. Which node that
/// is does not matter: the next one hears what is wanted within a few seconds.
pub(super) async fn pass_on(
    server: &ServerState,
    bus: &Bus,
    meeting: &MeetingId,
    fragments: bool,
    to: &mpsc::Sender<NodeNotice>,
) {
    let Ok(mut told) = bus.listen(&subject(meeting)).await else { return };
    let mut wanted = Wanted { meeting: meeting.clone(), fragments, anew: true };
    while bus.is_connected() && !to.is_closed() {
        let asked = serde_json::to_vec(&wanted).expect("plain data");
        bus.tell(WANTED, &asked).await;
        wanted.anew = false;
        let until = Instant::now() + SAY_EVERY;
        loop {
            tokio::select! {
                message = told.next() => {
                    let Some(message) = message else { return };
                    for line in message.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                        // A newer node may tell something that this one does not know.
                        if let Ok(notice) = serde_json::from_slice(line)
                            && to.send(notice).await.is_err()
                        {
                            return;
                        }
                    }
                }
                () = sleep_until(until) => break,
            }
        }
        if matches!(server.app().owner_elsewhere(meeting).await, Ok(None)) {
            return;
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
    loop {
        let Ok(mut wanted) = bus.listen(WANTED).await else { return };
        while let Some(message) = wanted.next().await {
            let Ok(Wanted { meeting, fragments, anew }) = serde_json::from_slice(&message) else { continue };
            tellers.retain(|_, teller| !teller.asked.is_closed());
            if !server.app().is_running(&meeting) {
                continue;
            }
            let until = Instant::now() + TOLD_FOR;
            match tellers.get(&meeting) {
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
