//! What has to hold of a log, by code that knows events and nothing of the core.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::*;

/// The tolerance of shares that are computed in another order.
const ROUNDING: f64 = 1e-6;

/// Reads the events of one log and keeps records of its own.
#[derive(Debug, Default)]
pub(super) struct LogCheck {
    last: Option<(u64, Timestamp)>,
    /// The turns that were given and have not ended.
    open_turns: BTreeMap<TurnId, ParticipantId>,
    ended_turns: BTreeSet<TurnId>,
    open_calls: BTreeSet<(TaskId, u32)>,
    open_round: Option<u32>,
    ballots: BTreeMap<BallotId, BallotCheck>,
    decision: Option<DecisionRules>,
    /// The tokens of all ended calls; `None` in a fork, which carries some of another meeting.
    tokens: Option<u64>,
    is_over: bool,
}

/// One ballot.
#[derive(Debug, Default, Clone)]
pub(super) struct BallotCheck {
    pub(super) voters: Vec<ParticipantId>,
    pub(super) votes: BTreeMap<ParticipantId, Option<Vote>>,
    pub(super) verdict: Option<Verdict>,
    /// The rules that held when it was counted.
    pub(super) rules: Option<DecisionRules>,
    pub(super) is_interrupted: bool,
}

impl LogCheck {
    /// Reads one more event.
    pub(super) fn see(&mut self, event: &Event) -> Result<(), String> {
        let Event { seq, ts_ms, .. } = event;
        self.judge(event).map_err(|what| format!("event {seq}: {what}"))?;
        self.last = Some((*seq, *ts_ms));
        Ok(())
    }

    /// Whether a call is under way, also one that was lost with its process.
    pub(super) fn has_open_calls(&self) -> bool {
        !self.open_calls.is_empty()
    }

    /// The ballots.
    pub(super) fn ballots(&self) -> &BTreeMap<BallotId, BallotCheck> {
        &self.ballots
    }

    fn judge(&mut self, event: &Event) -> Result<(), String> {
        let (seq, at) = self.last.unwrap_or((0, Timestamp::default()));
        ensure(event.seq == seq + 1, || format!("it follows event {seq}"))?;
        ensure(event.ts_ms >= at, || "time runs backwards".to_owned())?;
        ensure(!self.is_over, || "something follows the end".to_owned())?;
        match &event.body {
            EventBody::MeetingCreated { rules, .. } => {
                (self.decision, self.tokens) = (Some(rules.decision.clone()), Some(0));
                Ok(())
            }
            EventBody::RulesChanged { rules, .. } => {
                self.decision = Some(rules.decision.clone());
                Ok(())
            }
            EventBody::MeetingForked { .. } => {
                // Calls that were in flight go on in the other meeting.
                self.open_calls.clear();
                self.tokens = None;
                Ok(())
            }
            EventBody::RoundStarted { round, .. } => {
                let before = self.open_round.replace(*round);
                ensure(before.is_none(), || {
                    format!("round {round} begins, and round {} has not ended", before.unwrap_or_default())
                })
            }
            EventBody::RoundEnded { round } => ensure(self.open_round.take() == Some(*round), || {
                format!("round {round} ends and is not open")
            }),
            EventBody::SpeakerSelected { turn, participant, .. } => {
                let known = self.open_turns.insert(*turn, *participant).is_some();
                ensure(!known && !self.ended_turns.contains(turn), || format!("{turn} is given twice"))
            }
            EventBody::AgentMessage { turn, participant, .. }
            | EventBody::TurnSkipped { turn, participant, .. }
            | EventBody::TurnFailed { turn, participant, .. } => {
                let owner = self.open_turns.remove(turn);
                ensure(owner == Some(*participant), || {
                    format!("{turn} of {participant} ends and is {owner:?}'s")
                })?;
                ensure(self.ended_turns.insert(*turn), || format!("{turn} has two outcomes"))
            }
            EventBody::CallStarted { task, attempt, .. } => {
                let asked = self.open_calls.iter().any(|(open, _)| open == task);
                ensure(!asked, || format!("{task} is asked twice at a time"))?;
                self.open_calls.insert((*task, *attempt));
                Ok(())
            }
            EventBody::CallRetried { usage, .. } => {
                self.tokens = self.tokens.map(|tokens| tokens + usage.total());
                Ok(())
            }
            EventBody::CallEnded { task, attempt, usage, .. } => {
                self.tokens = self.tokens.map(|tokens| tokens + usage.total());
                ensure(self.open_calls.remove(&(*task, *attempt)), || format!("{task}#{attempt} ends twice"))
            }
            EventBody::BallotOpened { ballot, voters, .. } => {
                let check = BallotCheck { voters: voters.clone(), ..BallotCheck::default() };
                ensure(self.ballots.insert(*ballot, check).is_none(), || format!("{ballot} is opened twice"))
            }
            EventBody::VoteCast { ballot, participant, vote, .. } => {
                self.vote(*ballot, *participant, Some(vote.clone()))
            }
            EventBody::VoteAbstained { ballot, participant, .. } => self.vote(*ballot, *participant, None),
            EventBody::BallotInterrupted { ballot, .. } => {
                let known = self.ballots.get_mut(ballot).ok_or("it was never opened")?;
                known.is_interrupted = true;
                Ok(())
            }
            EventBody::BallotClosed { ballot, verdict } => {
                let rules = self.decision.clone().ok_or("there are no rules")?;
                let known = self.ballots.get_mut(ballot).ok_or("it was never opened")?;
                ensure(known.verdict.is_none(), || format!("{ballot} has two verdicts"))?;
                (known.verdict, known.rules) = (Some(verdict.clone()), Some(rules.clone()));
                known.judge(verdict, &rules).map_err(|what| format!("{ballot}: {what}"))
            }
            // It ends what is open, without an event of its own (docs/events.md).
            EventBody::MeetingClosing { .. } => {
                self.ended_turns.extend(std::mem::take(&mut self.open_turns).into_keys());
                self.open_round = None;
                Ok(())
            }
            EventBody::Finished { usage, .. } => {
                self.is_over = true;
                let turns: Vec<_> = self.open_turns.keys().map(ToString::to_string).collect();
                ensure(turns.is_empty(), || format!("the end, and {} has none", turns.join(", ")))?;
                let calls: Vec<_> = self.open_calls.iter().map(|(task, _)| task.to_string()).collect();
                ensure(calls.is_empty(), || format!("the end, and {} is asked", calls.join(", ")))?;
                let right = self.tokens.is_none_or(|tokens| tokens == usage.total());
                ensure(right, || format!("a bill of {}, and calls of {:?}", usage.total(), self.tokens))
            }
            _ => Ok(()),
        }
    }

