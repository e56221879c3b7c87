//! The program as it ships, under a scheduler whose every choice follows from a seed.
//!
//! What runs is the application with its table of use cases, the engine with its loops and deadlines, the store on a file of
//! SQLite, and the runner of models with its retries, limits and decoders. What stands for the world is small: a clock that
//! stands still while there is work (tokio's), a disk below SQLite that fails (`disk`) and is asked about each commit
//! ([`Disk`](quorate_store::Disk)), vendors behind the HTTP transport
//! ([`Transport`](quorate_runners::Transport)), and dice. A history has one thread and no socket.
//!
//! A process is a runtime. Killing it means dropping the runtime; what is left is the database, and what somebody was told.
//!
//! | Checked | Where |
//! |---|---|
//! | after each append, what is stored keeps the rules of logs | `log_check` (nothing of the core), `invariants`, `ledger` |
//! | a call is in the log before its vendor is asked, is asked by one process, and is done once | `vendor` |
//! | what a call is charged covers what its vendor billed, and is what an answer said | `vendor` |
//! | what was acknowledged or heard is stored, the same and once | `world` |
//! | the live state is the folded log, and every consequence is drawn | `standstill` |
//! | a meeting that runs is owed something, and is not silent for longer than it says; when faults cease, each ends | `standstill`, `director` |
//! | report, ballots, health and what-if agree with each other and with the log | `end`, `results` |
//! | time counts while a meeting runs, whatever the clock on the wall says | `running_time` |
//! | a provider is tried again when that is due, and not when something else wakes the meeting | `next_try` |
//! | the runner of a call breaks down, and the call ends; an answer that came whole is read | `standstill`, `vendor` |
//! | a loop that has failed is begun again, and what a paused meeting owes is taken up, without anybody looking | `standstill` |
//! | a request with a key is done once and answered the same; who may not changes nothing; each call is audited | `entrances` |
//! | nobody reads a word that is hidden from them | `visibility` (nothing of the views) |
//! | a turn of a participant outside is answered once, and a late answer is refused by name | `seats` |

mod acts;
mod callers;
mod delivery;
mod director;
mod disk;
mod end;
mod entrance_call;
mod entrances;
mod log_check;
mod next_try;
mod place;
mod process;
mod results;
mod running_time;
mod seats;
mod shrink;
mod standstill;
mod vendor;
mod vfs;
mod visibility;
mod watching;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::ScopedJoinHandle;

use self::director::{Director, ProcessEnd, open};
use self::place::Place;
use self::process::Process;
use self::vendor::Vendors;
use self::world::World;

pub use self::shrink::shrink;

use crate::fault_plan::{DiskFaults, FaultPlan, PlanChange};
use crate::history::{Breach, Simulated, Story};
use crate::meeting_spec;
use crate::report::Report;
use crate::rng::Rng;

/// The most processes that it takes to bring the meetings of one seed to their ends.
const PROCESSES: u64 = 2_000;

/// The stack of a history. Without optimization, the calls of an application and its engine within each other take more than
/// the two megabytes of a usual thread.
const STACK: usize = 32 << 20;

/// The number of processes after which the faults cease.
const FAULTY_PROCESSES: u64 = 400;

/// What is told of a loop of a meeting that breaks down because the plan says so.
const LOOP_BREAKS: &str = "a loop breaks down, and its meeting goes on";

/// What is told of a runner that breaks down because the plan says so.
const RUNNER_BREAKS: &str = "a runner breaks down, and the meeting goes on";

/// Panics that belong to the plan are not told on standard error, with a trace for each; any other is.
pub fn keep_wanted_panics_quiet() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload_as_str().unwrap_or_default();
        if ![LOOP_BREAKS, RUNNER_BREAKS].contains(&words) {
            tell(panic);
        }
    }));
}

/// Plays the history of one seed to its end.
///
/// # Errors
/// The first thing that must always hold and did not.
pub fn play(seed: u64) -> Result<Story, Breach> {
    play_plan(seed, &PlanChange::default())
}

