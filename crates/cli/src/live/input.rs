//! What a person does while a meeting runs: lines that are typed, and signals.

use std::io::BufRead;

use tokio::sync::mpsc;

/// What a person did.
pub(super) enum Input {
    Line(String),
    /// No more lines will come.
    Closed,
    Interrupt,
    Terminate,
}

/// Lines from stdin, and signals.
pub(super) fn inputs(listens: bool) -> mpsc::Receiver<Input> {
    let (sender, inputs) = mpsc::channel(16);
    if listens {
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
    #[cfg(unix)]
    {
        use tokio::signal::unix::SignalKind;
        heed(SignalKind::interrupt(), || Input::Interrupt, sender.clone());
        heed(SignalKind::terminate(), || Input::Terminate, sender);
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

/// From now on this signal no longer ends the process, but is heard. It is caught before the first
/// event is shown, so that whoever answers what it sees is understood.
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
