//! How many calls a provider takes at once, found by what happens to them.
//!
//! It begins low and doubles with each turnover of its places, as long as calls wait here for one, so that a server with many
//! places is filled within seconds. A server of one's own lets calls wait when it has no place for them: when tokens take
//! clearly longer to come than they did with fewer calls, some places are taken back, and it takes longer each time until
//! more are tried again. A provider on the internet refuses what is too much, and a refusal takes a third of the places away.
//! TCP finds the width of a line in this way.

use std::time::Duration;

use tokio::time::Instant;

/// Calls are late when their tokens take this many times as long as they did at best.
const LATE: f64 = 1.7;

/// A call that is over sooner tells nothing of a queue.
const SHORT: Duration = Duration::from_millis(20);

/// Answers are compared with those of about their length: up to 16 tokens, 32, 64 and so on.
const LENGTHS: usize = 16;

/// The most windows that pass before more places are tried.
const WINDOWS_MAX: u32 = 64;

/// After as many calls it is looked anew how fast the server is: its model or its load may be another.
const LOOK_AGAIN: (u64, u64) = (512, 32);

/// The end of a call, as far as it tells of the load of its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallOutcome {
    /// It was answered.
    Answered {
        /// When the request was sent.
        sent: Instant,
        /// How long it took.
        took: Duration,
        /// The number of tokens that were written.
        tokens: u64,
    },
    /// The provider refused it because there was too much to do.
    Overloaded {
        /// When the request was sent.
        sent: Instant,
    },
}

/// The number of calls at once.
#[derive(Debug)]
pub(super) struct Concurrency {
    limit: usize,
    most: usize,
    /// Whether calls wait at the provider when it has no place for them.
    has_queue: bool,
    /// Whether nothing has been refused or late yet.
    is_opening: bool,
    /// The windows that pass before more places are tried.
    windows: u32,
    /// The windows that have passed since the last change.
    calm: u32,
    /// Since when the limit is what it is: calls from before tell nothing of it.
    since: Option<Instant>,
    window: Window,
    /// The shortest time for a token, in seconds, of answers of each length.
    best: [f64; LENGTHS],
    /// The calls since `best` was looked at anew.
    calls: u64,
}

/// The calls that were sent since the last change, up to a turnover of all places.
#[derive(Debug, Default)]
struct Window {
    calls: usize,
    /// How many times as long as at best they took, added up.
    lateness: f64,
    /// How many of them ended when one more place would have been used.
    full: usize,
}

impl Concurrency {
    /// Begins with `first` calls at once, and goes up to `most`. `has_queue` says that the provider lets calls wait.
    pub(super) fn new(first: usize, most: usize, has_queue: bool) -> Self {
        Self {
            limit: first,
            most: most.max(first),
            has_queue,
            is_opening: true,
            windows: 1,
            calm: 0,
            since: None,
            window: Window::default(),
            best: [f64::INFINITY; LENGTHS],
            calls: 0,
        }
    }

    /// The number of calls at once from now on, after a call has ended. `is_full` says that it had the last place, or that
    /// others wait for one: without that, more places would be of no use.
    pub(super) fn ended(&mut self, outcome: CallOutcome, is_full: bool, now: Instant) -> usize {
        match outcome {
            CallOutcome::Overloaded { sent } if self.is_of_now(sent) => self.fall(self.limit / 3, now),
            CallOutcome::Overloaded { .. } => {}
            CallOutcome::Answered { sent, took, tokens } => {
                let lateness = self.lateness(took, tokens);
                if self.is_of_now(sent) {
                    self.window.calls += 1;
                    self.window.lateness += lateness;
                    self.window.full += usize::from(is_full);
                }
                if self.window.calls >= self.limit.max(2) {
                    self.turnover(now);
                }
            }
        }
        self.limit
    }

    fn is_of_now(&self, sent: Instant) -> bool {
        self.since.is_none_or(|since| sent >= since)
    }

    /// How many times as long as at best a token took.
    fn lateness(&mut self, took: Duration, tokens: u64) -> f64 {
        self.calls += 1;
        if took < SHORT || !self.has_queue {
            return 1.0;
        }
        let tokens = tokens.max(1);
        let length = (tokens.ilog2() as usize).saturating_sub(3).min(LENGTHS - 1);
        let for_each = took.as_secs_f64() / tokens as f64;
        self.best[length] = self.best[length].min(for_each);
        for_each / self.best[length]
    }

    /// All places have been used once since the last change.
    fn turnover(&mut self, now: Instant) {
        let Window { calls, lateness, full } = std::mem::take(&mut self.window);
        if lateness / calls as f64 > LATE {
            self.windows = (self.windows * 2).min(WINDOWS_MAX);
            // While it doubles, the number before was the right one.
            let part = if self.is_opening { 2 } else { 4 };
            return self.fall(self.limit / part, now);
        }
        let (least, turnovers) = LOOK_AGAIN;
        if self.has_queue && self.calls >= least.max(turnovers * self.limit as u64) {
            (self.calls, self.best) = (0, [f64::INFINITY; LENGTHS]);
            (self.is_opening, self.calm) = (true, 0);
            return self.set((self.limit / 4).max(1), now);
        }
        self.calm += 1;
        // Right after a change some wait who are about to be let in.
        let was_full = full * 2 > calls;
        if !was_full || self.limit >= self.most || !self.is_opening && self.calm < self.windows {
            return;
        }
        if !self.is_opening {
            self.windows = (self.windows / 2).max(1);
        }
        let more = if self.is_opening { self.limit } else { (self.limit / 8).max(1) };
        self.set((self.limit + more).min(self.most), now);
    }