/// Plays the history of one seed with a change of its plan.
///
/// # Errors
/// The first thing that must always hold and did not.
pub fn play_plan(seed: u64, change: &PlanChange) -> Result<Story, Breach> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let played = thread.spawn_scoped(scope, || play_here(seed, change)).map(ScopedJoinHandle::join);
        match played {
            Ok(Ok(played)) => played,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("a thread cannot be started: {error}"),
        }
    })
}

fn play_here(seed: u64, change: &PlanChange) -> Result<Story, Breach> {
    let world = world_of(seed, change);
    let played = catch_unwind(AssertUnwindSafe(|| play_in(&world)));
    let played = played.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("a panic: {}", words.unwrap_or("without words")))
    });
    let (transcript, step) = (world.take_transcript(), world.process.load(Ordering::Relaxed));
    let log =
        world.known().values().flat_map(|known| known.lines.clone()).map(|line| line.to_string()).collect();
    let report = std::mem::take(&mut *world.report());
    match played.and_then(|()| world.breached().map_or(Ok(()), Err)) {
        Ok(()) => Ok(Story { seed, transcript, log, report }),
        Err(what) => {
            let (of, plan) = (Simulated::Program, change.clone());
            Err(Breach { seed, step, what, transcript, log, of, plan })
        }
    }
}

/// Plays the histories of `count` seeds from `from` on, until one breaks. `progress` is called with the number of played
/// ones.
///
/// # Errors
/// The breach.
pub fn play_many(from: u64, count: u64, mut progress: impl FnMut(u64)) -> Result<Report, Breach> {
    let mut report = Report::default();
    for played in 0..count {
        report.add(&play(from.wrapping_add(played))?.report);
        progress(played + 1);
    }
    Ok(report)
}

fn world_of(seed: u64, change: &PlanChange) -> Arc<World> {
    let mut rng = Rng::new(seed ^ 0x5ca1_ab1e);
    let disk = DiskFaults::of(&mut Rng::new(seed ^ 0x00d1_5c55));
    let fault_plan = FaultPlan::of(&mut rng).over(disk).changed(change);
    let vendors = Vendors::new(&mut rng);
    let world = Arc::new(World::new(seed, fault_plan, rng, vendors));
    world.disk.belongs_to(Arc::downgrade(&world));
    world
}

fn play_in(world: &Arc<World>) -> Result<(), String> {
    let spec = {
        let mut rng = world.rng();
        let mut spec = meeting_spec::spec(&mut rng);
        let models = spec.participants.iter_mut().map(|seat| &mut seat.runner);
        let offers = spec.models.iter_mut().map(|offer| &mut offer.runner);
        let facilitator = spec.facilitator.iter_mut().map(|one| &mut one.runner);
        models.chain(offers).chain(facilitator).for_each(|runner| Vendors::settle(&mut rng, runner));
        seats::seat(&mut rng, &mut spec);
        spec
    };
    let place = Place::new(world)?;
    let mut director = Director::new(Arc::clone(world), spec);
    for number in 1..=PROCESSES {
        world.process.store(number, Ordering::Relaxed);
        if number == FAULTY_PROCESSES {
            // A database that cannot be opened is never appended to.
            world.calm_down();
        }
        world.note(format!("process {number} begins"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        // A disk that fails while the database is opened ends the process; the next one tries again.
        let end = match open(world, &place) {
            Ok(store) => Ok(runtime.block_on(async {
                let process = Arc::new(Process::new(world));
                let end = director.live_through(&process, store).await;
                world.process_ends();
                end
            })),
            Err(error) => Err(error),
        };
        drop(runtime); // kill -9
        world.disk.restart(world.loses_power());
        world.is_dead.store(false, Ordering::Relaxed);
        if let Some(what) = world.breached() {
            return Err(what);
        }
        let down_ms = match world.is_calm() {
            true => 1,
            false => world.rng().pick(&[1, 1_000, 30_000, 600_000]),
        };
        world.passes(down_ms);
        match end {
            Ok(ProcessEnd::Finished) => return end::check(world, &place),
            Ok(ProcessEnd::Killed | ProcessEnd::ShutDown | ProcessEnd::Breach) => {}
            Err(error) => world.note(format!("the database cannot be opened: {error}")),
        }
    }
    Err(format!("{PROCESSES} processes have not brought it to an end"))
}
