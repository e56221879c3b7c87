//! The service at an address: connections, encrypted or not, until it is told to stop.
//!
//! hyper-util is what `axum::serve` is made of; its parts are put together here because only so can the head
//! of a request be timed, an encrypted connection be given up, and the last requests be waited for.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
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
    let door = Arc::new(Door { router, tls, head, http: builder(head) });
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
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
        let (door, watcher) = (Arc::clone(&door), graceful.watcher());
        tokio::spawn(async move { door.open(stream, address, watcher, place).await });
    }
    drop(listener);
    let patience = Duration::from_secs(limits.stop_seconds.into());
    if tokio::time::timeout(patience, graceful.shutdown()).await.is_err() {
        tracing::warn!("some connections did not end in time and are cut");
    }
    Ok(())
}

struct Door {
    router: Router,
    tls: Option<Tls>,
    head: Duration,
    http: Builder<TokioExecutor>,
}

impl Door {
    async fn open(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        watcher: Watcher,
        place: OwnedSemaphorePermit,
    ) {
        // Small pieces of text are to leave at once.
        _ = stream.set_nodelay(true);
        match &self.tls {
            None => self.speak(stream, Peer { address, tls: false }, watcher).await,
            Some(tls) => match tokio::time::timeout(self.head, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.speak(stream, Peer { address, tls: true }, watcher).await,
                Ok(Err(error)) => tracing::debug!(%address, %error, "no encrypted connection came about"),
                Err(_) => tracing::debug!(%address, "an encrypted connection took too long to come about"),
            },
        }
        drop(place);
    }

    async fn speak<S>(&self, stream: S, peer: Peer, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let service = self.router.clone().map_request(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(ConnectInfo(peer.address));
            request
        });
        let service = TowerToHyperService::new(service);
        let connection = self
            .http
            .serve_connection_with_upgrades(TokioIo::new(Patient::new(stream, TAKES_NOTHING)), service);
        if let Err(error) = watcher.watch(connection.into_owned()).await {
            tracing::debug!(address = %peer.address, %error, "a connection ended badly");
        }
    }
}

fn builder(head: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_headers(HEADERS)
        .max_buf_size(HEAD_BYTES);
    builder
        .http2()
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
