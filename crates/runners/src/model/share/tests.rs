//! What a process may use of a provider, while it is handed out and while it is not.

use std::time::Duration;

use futures::FutureExt;

use super::*;

fn config(limit: usize) -> ProviderConfig {
    let mut config = ProviderConfig::new("lab", "https://h/v1".parse().expect("a URL"));
    config.concurrency = Some(limit);
    config
}

fn shares() -> &'static Shares {
    Box::leak(Box::new(Shares::new()))
}

/// As many calls as may begin now.
fn calls(share: &Arc<Share>) -> Vec<OwnedSemaphorePermit> {
    std::iter::from_fn(|| share.place().now_or_never().flatten()).collect()
}

fn granted(shares: &Shares, places: u32) {
    let grants: Vec<ShareGrant> = shares
        .needs()
        .into_iter()
        .map(|need| ShareGrant { key: need.key, places, requests: 0, tokens: 0 })
        .collect();
    shares.grant(&grants, Instant::now());
}

#[tokio::test]
async fn without_other_nodes_a_provider_has_its_whole_limit_at_once() {
    let share = Share::among(shares(), &config(5));
    assert_eq!(calls(&share).len(), 5);
    assert_eq!(calls(&share).len(), 5, "they are given back");
}

#[tokio::test]
async fn no_call_begins_before_it_is_said_what_may_be_used_and_no_more_than_that() {
    let shares = shares();
    let share = Share::among(shares, &config(16));
    shares.begin();
    assert!(calls(&share).is_empty());
    let waiting = share.place();
    futures::pin_mut!(waiting);
    assert!(futures::poll!(&mut waiting).is_pending());
    let need = &shares.needs()[0];
    assert_eq!((need.held, need.wanted, need.limit), (0, 1, 16));
    granted(shares, 3);
    let first = waiting.await.expect("a place");
    let more = calls(&share);
    assert_eq!(more.len(), 2);
    // Fewer: those under way go on, and count until they end.
    granted(shares, 1);
    assert_eq!((shares.needs()[0].held, share.standing().calls), (3, 3));
    drop(more);
    assert_eq!(shares.needs()[0].held, 1);
    assert!(calls(&share).is_empty(), "one is still under way");
    drop(first);
    assert_eq!(calls(&share).len(), 1);
    granted(shares, 4);
    assert_eq!(calls(&share).len(), 4);
}

#[tokio::test]
async fn places_that_are_needed_no_more_are_given_back_and_that_is_said_once() {
    let shares = shares();
    let share = Share::among(shares, &config(4));
    shares.begin();
    let mut waiting = share.place().boxed();
    assert!(futures::poll!(&mut waiting).is_pending());
    granted(shares, 2);
    drop(waiting.await);
    let numbers = || shares.needs().iter().map(|need| (need.held, need.wanted)).collect::<Vec<_>>();
    assert_eq!(numbers(), [(2, 0)], "until it is told that it has none, it may use them");
    granted(shares, 0);
    assert!(calls(&share).is_empty());
    assert_eq!(numbers(), [(0, 0)], "others may have them");
    assert_eq!(numbers(), []);
}

#[tokio::test]
async fn whoever_waits_while_places_are_taken_back_waits_on_and_comes_first() {
    let shares = shares();
    let share = Share::among(shares, &config(4));
    let mut held = calls(&share);
    shares.begin();
    assert_eq!(shares.needs()[0].held, 4, "what was under way counts");
    granted(shares, 1);
    let (first, second) = (share.place(), share.place());
    futures::pin_mut!(first, second);
    assert!(futures::poll!(&mut first).is_pending());
    assert!(futures::poll!(&mut second).is_pending());
    held.truncate(1);
    assert!(futures::poll!(&mut first).is_pending(), "three have ended that were too many");
    held.clear();
    assert!(futures::poll!(&mut second).is_pending());
    drop(first.await);
    second.await;
}