    fn vote(&mut self, ballot: BallotId, voter: ParticipantId, vote: Option<Vote>) -> Result<(), String> {
        let known = self.ballots.get_mut(&ballot).ok_or("a vote in a ballot that was never opened")?;
        let is_open = known.verdict.is_none() && !known.is_interrupted;
        ensure(is_open, || format!("a vote in {ballot}, which is over"))?;
        ensure(known.voters.contains(&voter), || format!("{voter} has no vote in {ballot}"))?;
        ensure(known.votes.insert(voter, vote).is_none(), || format!("{voter} votes twice in {ballot}"))
    }
}

impl BallotCheck {
    /// The votes that were cast.
    fn cast(&self) -> impl Iterator<Item = &Vote> {
        self.votes.values().flatten()
    }

    /// Counts the ballot once more.
    fn judge(&self, verdict: &Verdict, rules: &DecisionRules) -> Result<(), String> {
        let votes = self.cast().count();
        ensure(verdict.votes as usize == votes, || format!("{} of {votes} votes count", verdict.votes))?;
        let absent = self.voters.len() - votes;
        ensure(verdict.abstentions as usize == absent, || {
            format!("{} of {absent} abstain", verdict.abstentions)
        })?;
        let all_met = verdict.clauses.iter().all(|clause| clause.met);
        ensure(verdict.passed == all_met, || "it passes otherwise than its clauses".to_owned())?;
        let number = votes as f64;
        let mean = self.cast().map(|vote| f64::from(vote.score)).sum::<f64>() / number;
        let lowest = self.cast().map(|vote| f64::from(vote.score)).fold(f64::INFINITY, f64::min);
        let passing = self.cast().filter(|vote| vote.pass).count() as f64 / number;
        let mut asked = Vec::new();
        for clause in &verdict.clauses {
            asked.push(clause.clause);
            let (needed, got) = match clause.clause {
                ClauseKind::Quorum => ((rules.quorum * self.voters.len() as f64).max(1.0), number),
                ClauseKind::MeanScore => (f64::from(rules.mean_score.unwrap_or_default()), mean),
                ClauseKind::PassRatio => (rules.pass_ratio.unwrap_or_default(), passing),
                ClauseKind::MinScore => (f64::from(rules.min_score.unwrap_or_default()), lowest),
            };
            let met = votes > 0 && got >= needed - ROUNDING;
            ensure(clause.met == met, || {
                format!("{:?}: {got} of {needed}, and not {clause:?}", clause.clause)
            })?;
        }
        let is_set = |clause: &ClauseKind| match clause {
            ClauseKind::Quorum => true,
            ClauseKind::MeanScore => rules.mean_score.is_some(),
            ClauseKind::PassRatio => rules.pass_ratio.is_some(),
            ClauseKind::MinScore => rules.min_score.is_some(),
        };
        let due: Vec<ClauseKind> = ClauseKind::ALL.iter().copied().filter(|clause| is_set(clause)).collect();
        ensure(asked == due, || format!("{asked:?} was asked of it, and not {due:?}"))
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
