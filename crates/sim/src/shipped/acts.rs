//! What people do at a meeting: they act through entrances, by whoever it is, and some try what nobody may.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_app::UseCase;
use quorate_contract::*;
use quorate_core::{Meeting, Phase, RunState};
use quorate_engine::{EngineError, MeetingHandle};

use super::callers::Who;
use super::director::Director;
use super::entrances::{Entrance, marked};
use super::vendor::Vendors;
use crate::fault_plan::Act;
use crate::report::count;
use crate::{forged_answers, people};

/// How often a meeting is resumed after the faults have ceased before its owner ends it.
const RESUMED_MAX: u32 = 60;

/// How long after a fault of the disk a loop may not know what was kept, in milliseconds.
const LOOKS_AGAIN_MS: u64 = 2_000;

/// In how many of a thousand acts somebody reads the meeting.
const READS: u64 = 80;

impl Director {
    /// A person acts.
    pub(super) async fn act(&mut self, entrance: &Entrance, id: &MeetingId) {
        let world = Arc::clone(&self.world);
        let engine = entrance.app.engine();
        let handle = engine.handle(id);
        let acknowledged = world.known().get(id).map_or(0, |known| known.acknowledged);
        let meeting = match handle.look().await {
            Ok(meeting) => meeting,
            Err(EngineError::Quarantined(_)) => return self.release(&handle).await,
            Err(error) => {
                world.is_still_there(id, &error);
                return world.note(format!("{id} cannot be looked at: {error}"));
            }
        };
        // What a failing disk has kept is heard by those who read before the loop knows of it: it looks again after a second.
        let disk_fails_ms = world.disk_fails_ms.load(std::sync::atomic::Ordering::Relaxed);
        if meeting.seq < acknowledged && disk_fails_ms + LOOKS_AGAIN_MS < world.now_ms() {
            world.breach(format!("{id} is seen at {}, and {acknowledged} was acknowledged", meeting.seq));
        }
        self.compare(&meeting);
        self.waits_for_something(engine, &meeting);
        entrance.take_turns(id).await;
        if world.rng().per_mille(READS) {
            entrance.look_through(id).await;
        }
        let calm = world.is_calm() || world.fault_plan.people == 0;
        let is_voting = world.known().get(id).is_some_and(|known| known.secrets.is_voting());
        let Some(act) = self.choose(&meeting, calm, is_voting) else { return };
        if !calm && world.rng().per_mille(30) {
            return self.forge(&handle, &meeting).await;
        }
        count(&mut world.report().deeds, act.name());
        if let Some(deed) = in_mid_flight(act, &meeting, is_voting) {
            count(&mut world.report().deeds, deed);
        }
        let usual = people::who(act, &mut world.rng(), &meeting);
        let who = self.at_the_table(act, &meeting).unwrap_or_else(|| entrance.caller(&usual));
        let by = who.principal(id).map_or(usual, |principal| principal.actor());
        let mut command = people::execute_by(by, act, &mut world.rng(), &meeting, &self.spec);
        self.vary(&mut command);
        let use_case = UseCase::of_command(&command).filter(|_| act != Act::SayOutOfTurn);
        if let Some(use_case) = use_case {
            entrance.act(who, act, use_case, id, command).await;
            return;
        }
        // No entrance lets somebody speak for a participant.
        let (command, mark) = marked(&world, command);
        match handle.execute(command).await {
            Ok(seq) => {
                world.note(format!("{id} {}: {seq}", act.name()));
                world.acknowledge(id, seq);
                if let Some(mark) = mark {
                    world.acknowledge_said(&mark);
                }
            }
            Err(EngineError::Refused(refusal)) => {
                world.note(format!("{id} {}: {refusal}", act.name()));
                count(&mut world.report().refusals, crate::report::refused(&refusal));
            }
            Err(EngineError::Broken(_, detail)) => {
                world.breach(format!("{id}: a computation broke off: {}", detail.text(Language::En)));
            }
            Err(error) => {
                world.is_still_there(id, &error);
                world.note(format!("{id} {}: {error}", act.name()));
            }
        }
    }

    /// What is done at this meeting now; none, where it goes on by itself and nothing is to disturb it.
    fn choose(&mut self, meeting: &Meeting, calm: bool, is_voting: bool) -> Option<Act> {
        let world = Arc::clone(&self.world);
        Some(match (&meeting.phase, &meeting.run_state) {
            (Phase::Draft, _) => Act::Start,
            // A meeting with nobody who can answer is resumed some times, and then ended.
            (_, RunState::Paused { .. }) if calm && self.is_resumed_too_often(&meeting.id) => Act::End,
            (_, RunState::Paused { .. }) if calm => people::gets_on(meeting),
            _ if calm => return None,
            (_, RunState::Paused { .. }) if world.rng().per_mille(500) => Act::ResumeWithAnswers,
            // Minutes that are being written have nothing to do with a ballot that somebody steers.
            (Phase::Ballot, _) if world.rng().per_mille(400) => {
                world.rng().pick(&[Act::WriteMinutes, Act::Say])
            }
            // What was counted stays as it was counted, whatever holds from then on.
            _ if meeting.last_counted_ballot().is_some() && world.rng().per_mille(150) => Act::ChangeRules,
            // What is rare otherwise.
            _ if is_voting && world.rng().per_mille(300) => Act::Mention,
            (Phase::Closing { .. }, _) if world.rng().per_mille(300) => Act::PauseAtOnce,
            _ => world.fault_plan.act(&mut world.rng()),
        })
    }

