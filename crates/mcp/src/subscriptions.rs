//! Subscriptions to resources: a client is told that one has changed, and reads it when it likes.
//!
//! A subscription follows the events of its meeting, reads its resource again when something happened, and tells of it only
//! when it is another one than before. Every look asks the API with the credentials of the client: whoever may not see the
//! meeting any more is told nothing.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use http::Method;
use http::request::Parts;
use jiff::{SignedDuration, Timestamp};
use quorate_messages::{Language, text};
use rmcp::model::{ErrorCode, ResourceUpdatedNotificationParam};
use rmcp::service::SubscriptionContext;
use rmcp::{ErrorData, Peer, RoleServer};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use crate::api::{Api, checked, encoded};
use crate::resources::{Reader, followed};

/// The most resources of one subscription, and of one client over standard input and output.
pub(crate) const RESOURCES_MAX: usize = 16;
/// The most subscriptions of all clients.
const LISTENERS_MAX: usize = 256;
/// Events that follow each other so soon are told as one change.
const TOGETHER: Duration = Duration::from_millis(500);
/// How long a stream of events that ended, or was refused, is left alone.
const AGAIN: Duration = Duration::from_secs(15);
/// What changed so shortly before a subscription is told when it begins: the client may have read it before, and its
/// subscription was acknowledged before the first look.
const JUST_NOW: SignedDuration = SignedDuration::from_secs(5);
/// How often the list of resources is looked at.
const LIST_EVERY: Duration = Duration::from_secs(10);
/// How many changes wait for a client.
const WAITING: usize = 16;
/// With this comment a stream ends when the server stops.
const STOPS: &[u8] = b": the service stops";

/// What has changed.
#[derive(Debug)]
enum Change {
    /// The resource at this address.
    Resource(String),
    /// Which resources there are.
    List,
}

/// What a look at the API found.
#[derive(Debug, PartialEq, Eq)]
enum ResourceState {
    Changed,
    Same,
    /// It cannot be seen at the moment, as in a blind round.
    Withheld,
    /// The client may not see it any more, or it is gone.
    Gone,
}

/// Who is told, and how it asks.
#[derive(Clone)]
pub(crate) struct Subscriber {
    pub(crate) api: Arc<dyn Api>,
    pub(crate) caller: Option<Parts>,
    pub(crate) language: Language,
}

/// One resource that is followed.
struct Watch {
    by: Subscriber,
    uri: String,
    meeting: String,
    /// The last event of the meeting at the last look.
    seq: u64,
    /// The digest of the resource at the last look; `None` when there was none yet.
    held: Option<u64>,
    /// Whether the meeting, which is no draft, has changed just now.
    is_fresh: bool,
}

impl Subscriber {
    fn reader(&self) -> Reader<'_> {
        Reader { api: &*self.api, caller: self.caller.as_ref(), language: self.language }
    }

    /// Begins to follow a resource.
    ///
    /// # Errors
    /// When it cannot be followed, or the client may not see its meeting.
    async fn follow(&self, uri: &str) -> Result<Watch, ErrorData> {
        let Some(meeting) = followed(uri) else {
            let told = text!(self.language, "mcp-not-followed");
            return Err(ErrorData::resource_not_found(
                told,
                Some(json!({ "uri": uri.chars().take(200).collect::<String>() })),
            ));
        };
        let mut watch =
            Watch { by: self.clone(), uri: uri.to_owned(), meeting, seq: 0, held: None, is_fresh: false };
        let path = format!("/meetings/{}", encoded(&watch.meeting));
        let response = self.api.send(self.caller.as_ref(), Method::GET, path, None).await;
        let response = response.map_err(|told| ErrorData::internal_error(told, None))?;
        let status = response.status;
        let seen = checked(response, self.language).map_err(|told| match status {
            404 | 422 => ErrorData::resource_not_found(told, Some(json!({ "uri": uri }))),
            500.. => ErrorData::internal_error(told, None),
            _ => ErrorData::invalid_request(told, None),
        })?;
        watch.seq = last_seq(&seen);
        watch.is_fresh = seen["state"] != "draft" && changed_just_now(&seen["updated_at"]);
        watch.held = watch.digest().await.unwrap_or_default();
        Ok(watch)
    }

    /// Tells whenever the list of resources is another one.
    async fn follow_list(self, changes: mpsc::Sender<Change>) {
        let mut held = self.list().await.ok();
        loop {
            sleep(LIST_EVERY).await;
            match self.list().await {
                Ok(list) => {
                    let before = held.replace(list);
                    if before.is_some_and(|before| before != list)
                        && changes.send(Change::List).await.is_err()
                    {
                        return;
                    }
                }
                Err(ResourceState::Gone) => return,
                // The server is busy, or does not answer.
                Err(_) => {}
            }
        }
    }

    /// The digest of the newest meetings that the client may see.
    async fn list(&self) -> Result<u64, ResourceState> {
        let path = "/meetings?limit=20".to_owned();
        let response = self.api.send(self.caller.as_ref(), Method::GET, path, None).await;
        let response = response.map_err(|_| ResourceState::Withheld)?;
        if response.status == 401 {
            return Err(ResourceState::Gone);
        }
        let page = checked(response, self.language).map_err(|_| ResourceState::Withheld)?;
        let meetings = page["items"].as_array().into_iter().flatten();
        Ok(digest(&meetings.map(|meeting| json!([meeting["id"], meeting["topic"]])).collect()))
    }
}

