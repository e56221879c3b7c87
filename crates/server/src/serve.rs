//! The service at an address: connections, encrypted or not, until it is told to stop.
//!
//! hyper is what `axum::serve` is made of; its parts are put together here because only so can the head
//! of a request be timed, an encrypted connection be given up, and the last requests be waited for.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

use crate::access::Peer;
use crate::limits::LimitOptions;
use crate::live::Patient;
use crate::tls::Tls;

/// The most lines that the head of a request may have.
const HEADERS: usize = 100;
/// The largest head, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// How often an HTTP/2 connection is asked whether somebody is there.
const STILL_THERE: Duration = Duration::from_secs(30);
/// How long the other end may take nothing of what is to be written.
const TAKES_NOTHING: Duration = Duration::from_secs(60);
/// How long to wait when no connection can be taken, as when all files are open.
const OUT_OF_BREATH: Duration = Duration::from_millis(100);

/// Answers at an address until `stop` is there; requests under way are answered first.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    serve_with(listener, router, None, &LimitOptions::default(), stop).await
}

/// The same, encrypted when there is a certificate, and within limits of one's own. After `stop` no new
/// connection is taken; those that are open have `stop_seconds` to end.
///
/// # Errors
/// When the listener fails.
pub async fn serve_with(
    listener: TcpListener,
    router: Router,
    tls: Option<Tls>,
    limits: &LimitOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let head = Duration::from_secs(limits.head_seconds.max(1).into());
    let connections = Arc::new(Semaphore::new(limits.connections.max(1) as usize));
    let door = Arc::new(Door { router, tls, head, http1: http1(head), http2: http2(head) });
    // Each connection has an end of it: it hears there of the stop, and has ended when it has let go of it.
    let (stops, stopping) = watch::channel(Stop::No);
    let mut stop = pin!(stop);
    loop {
        let place = tokio::select! {
            place = Arc::clone(&connections).acquire_owned() => place.map_err(io::Error::other)?,
            () = &mut stop => break,
        };
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) if is_of_one_connection(&error) => continue,
                Err(error) => {
                    tracing::warn!(%error, "no connection can be taken");
                    tokio::time::sleep(OUT_OF_BREATH).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let (door, stopping) = (Arc::clone(&door), stopping.clone());
        tokio::spawn(async move {
            door.open(stream, address, stopping).await;
            drop(place);
        });
    }
    drop((listener, stopping));
    stops.send_replace(Stop::WhenAnswered);
    let patience = Duration::from_secs(limits.stop_seconds.into());
    if tokio::time::timeout(patience, stops.closed()).await.is_err() {
        tracing::warn!("some connections did not end in time and are cut");
        stops.send_replace(Stop::Now);
        stops.closed().await;
    }
    Ok(())
}

/// Whether connections are to end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    No,
    WhenAnswered,
    Now,
}

struct Door {
    router: Router,
    tls: Option<Tls>,
    head: Duration,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
}

impl Door {
    async fn open(&self, stream: TcpStream, address: SocketAddr, mut stopping: watch::Receiver<Stop>) {
        // Small pieces of text are to leave at once.
        _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            if let Some(http2) = self.begin(begins_as_http2(&stream), address, &mut stopping).await {
                self.speak(stream, Peer { address, tls: false }, http2, stopping).await;
            }
            return;
        };
        if let Some(stream) = self.begin(tls.accept(stream), address, &mut stopping).await {
            let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            // In a box, so that the many connections without TLS need no room for it.
            Box::pin(self.speak(stream, Peer { address, tls: true }, http2, stopping)).await;
        }
    }

    /// What a connection begins with, if it begins in time and before the service stops.
    async fn begin<T>(
        &self,
        beginning: impl Future<Output = io::Result<T>>,
        address: SocketAddr,
        stopping: &mut watch::Receiver<Stop>,
    ) -> Option<T> {
        let begun = tokio::select! {
            begun = tokio::time::timeout(self.head, beginning) => begun,
            _ = stopping.changed() => return None,
        };
        match begun {
            Ok(Ok(begun)) => return Some(begun),
            Ok(Err(error)) => tracing::debug!(%address, %error, "a connection did not come about"),
            Err(_) => tracing::debug!(%address, "a connection took too long to come about"),
        }
        None
    }

    /// Answers until the connection ends; when the service stops, what was asked before.
    async fn speak<S>(&self, stream: S, peer: Peer, http2: bool, mut stopping: watch::Receiver<Stop>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let service = self.router.clone().map_request(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(ConnectInfo(peer.address));
            request
        });
        let service = TowerToHyperService::new(service);
        let stream = Patient::new(stream, TAKES_NOTHING);
        // HTTP/1.1 has a time for its first words.
        let stream = TokioIo::new(if http2 { stream.greeted_within(self.head) } else { stream });
        let ended = if http2 {
            let mut connection = pin!(self.http2.serve_connection(stream, service));
            tokio::select! {
                ended = connection.as_mut() => ended,
                _ = stopping.changed() => {
                    connection.as_mut().graceful_shutdown();
                    tokio::select! {
                        ended = connection => ended,
                        _ = stopping.wait_for(|stop| *stop == Stop::Now) => return,
                    }
                }
            }
        } else {
            let mut connection = pin!(self.http1.serve_connection(stream, service).with_upgrades());
            tokio::select! {
                ended = connection.as_mut() => ended,
                _ = stopping.changed() => {
                    connection.as_mut().graceful_shutdown();
                    tokio::select! {
                        ended = connection => ended,
                        _ = stopping.wait_for(|stop| *stop == Stop::Now) => return,
                    }
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(address = %peer.address, %error, "a connection ended badly");
        }
    }
}

/// Whether the other end begins with the preface of HTTP/2. Without encryption nothing else tells the two apart;
/// what was looked at stays to be read.
async fn begins_as_http2(stream: &TcpStream) -> io::Result<bool> {
    const PREFACE: &[u8] = b"PRI";
    let mut first = [0; PREFACE.len()];
    loop {
        let seen = stream.peek(&mut first).await?;
        if seen == 0 || !PREFACE.starts_with(&first[..seen]) {
            return Ok(false);
        }
        if seen == PREFACE.len() {
            return Ok(true);
        }
        // The rest is under way; until it is there, peeking answers at once.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn http1(head: Duration) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head).max_headers(HEADERS).max_buf_size(HEAD_BYTES);
    builder
}

fn http2(head: Duration) -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .keep_alive_interval(STILL_THERE)
        .keep_alive_timeout(head)
        .max_header_list_size(HEAD_BYTES as u32)
        .max_concurrent_streams(250);
    builder
}

/// Whether only this one connection did not come about.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
