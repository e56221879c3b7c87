//! Input of a person while a meeting runs: keys or lines, and signals.

use std::io::BufRead;

use crossterm::event::{Event, EventStream};
use futures::StreamExt;
use tokio::sync::mpsc;

#[cfg(unix)]
use crate::hangup::Hangup;

/// One input.
pub(super) enum Input {
    /// The terminal reports a key, a paste, another size.
    Key(Event),
    Line(String),
    /// The end of the input.
    Closed,
    Interrupt,
    /// SIGTERM, or the terminal was closed.
    Terminate,
    /// The process was continued after a stop, and others have used the terminal.
    #[cfg(unix)]
    Continued,
}

/// The source of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The keys of a terminal.
    Keys,
    /// Lines on stdin.
    Lines,
    Nobody,
}

/// Reads the input and the signals.
pub(super) fn inputs(source: Source) -> mpsc::Receiver<Input> {
    let (sender, inputs) = mpsc::channel(16);
    match source {
        Source::Keys => {
            let keys = sender.clone();
            tokio::spawn(async move {
                let mut events = EventStream::new();
                loop {
                    let event = tokio::select! {
                        event = events.next() => event,
                        () = keys.closed() => return,
                    };
                    let Some(Ok(event)) = event else { break };
                    if keys.send(Input::Key(event)).await.is_err() {
                        return;
                    }
                }
                _ = keys.send(Input::Closed).await;
            });
        }
        Source::Lines => {
            let lines = sender.clone();
            std::thread::spawn(move || {
                for line in std::io::stdin().lock().lines() {
                    let Ok(line) = line else { break };
                    if lines.blocking_send(Input::Line(line)).is_err() {
                        return;
                    }
                }
                _ = lines.blocking_send(Input::Closed);
            });
        }
        Source::Nobody => {}
    }
    #[cfg(unix)]
    {
        use tokio::signal::unix::SignalKind;
        heed(SignalKind::interrupt(), || Input::Interrupt, sender.clone());
        if source == Source::Keys {
            let continued = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
            heed(continued, || Input::Continued, sender.clone());
        }
        heed(SignalKind::terminate(), || Input::Terminate, sender.clone());
        if let Some(mut hangup) = Hangup::listen() {
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        () = hangup.comes() => {}
                        () = sender.closed() => return,
                    }
                    if sender.send(Input::Terminate).await.is_err() {
                        return;
                    }
                }
            });
        }
    }
    #[cfg(not(unix))]
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if sender.send(Input::Interrupt).await.is_err() {
                return;
            }
        }
    });
    inputs
}

/// Receives a signal that would end the process. It is registered before the first event is shown, so that an
/// answer to what is shown is understood.
#[cfg(unix)]
fn heed(kind: tokio::signal::unix::SignalKind, input: fn() -> Input, heard: mpsc::Sender<Input>) {
    let Ok(mut signals) = tokio::signal::unix::signal(kind) else { return };
    tokio::spawn(async move {
        while signals.recv().await.is_some() {
            if heard.send(input()).await.is_err() {
                return;
            }
        }
    });
}