/// Whether a time is not older than what a subscription could have missed; also when it cannot be read.
fn changed_just_now(at: &Value) -> bool {
    let changed = at.as_str().and_then(|at| at.parse::<Timestamp>().ok());
    changed.is_none_or(|at| Timestamp::now().duration_since(at) <= JUST_NOW)
}

fn last_seq(meeting: &Value) -> u64 {
    meeting["last_seq"].as_u64().unwrap_or_default()
}

fn digest(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.to_string().hash(&mut hasher);
    hasher.finish()
}

impl Watch {
    /// The digest of the resource; `None` when there is none yet.
    async fn digest(&self) -> Result<Option<u64>, ErrorData> {
        match self.by.reader().read(&self.uri).await {
            Ok(contents) => Ok(Some(digest(&serde_json::to_value(contents).unwrap_or_default()))),
            Err(error) if error.code == ErrorCode::RESOURCE_NOT_FOUND => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Looks whether the client may still see the meeting, and whether the resource has changed.
    async fn look(&mut self) -> ResourceState {
        let path = format!("/meetings/{}", encoded(&self.meeting));
        let Ok(response) = self.by.api.send(self.by.caller.as_ref(), Method::GET, path, None).await else {
            return ResourceState::Withheld;
        };
        if matches!(response.status, 401 | 404 | 410) {
            return ResourceState::Gone;
        }
        let Ok(meeting) = checked(response, self.by.language) else { return ResourceState::Withheld };
        match self.digest().await {
            Ok(digest) => {
                self.seq = last_seq(&meeting);
                let is_same = digest == std::mem::replace(&mut self.held, digest);
                if is_same { ResourceState::Same } else { ResourceState::Changed }
            }
            Err(_) => ResourceState::Withheld,
        }
    }

    /// Looks, and tells of a change. Gives whether to go on.
    async fn tell(&mut self, changes: &mpsc::Sender<Change>) -> bool {
        match self.look().await {
            ResourceState::Changed => changes.send(Change::Resource(self.uri.clone())).await.is_ok(),
            ResourceState::Same | ResourceState::Withheld => true,
            ResourceState::Gone => false,
        }
    }

    /// Follows the events of the meeting until the client may not see it any more, or the server stops.
    async fn run(mut self, changes: mpsc::Sender<Change>) {
        loop {
            let path =
                format!("/meetings/{}/events?fragments=false&after={}", encoded(&self.meeting), self.seq);
            if let Ok(events) = self.by.api.follow(self.by.caller.as_ref(), path).await {
                let mut events = events.fuse();
                while let Some(piece) = events.next().await {
                    if piece.windows(STOPS.len()).any(|part| part == STOPS) {
                        return;
                    }
                    if !is_event(&piece) {
                        continue;
                    }
                    sleep(TOGETHER).await;
                    while let Some(Some(_)) = events.next().now_or_never() {}
                    if !self.tell(&changes).await {
                        return;
                    }
                }
            }
            if !self.tell(&changes).await {
                return;
            }
            sleep(AGAIN).await;
        }
    }
}

/// Whether a piece of a stream holds an event, and not only a comment.
fn is_event(piece: &[u8]) -> bool {
    piece.starts_with(b"data:") || piece.windows(6).any(|part| part == b"\ndata:")
}

/// Serves one `subscriptions/listen` until the client ends it, or nothing is left that it may follow.
pub(crate) async fn listen(
    subscriber: Subscriber,
    subscription: SubscriptionContext,
    listeners: Arc<Semaphore>,
) -> Result<(), ErrorData> {
    let Ok(_one) = listeners.try_acquire_owned() else {
        return Err(ErrorData::invalid_request(text!(subscriber.language, "mcp-too-many-listeners"), None));
    };
    let accepted = subscription.accepted().clone();
    let (sender, mut changes) = mpsc::channel(WAITING);
    let mut tasks = JoinSet::new();
    for uri in accepted.resource_subscriptions.iter().flatten() {
        let watch = subscriber.follow(uri).await?;
        let (sender, first) = (sender.clone(), watch.is_fresh.then(|| Change::Resource(uri.clone())));
        tasks.spawn(async move {
            if let Some(change) = first
                && sender.send(change).await.is_err()
            {
                return;
            }
            watch.run(sender).await;
        });
    }
    if accepted.resources_list_changed == Some(true) {
        tasks.spawn(subscriber.follow_list(sender.clone()));
    }
    drop(sender);
    loop {
        let change = tokio::select! {
            () = subscription.cancelled() => return Ok(()),
            change = changes.recv() => change,
        };
        let told = match change {
            Some(Change::Resource(uri)) => subscription.sink().notify_resource_updated(uri).await,
            Some(Change::List) => subscription.sink().notify_resource_list_changed().await,
            None => return Ok(()),
        };
        if told.is_err() {
            return Ok(());
        }
    }
}

/// The places for subscriptions of all clients.
pub(crate) fn places() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(LISTENERS_MAX))
}