    fn fall(&mut self, fewer: usize, now: Instant) {
        self.is_opening = false;
        self.set(self.limit.saturating_sub(fewer.max(1)).max(1), now);
    }

    fn set(&mut self, limit: usize, now: Instant) {
        (self.limit, self.calm, self.since) = (limit, 0, Some(now));
        self.window = Window::default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tokio::sync::Semaphore;
    use tokio::time::sleep;

    use super::*;

    /// A server that answers so many calls at once, and lets so many more wait before it refuses.
    struct Server {
        slots: Semaphore,
        queue: usize,
        waiting: Mutex<usize>,
    }

    impl Server {
        fn new(slots: usize, queue: usize) -> Arc<Self> {
            Arc::new(Self { slots: Semaphore::new(slots), queue, waiting: Mutex::new(0) })
        }

        async fn call(&self, number: u64) -> CallOutcome {
            let sent = Instant::now();
            {
                let mut waiting = self.waiting.lock().expect("a lock");
                if self.slots.available_permits() == 0 && *waiting >= self.queue {
                    return CallOutcome::Overloaded { sent };
                }
                *waiting += 1;
            }
            let slot = self.slots.acquire().await.expect("it is open");
            *self.waiting.lock().expect("a lock") -= 1;
            // Votes are short, what is said is long; the first words come after 100 to 160 ms.
            let tokens = if number.is_multiple_of(5) { 20 + number % 20 } else { 60 + number * 53 % 200 };
            sleep(Duration::from_millis(100 + number * 37 % 60 + tokens * 8)).await;
            drop(slot);
            CallOutcome::Answered { sent, took: sent.elapsed(), tokens }
        }
    }

    /// What became of the calls.
    struct Course {
        limits: Vec<usize>,
        refused: usize,
        took: Duration,
    }

    impl Course {
        /// The limit after the first half, on average.
        fn settled(&self) -> f64 {
            let half = &self.limits[self.limits.len() / 2..];
            half.iter().sum::<usize>() as f64 / half.len() as f64
        }
    }

    /// Makes as many calls as are given, as soon as the limit lets them through.
    async fn course(server: &Arc<Server>, mut concurrency: Concurrency, calls: u64) -> Course {
        let begun = Instant::now();
        let (told, mut ended) = tokio::sync::mpsc::unbounded_channel();
        let (mut under_way, mut next, mut done) = (0, 0, 0);
        let mut course = Course { limits: vec![concurrency.limit], refused: 0, took: Duration::ZERO };
        while done < calls {
            while under_way < concurrency.limit && next < calls {
                let (server, told) = (Arc::clone(server), told.clone());
                tokio::spawn(async move { told.send(server.call(next).await) });
                under_way += 1;
                next += 1;
            }
            let outcome = ended.recv().await.expect("calls are under way");
            under_way -= 1;
            match outcome {
                CallOutcome::Answered { .. } => done += 1,
                // It is made again.
                CallOutcome::Overloaded { .. } => {
                    course.refused += 1;
                    next -= 1;
                }
            }
            let limit = concurrency.ended(outcome, next < calls, Instant::now());
            course.limits.push(limit);
        }
        course.took = begun.elapsed();
        course
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_with_one_place_is_not_drowned_and_one_with_many_is_filled() {
        for slots in [1usize, 2, 4, 32, 256] {
            let calls = 2_000u64.max(slots as u64 * 60);
            let server = Server::new(slots, 10_000);
            let course = course(&server, Concurrency::new(2, 256, true), calls).await;
            let most = *course.limits.iter().max().expect("one");
            let case = format!("{slots} places: up to {most}, settled at {}", course.settled());
            assert!(most <= (slots * 2).max(4), "{case}");
            assert!(course.settled() <= slots as f64 * 1.7 + 0.5, "{case}");
            assert!(course.settled() >= slots as f64 * 0.85, "{case}");
            // The server is busy nearly all the time.
            let ideal = calls as f64 * (0.13 + 0.8 * 159.5 * 0.008 + 0.2 * 29.5 * 0.008) / slots as f64;
            let took = course.took.as_secs_f64();
            assert!(took < ideal * 1.2 + 15.0, "{case}: {took} s, ideally {ideal} s");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn refusals_take_places_away_and_become_rare() {
        let course = course(&Server::new(24, 0), Concurrency::new(16, 64, false), 5_000).await;
        assert!((16.0..=27.0).contains(&course.settled()), "{}", course.settled());
        assert!(course.refused < 500, "{} of 5000", course.refused);
    }

    #[tokio::test(start_paused = true)]
    async fn without_more_to_do_it_stays_where_it_is() {
        let (mut concurrency, server) = (Concurrency::new(2, 256, true), Server::new(64, 100));
        for number in 0..200 {
            let outcome = server.call(number).await;
            assert_eq!(concurrency.ended(outcome, false, Instant::now()), 2);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn how_long_a_distant_provider_thinks_says_nothing_of_its_load() {
        let (mut concurrency, mut limit) = (Concurrency::new(16, 64, false), 16);
        for number in 0..400u64 {
            let took = Duration::from_secs(1 + number * number % 90);
            let outcome = CallOutcome::Answered { sent: Instant::now(), took, tokens: 100 };
            limit = concurrency.ended(outcome, true, Instant::now());
        }
        assert_eq!(limit, 64);
    }
}
