//! Open connections: their limits, in total and per address, and the choice of an unused one to close.
//!
//! Each needs a file descriptor of the process, of which there are few. When there is no place left, the
//! connection that has been idle longest is closed for the new one; connections of signed-in clients that
//! wait for a response are not.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use ipnet::IpNet;
use quorate_app::network_of;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

/// All that are open.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    most_of_one: usize,
    /// Trusted proxies, whose connections are counted only in total.
    trusted: Vec<IpNet>,
    began: Instant,
    open: Mutex<OpenConnections>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    all: HashMap<u64, Arc<Activity>>,
    /// The number of connections of each address that is counted separately.
    of_one: HashMap<IpAddr, usize>,
}

/// The activity of one connection.
#[derive(Debug)]
pub(crate) struct Activity {
    /// The address, when its connections are counted.
    address: Option<IpAddr>,
    began: Instant,
    /// Requests that are not wholly answered.
    under_way: AtomicUsize,
    /// The time of the last request or response, in milliseconds after `began`.
    moved_ms: AtomicU64,
    /// Whether a signed-in client has sent a request over it.
    is_known: AtomicBool,
    cut: Notify,
}

/// A connection's place among all, until it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    id: u64,
    activity: Arc<Activity>,
    connections: Arc<Connections>,
}

impl Connections {
    /// Limits for all connections and for those of one address. Addresses of this machine and `trusted` ones
    /// stand for many clients.
    pub(crate) fn new(most: usize, most_of_one: usize, trusted: Vec<IpNet>) -> Arc<Self> {
        let open = Mutex::default();
        Arc::new(Self { most, most_of_one, trusted, began: Instant::now(), open })
    }

    /// A place for one more, for which another may have to go; `None` when all are in use.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionSlot> {
        let address = address.to_canonical();
        let speaks_for_many =
            address.is_loopback() || self.trusted.iter().any(|network| network.contains(&address));
        let counted = (!speaks_for_many).then(|| network_of(address));
        let mut open = self.open();
        let of_one = counted.and_then(|address| open.of_one.get(&address)).copied().unwrap_or(0);
        if of_one >= self.most_of_one && !open.cut_one(|activity| activity.address == counted) {
            return None;
        }
        if open.all.len() >= self.most && !open.cut_one(|_| true) {
            return None;
        }
        let activity = Arc::new(Activity::new(counted, self.began));
        let id = open.next;
        open.next += 1;
        open.all.insert(id, Arc::clone(&activity));
        if let Some(address) = counted {
            *open.of_one.entry(address).or_default() += 1;
        }
        drop(open);
        Some(ConnectionSlot { id, activity, connections: Arc::clone(self) })
    }

    /// Closes the connection that has been idle longest. Returns whether there was one.
    pub(crate) fn make_room(&self) -> bool {
        self.open().cut_one(|_| true)
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn cut_one(&mut self, among: impl Fn(&Activity) -> bool) -> bool {
        let candidates = self.all.iter().filter(|(_, activity)| among(activity) && activity.may_be_cut());
        let chosen = candidates.min_by_key(|(id, activity)| {
            (activity.is_under_way(), activity.moved_ms.load(Ordering::Relaxed), **id)
        });
        let Some(id) = chosen.map(|(id, _)| *id) else { return false };
        if let Some(activity) = self.remove(id) {
            activity.cut.notify_one();
        }
        true
    }

    fn remove(&mut self, id: u64) -> Option<Arc<Activity>> {
        let activity = self.all.remove(&id)?;
        if let Some(address) = activity.address
            && let Some(count) = self.of_one.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                self.of_one.remove(&address);
            }
        }
        Some(activity)
    }
}

impl ConnectionSlot {
    pub(crate) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        // One that was cut has gone from there before.
        self.connections.open().remove(self.id);
    }
}

impl Activity {
    fn new(address: Option<IpAddr>, began: Instant) -> Self {
        let this = Self {
            address,
            began,
            under_way: AtomicUsize::new(0),
            moved_ms: AtomicU64::new(0),
            is_known: AtomicBool::new(false),
            cut: Notify::new(),
        };
        this.moved();
        this
    }

    /// Something was asked or answered.
    fn moved(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved_ms.store(now, Ordering::Relaxed);
    }

    /// Marks the connection as used by a signed-in client.
    pub(crate) fn mark_known(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    /// Counts a request as in flight until the returned guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> InFlightRequest {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        self.moved();
        InFlightRequest(Arc::clone(self))
    }

    fn is_under_way(&self) -> bool {
        self.under_way.load(Ordering::Relaxed) > 0
    }

    /// Whether the connection may be closed for another: it is idle, or carries only requests without a
    /// sign-in.
    fn may_be_cut(&self) -> bool {
        !self.is_under_way() || !self.is_known.load(Ordering::Relaxed)
    }

    /// Comes back when it has to go for another.
    pub(crate) async fn cut(&self) {
        loop {
            self.cut.notified().await;
            // It may have been used again in the meantime.
            if self.may_be_cut() {
                return;
            }
        }
    }