/// The subscriptions of the one client over standard input and output, in the protocol versions that name each resource.
#[derive(Clone, Default)]
pub(crate) struct ClientSubscriptions(Arc<Mutex<BTreeMap<String, Follower>>>);

/// A task that ends with its subscription.
struct Follower(AbortHandle);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The key of the list among the addresses, which all begin with a scheme.
const LIST: &str = "";

impl ClientSubscriptions {
    fn keep(&self, key: &str, follower: Follower) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), follower);
    }

    /// Follows a resource for the client. One that is followed already begins anew.
    ///
    /// # Errors
    /// When it cannot be followed, the client may not see its meeting, or it follows too many.
    pub(crate) async fn subscribe(
        &self,
        subscriber: Subscriber,
        uri: &str,
        peer: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (resources, is_known) = {
            let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            (held.keys().filter(|key| *key != LIST).count(), held.contains_key(uri))
        };
        if resources >= RESOURCES_MAX && !is_known {
            let told = text!(subscriber.language, "mcp-too-many-followed", most = RESOURCES_MAX);
            return Err(ErrorData::invalid_request(told, None));
        }
        let watch = subscriber.follow(uri).await?;
        let (sender, changes) = mpsc::channel(WAITING);
        self.keep(uri, told(watch.run(sender), changes, peer));
        Ok(())
    }

    pub(crate) fn unsubscribe(&self, uri: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }

    /// Follows the list of resources for the client.
    pub(crate) fn follow_list(&self, subscriber: Subscriber, peer: Peer<RoleServer>) {
        let (sender, changes) = mpsc::channel(WAITING);
        self.keep(LIST, told(subscriber.follow_list(sender), changes, peer));
    }
}

/// Runs what follows, and tells the client of its changes.
fn told(
    follows: impl Future<Output = ()> + Send + 'static,
    mut changes: mpsc::Receiver<Change>,
    peer: Peer<RoleServer>,
) -> Follower {
    let tells = async move {
        while let Some(change) = changes.recv().await {
            let told = match change {
                Change::Resource(uri) => {
                    peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await
                }
                Change::List => peer.notify_resource_list_changed().await,
            };
            if told.is_err() {
                return;
            }
        }
    };
    let both = async move {
        tokio::select! {
            () = follows => {}
            () = tells => {}
        }
    };
    Follower(tokio::spawn(both).abort_handle())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_no_event() {
        assert!(is_event(b"id: 7\nevent: finished\ndata: {}\n\n"));
        for comment in [&b": still here\n\n"[..], b"retry: 2000\n\n", b"id: 7\n\n", b""] {
            assert!(!is_event(comment));
        }
    }
}