    fn is_resumed_too_often(&mut self, meeting: &MeetingId) -> bool {
        let times = self.resumed.entry(meeting.clone()).or_default();
        *times += 1;
        *times > RESUMED_MAX
    }

    /// Somebody else who resumes a meeting, whose word it may not be: mostly of those at the table, and anybody where only the
    /// host's helps.
    fn at_the_table(&self, act: Act, meeting: &Meeting) -> Option<Who> {
        let resumes = matches!(act, Act::Resume | Act::ResumeWithAnswers | Act::ResumeWithAnyToken);
        if !resumes || self.world.is_calm() {
            return None;
        }
        if meeting.awaits_host() && self.world.rng().per_mille(400) {
            return Some(Who::any(&mut self.world.rng()));
        }
        if !self.world.rng().per_mille(200) {
            return None;
        }
        let place = self.world.rng().place(meeting.people.len().max(1));
        let by = meeting.people.get(place).map_or_else(Actor::owner, |one| one.person.clone().into());
        Who::of(&by)
    }

    /// Names in a command that are nearly those of others, and models of newcomers that exist.
    fn vary(&self, command: &mut Command) {
        match command {
            Command::Say { content, .. } if !content.trim_matches(['\u{1b}', ' ']).is_empty() => {
                // A longer name is another name.
                let names = self.spec.participants.iter().map(|seat| &seat.name);
                let longer = names.filter(|name| name.is_ascii()).map(|name| format!(" @{name}sson "));
                content.extend(longer.take(2));
            }
            Command::Join { newcomer, .. } => {
                Vendors::settle(&mut self.world.rng(), &mut newcomer.runner);
                let names: Vec<&String> = self.spec.participants.iter().map(|seat| &seat.name).collect();
                if !names.is_empty() && self.world.rng().per_mille(300) {
                    newcomer.name = in_wide_letters(names[self.world.rng().place(names.len())]);
                }
            }
            _ => {}
        }
    }

    /// Somebody delivers an answer that nobody has given.
    async fn forge(&self, handle: &MeetingHandle, meeting: &Meeting) {
        let world = &self.world;
        let asked = meeting.calls.keys().nth(world.rng().place(meeting.calls.len() + 1));
        let task = asked.copied().unwrap_or_else(|| forged_answers::task(&mut world.rng()));
        // An attempt that is under way is answered by its runner alone.
        let attempt = world.rng().pick(&[0, 99_999]);
        let what = forged_answers::answer(&mut world.rng(), task);
        let delivery = Delivery {
            attempt,
            usage: Some(Usage::default()),
            latency_ms: 0,
            what,
            web: WebFindings::default(),
            mended: Vec::new(),
            retry_after_ms: None,
            request_id: None,
            window: None,
        };
        count(&mut world.report().deeds, "forged answer");
        let told = handle.execute(Command::Deliver(Box::new(delivery))).await;
        if told.is_ok() {
            world.breach(format!("{}: an answer to {task} counts that nobody was asked for", handle.id()));
        }
        world.note(format!("{} a forged answer to {task}#{attempt}: {told:?}", handle.id()));
    }

    /// The owner resumes a quarantined meeting.
    async fn release(&self, handle: &MeetingHandle) {
        let (token, answers) = (None, BTreeMap::new());
        let resume = Command::Resume { by: Actor::owner(), token, answers, take_defaults: true };
        let told = handle.execute(resume).await;
        self.world.note(format!("{} is let out of quarantine: {told:?}", handle.id()));
    }
}

/// A name in characters that look like its own.
fn in_wide_letters(name: &str) -> String {
    let wide = |c: char| match c {
        'A'..='Z' | 'a'..='z' => char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c),
        c => c,
    };
    name.chars().map(wide).collect()
}

/// What an act is besides, by what goes on at the meeting.
fn in_mid_flight(act: Act, meeting: &Meeting, is_voting: bool) -> Option<&'static str> {
    let is_asking = !meeting.calls.is_empty();
    match act {
        Act::Say | Act::Mention | Act::SaySomebodyElse if is_voting => Some("steer a ballot"),
        Act::Pause | Act::PauseAtOnce if matches!(meeting.phase, Phase::Closing { .. }) => {
            Some("pause while records are written")
        }
        Act::ChangeRules if is_asking => Some("change rules and budgets while calls run"),
        Act::Join if is_asking => Some("join while calls run"),
        Act::Leave if is_asking => Some("leave while calls run"),
        _ => None,
    }
}