    /// Comes back when nothing was asked for so long, or for `stalled` nothing moved of what was. What the connection
    /// itself says to keep alive does not count.
    pub(crate) async fn idle(&self, idle: Duration, stalled: Duration) {
        loop {
            let limit = if self.is_under_way() { stalled } else { idle };
            let moved = Duration::from_millis(self.moved_ms.load(Ordering::Relaxed));
            let left = limit.saturating_sub(self.began.elapsed().saturating_sub(moved));
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(idle).max(Duration::from_millis(10))).await;
        }
    }
}

/// A request that is not wholly answered.
#[derive(Debug)]
pub(crate) struct InFlightRequest(Arc<Activity>);

impl InFlightRequest {
    /// Keeps the guard until the response ends.
    pub(crate) fn with(self, answer: Body) -> Body {
        Body::new(ResponseBody { answer, under_way: self })
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        self.0.moved();
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer that is being written.
struct ResponseBody {
    answer: Body,
    under_way: InFlightRequest,
}

impl http_body::Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let piece = Pin::new(&mut self.answer).poll_frame(context);
        if piece.is_ready() {
            self.under_way.0.moved();
        }
        piece
    }

    fn is_end_stream(&self) -> bool {
        self.answer.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.answer.size_hint()
    }
}

/// A connection that holds its place, for every protocol.
#[derive(Debug)]
pub(crate) struct SlottedStream<S> {
    stream: S,
    _place: ConnectionSlot,
}

impl<S> SlottedStream<S> {
    pub(crate) fn new(stream: S, place: ConnectionSlot) -> Self {
        Self { stream, _place: place }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for SlottedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for SlottedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elsewhere(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    /// Whether a connection was told to close.
    async fn is_cut(place: &ConnectionSlot) -> bool {
        tokio::time::timeout(Duration::from_millis(20), place.activity().cut()).await.is_ok()
    }

    #[tokio::test]
    async fn whoever_comes_takes_the_place_that_was_unused_for_longest() {
        let connections = Connections::new(3, 3, Vec::new());
        let take = |last| connections.take(elsewhere(last)).expect("a place");
        let (first, second, third) = (take(1), take(2), take(3));
        second.activity().moved_ms.store(0, Ordering::Relaxed);
        first.activity().moved_ms.store(1, Ordering::Relaxed);
        let fourth = take(4);
        assert!(is_cut(&second).await && !is_cut(&first).await);
        drop(second);
        // A busy connection without a sign-in is closed only when none is idle; one with a sign-in never is.
        let asked = [&first, &third, &fourth].map(|place| place.activity().begin());
        first.activity().mark_known();
        third.activity().mark_known();
        let fifth = take(5);
        assert!(is_cut(&fourth).await);
        fifth.activity().mark_known();
        let also = fifth.activity().begin();
        assert!(connections.take(elsewhere(6)).is_none(), "all are in use");
        drop((asked, also));
        assert!(connections.take(elsewhere(6)).is_some());
        drop((first, third, fourth, fifth));
        assert!(connections.open().all.is_empty() && connections.open().of_one.is_empty());
    }

    #[tokio::test]
    async fn one_address_has_only_its_share() {
        let proxy: IpNet = "10.0.0.0/8".parse().expect("a network");
        let connections = Connections::new(100, 2, vec![proxy]);
        let mut busy = Vec::new();
        for _ in 0..2 {
            let place = connections.take(elsewhere(1)).expect("a place");
            place.activity().mark_known();
            busy.push((place.activity().begin(), place));
        }
        assert!(connections.take(elsewhere(1)).is_none());
        assert!(connections.take(elsewhere(2)).is_some());
        for address in ["127.0.0.1", "10.1.2.3", "::1"] {
            let places: Vec<_> =
                (0..5).filter_map(|_| connections.take(address.parse().expect("an address"))).collect();
            assert_eq!(places.len(), 5, "{address}");
        }
        let network: Vec<_> =
            ["2001:db8::1", "2001:db8::2", "2001:db8::3"].map(|a| a.parse::<IpAddr>().expect("it")).into();
        let places: Vec<_> = network.into_iter().filter_map(|address| connections.take(address)).collect();
        assert!(is_cut(&places[0]).await, "a network of IPv6 is one, and its oldest gave way");
    }

    #[tokio::test]
    async fn a_connection_is_idle_when_nothing_is_asked_and_stalled_when_nothing_is_taken() {
        let connections = Connections::new(1, 1, Vec::new());
        let place = connections.take(elsewhere(1)).expect("a place");
        let (activity, idle) = (place.activity(), Duration::from_millis(60));
        let within = |ms, stalled| {
            tokio::time::timeout(
                Duration::from_millis(ms),
                activity.idle(idle, Duration::from_millis(stalled)),
            )
        };
        let under_way = activity.begin();
        assert!(within(150, 10_000).await.is_err(), "an answer is under way");
        assert!(within(400, 200).await.is_ok(), "nothing moves");
        drop(under_way);
        assert!(within(20, 10_000).await.is_err(), "it was used just now");
        assert!(within(1_000, 10_000).await.is_ok());
    }
}