#[tokio::test]
async fn an_equal_part_is_left_when_it_is_not_said_what_may_be_used() {
    for (most, nodes, each) in [(16, 1, 16), (16, 3, 5), (4, 2, 2), (2, 3, 1), (1, 3, 1)] {
        let shares = shares();
        let share = Share::among(shares, &config(most));
        shares.begin();
        shares.nodes.store(nodes, Ordering::Relaxed);
        shares.lapse();
        assert_eq!(calls(&share).len(), each, "{most} calls of {nodes} nodes");
        assert_eq!(share.weight(), u64::from(nodes));
        let _under_way = calls(&share);
        granted(shares, 1);
        assert_eq!(calls(&share).len(), 0);
    }
}

#[tokio::test]
async fn what_runs_on_this_machine_is_shared_with_nobody() {
    let shares = shares();
    let mut here = config(3);
    here.base_url = "http://127.0.0.1:8080/v1".parse().expect("a URL");
    let share = Share::among(shares, &here);
    shares.begin();
    shares.nodes.store(3, Ordering::Relaxed);
    assert_eq!((calls(&share).len(), share.weight()), (3, 1));
    assert!(shares.needs().is_empty());
}

#[tokio::test]
async fn two_configurations_of_one_key_have_its_places_together() {
    let shares = shares();
    let before = Share::among(shares, &config(8));
    shares.begin();
    let mut waiting = before.place().boxed();
    assert!(futures::poll!(&mut waiting).is_pending());
    granted(shares, 6);
    drop(waiting);
    let mut under_way = calls(&before);
    assert_eq!(under_way.len(), 6);
    let after = Share::among(shares, &config(8));
    under_way.truncate(2);
    let need = &shares.needs()[0];
    assert_eq!((need.held, shares.needs().len()), (6, 1));
    granted(shares, 6);
    assert_eq!((calls(&before).len(), calls(&after).len()), (0, 4));
}

#[tokio::test(start_paused = true)]
async fn requests_are_sent_as_they_are_handed_out_and_what_is_late_is_gone() {
    let shares = shares();
    let mut limited = config(4);
    limited.requests_per_minute = Some(60);
    let share = Share::among(shares, &limited);
    shares.begin();
    let give = |requests| {
        let grant = ShareGrant { key: share.key.clone(), places: 4, requests, tokens: 0 };
        shares.grant(&[grant], Instant::now() + Duration::from_secs(3));
    };
    let large = share.requests.wanted(5);
    let mut sending = share.take(&large).boxed();
    assert!(futures::poll!(&mut sending).is_pending());
    assert_eq!(shares.needs()[0].requests.map(|need| need.wanted), Some(5));
    give(2);
    assert!(futures::poll!(&mut sending).is_pending());
    assert_eq!(shares.needs()[0].requests, Some(AllowanceNeed { per_minute: 60, wanted: 3, unused: 0 }));
    give(7);
    assert_eq!(sending.await, 0);
    drop(large);
    // What was not used goes back, and is used no more.
    assert_eq!(shares.needs()[0].requests, Some(AllowanceNeed { per_minute: 60, wanted: 0, unused: 4 }));
    give(1);
    tokio::time::advance(Duration::from_secs(4)).await;
    let late = share.requests.wanted(1);
    assert!(share.take(&late).now_or_never().is_none());
    let mut waiting = share.take(&late).boxed();
    assert!(futures::poll!(&mut waiting).is_pending());
    shares.lapse();
    assert_eq!(waiting.await, 1, "it is counted here then");
}

#[test]
fn a_key_is_named_by_a_hash_of_itself_and_its_provider() {
    let of = |name: &str, key: &str| {
        let mut config = ProviderConfig::new(name, "https://h/v1".parse().expect("a URL"));
        config.key = Some(quorate_engine::Secret::new(key));
        name_of(&config)
    };
    let one = of("lab", "sk-1234567890");
    assert_eq!(one, of("lab", "sk-1234567890"));
    assert!(one != of("lab", "sk-1234567891") && one != of("lob", "sk-1234567890"));
    assert!(one.len() == 32 && !one.contains("1234567890"));
}
