//! The service on an address: connections, with or without TLS, until it is stopped.
//!
//! `axum::serve` is made of hyper. Its parts are put together here because only so can there be time limits
//! for the head of a request and for the TLS handshake, and a wait for the last requests.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use ipnet::IpNet;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt;

use crate::access::Peer;
use crate::connections::open_files;
use crate::connections::slots::{Activity, ConnectionSlot, Connections, SlottedStream};
use crate::connections::tls::Tls;
use crate::limits::rates::LimitOptions;
use crate::live::WriteTimeout;

/// The most lines that the head of a request may have.
const HEADERS: usize = 100;
/// The largest head, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// The interval of HTTP/2 keep-alive pings.
const STILL_THERE: Duration = Duration::from_secs(30);
/// How long the peer may accept no bytes of a write.
const TAKES_NOTHING: Duration = Duration::from_secs(60);
/// The wait after accepting a connection failed, as when the limit of open files is reached.
const OUT_OF_BREATH: Duration = Duration::from_millis(100);

/// How long an unused connection has to close gracefully.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long a response may make no progress, beyond the time limit of a request.
const STALLED: Duration = Duration::from_secs(60);
/// The response to a client that finds no place, where it can be sent at once.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";
/// The shortest time between two log lines about refused connections.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Options for accepting connections.
#[derive(Clone, Default)]
pub struct ServeOptions {
    /// A certificate, where connections are encrypted.
    pub tls: Option<Tls>,
    /// Limits of connections and of each of their steps.
    pub limits: LimitOptions,
    /// Trusted proxies, whose connections are counted only in total.
    pub trusted: Vec<IpNet>,
}

/// Serves on an address until `stop` completes; requests in flight are answered first.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    serve_with(listener, router, ServeOptions::default(), stop).await
}

/// The same with other options. After `stop` no new connection is accepted; open ones have `stop_seconds` to
/// end.
///
/// # Errors
/// When the listener fails.
pub async fn serve_with(
    listener: TcpListener,
    router: Router,
    options: ServeOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let ServeOptions { tls, limits, trusted } = options;
    let seconds = |seconds: u32| Duration::from_secs(seconds.max(1).into());
    let head = seconds(limits.head_seconds);
    let most = open_files::raise(limits.connections.max(1)).connections;
    let connections = Connections::new(most, limits.connections_per_address.max(1) as usize, trusted);
    let acceptor = Arc::new(Acceptor {
        router,
        tls,
        head,
        idle: seconds(limits.connection_idle_seconds),
        stalled: seconds(limits.request_seconds) + STALLED,
        http1: http1(head),
        http2: http2(head),
    });
    // Each connection holds a receiver: it gets the stop there, and has ended when it has dropped it.
    let (stops, stopping) = watch::channel(Stop::No);
    let mut stop = pin!(stop);
    let mut told: Option<Instant> = None;
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) if is_of_one_connection(&error) => continue,
                Err(error) => {
                    // Other parts of this process hold the files; closing an unused connection frees one.
                    connections.make_room();
                    tracing::warn!(%error, "no connection can be taken");
                    tokio::time::sleep(OUT_OF_BREATH).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let Some(place) = connections.take(address.ip()) else {
            if acceptor.tls.is_none() {
                _ = stream.try_write(NO_PLACE);
            }
            if told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
                told = Some(Instant::now());
                tracing::warn!(%address, "a connection was turned away: all that may be open are in use");
            }
            continue;
        };
        let (acceptor, stopping) = (Arc::clone(&acceptor), stopping.clone());
        tokio::spawn(async move {
            let activity = Arc::clone(place.activity());
            tokio::select! {
                () = acceptor.open(stream, address, place, stopping) => {}
                () = activity.cut() => tracing::debug!(%address, "a connection went for another"),
            }
        });
    }
    drop((listener, stopping));
    stops.send_replace(Stop::WhenAnswered);
    let write_timeout = Duration::from_secs(limits.stop_seconds.into());
    if tokio::time::timeout(write_timeout, stops.closed()).await.is_err() {
        tracing::warn!("some connections did not end in time and are cut");
        stops.send_replace(Stop::Now);
        stops.closed().await;
    }
    Ok(())
}

