//! Many meetings at once, against models that take their time: whether ours can be noticed.

use std::sync::Arc;

use quorate_store::Store;

use crate::endpoint::Endpoint;
use crate::measure::{Aim, Watch, figure, peak_rss_mb, us_each};
use crate::server::{FIRST_TOKEN, MANY_TOKENS, PER_TOKEN, TOKENS};
use crate::table::{self, Held};

const MEETINGS: usize = 100;
const ROUNDS: u32 = 4;

/// Without subscribers, so that answers are not streamed.
pub(crate) fn plain() {
    run(Watching::Nobody);
}

/// With a subscriber of each meeting.
pub(crate) fn streamed() {
    run(Watching::ShortAnswers);
}

/// With a subscriber of each meeting and long answers: the cost of a token by itself.
pub(crate) fn streamed_long() {
    run(Watching::LongAnswers);
}

#[derive(Clone, Copy, PartialEq)]
enum Watching {
    Nobody,
    ShortAnswers,
    LongAnswers,
}

fn run(watching: Watching) {
    let streamed = watching != Watching::Nobody;
    let long = watching == Watching::LongAnswers;
    let (rounds, per_answer) = if long { (1, MANY_TOKENS) } else { (ROUNDS, TOKENS) };
    let mut endpoint = Endpoint::paced(long);
    let folder = table::folder();
    let runtime = table::runtime();
    let store = Store::open(folder.path().join("meetings.db")).expect("a new database");
    let engine = table::engine(Arc::new(store), endpoint.provider());
    let watch = Watch::start();
    let held = runtime.block_on(async {
        let meeting = |number| {
            let engine = engine.clone();
            async move { table::hold(&engine, number, table::discussion(rounds), streamed).await }
        };
        let running: Vec<_> = (0..MEETINGS).map(|number| tokio::spawn(meeting(number))).collect();
        let mut all = Held::default();
        for meeting in running {
            all.add(&meeting.await.expect("no meeting panics"));
        }
        all
    });
    let reading = watch.read();

    let Held { turns, fragments, .. } = held;
    let one_after_the_other = rounds * table::NAMES.len() as u32;
    let wanted = u64::from(one_after_the_other) * MEETINGS as u64;
    assert_eq!((turns, endpoint.tally().requests), (wanted, wanted), "each turn was asked for once");
    // A long answer may come in fewer fragments than it has tokens, when it has too few letters.
    let tokens = if long { fragments } else { turns * u64::from(per_answer) };
    let ideal = (FIRST_TOKEN + PER_TOKEN * per_answer) * one_after_the_other;
    let wall = reading.wall.as_secs_f64();
    figure("wall", wall, "s", Aim::Nothing);
    figure("wall, as a multiple of what the models take", wall / ideal.as_secs_f64(), "x", Aim::AtMost(1.15));
    match streamed {
        true => {
            figure("CPU per token", us_each(reading.cpu, tokens), "us", Aim::AtMost(20.0));
            figure("fragments heard per token", fragments as f64 / tokens as f64, "", Aim::Nothing);
        }
        false => {
            assert_eq!(fragments, 0, "nobody watches");
            figure("CPU per turn", us_each(reading.cpu, turns) / 1e3, "ms", Aim::AtMost(0.25));
        }
    }
    figure("peak memory", peak_rss_mb(), "MB", Aim::AtMost(40.0));
}