/// How connections have to end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    No,
    WhenAnswered,
    Now,
}

struct Acceptor {
    router: Router,
    tls: Option<Tls>,
    head: Duration,
    /// How long an idle connection stays open.
    idle: Duration,
    /// How long a connection without progress stays open while a request is in flight.
    stalled: Duration,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
}

impl Acceptor {
    async fn open(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        place: ConnectionSlot,
        mut stopping: watch::Receiver<Stop>,
    ) {
        // Small pieces of text are to leave at once.
        _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            if let Some(http2) = self.begin(begins_as_http2(&stream), address, &mut stopping).await {
                self.speak(stream, Peer { address, tls: false }, http2, place, stopping).await;
            }
            return;
        };
        if let Some(stream) = self.begin(tls.accept(stream), address, &mut stopping).await {
            let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            // In a box, so that the many connections without TLS need no room for it.
            Box::pin(self.speak(stream, Peer { address, tls: true }, http2, place, stopping)).await;
        }
    }

    /// The result of the first step of a connection, if it comes in time and before the service stops.
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
    async fn speak<S>(
        &self,
        stream: S,
        peer: Peer,
        http2: bool,
        place: ConnectionSlot,
        stopping: watch::Receiver<Stop>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (router, activity) = (self.router.clone(), Arc::clone(place.activity()));
        let service = service_fn({
            let activity = Arc::clone(&activity);
            move |mut request: hyper::Request<Incoming>| {
                let under_way = activity.begin();
                request.extensions_mut().insert(peer);
                request.extensions_mut().insert(ConnectInfo(peer.address));
                request.extensions_mut().insert(Arc::clone(&activity));
                let answering = router.clone().oneshot(request);
                async move { answering.await.map(|answer| answer.map(|body| under_way.with(body))) }
            }
        });
        // The connection keeps its place until it is closed, whatever protocol it switches to.
        let stream = WriteTimeout::new(SlottedStream::new(stream, place), TAKES_NOTHING);
        // HTTP/1.1 has a time for its first words.
        let stream = TokioIo::new(if http2 { stream.greeted_within(self.head) } else { stream });
        let ended = if http2 {
            let connection = pin!(self.http2.serve_connection(stream, service));
            self.attend(connection, |it| it.graceful_shutdown(), &activity, stopping).await
        } else {
            let connection = pin!(self.http1.serve_connection(stream, service).with_upgrades());
            self.attend(connection, |it| it.graceful_shutdown(), &activity, stopping).await
        };
        if let Err(error) = ended {
            tracing::debug!(address = %peer.address, %error, "a connection ended badly");
        }
    }

    /// Waits for the end of a connection; closes it when it is idle or the service stops.
    async fn attend<C: Future<Output = hyper::Result<()>>>(
        &self,
        mut connection: Pin<&mut C>,
        ask_to_end: impl Fn(Pin<&mut C>),
        activity: &Activity,
        mut stopping: watch::Receiver<Stop>,
    ) -> hyper::Result<()> {
        let stops = tokio::select! {
            ended = connection.as_mut() => return ended,
            _ = stopping.changed() => true,
            () = activity.idle(self.idle, self.stalled) => false,
        };
        ask_to_end(connection.as_mut());
        let last_words = async {
            match stops {
                true => _ = stopping.wait_for(|stop| *stop == Stop::Now).await,
                false => tokio::time::sleep(LAST_WORDS).await,
            }
        };
        tokio::select! {
            ended = connection => ended,
            () = last_words => Ok(()),
        }
    }
}

/// Whether the client begins with the preface of HTTP/2. Without TLS nothing else tells the two apart. The
/// bytes are only peeked at, and stay to be read.
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
        // The rest is in transit; until it arrives, peeking returns at once.
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

/// Whether an error concerns only this one connection.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
