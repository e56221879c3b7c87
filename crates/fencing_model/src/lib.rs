//! How nodes share meetings over one database, as a model small enough that every state of it can be looked at.
//!
//! It follows `store/src/postgres/{node,writer,catalogue_rows}.rs` (docs/decisions/0023): a lease for each process by the
//! clock of the database, claims that raise an epoch, and appends that name owner, epoch and the last number. Each
//! statement is a step of its own, and between any two of them anything may happen: time passes, a process stands still,
//! dies or starts, another one claims, a commit succeeds and its answer is lost. A [`Protocol`] says which fences are there,
//! so that it can be shown what each of them is for.

/// The number of nodes.
pub const NODES: usize = 2;
/// The number of meetings.
pub const MEETINGS: usize = 2;
/// The number of events that are appended in all.
pub const EVENTS: usize = 6;
/// The number of processes that a node can be, one after another, because it has died or its lease has passed; and one more,
/// which is left for [`State::recovers`].
pub const INCARNATIONS: usize = 4;

/// What the protocol checks. [`Protocol::WHOLE`] is the product's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protocol {
    /// An append names the owner of the meeting.
    pub owner: bool,
    /// An append names the epoch in which its sender owns the meeting.
    pub epoch: bool,
    /// An append names the number of the last event.
    pub expected_seq: bool,
    /// A number is there once for each meeting.
    pub unique_seq: bool,
    /// The statement that checks keeps the row locked until the commit.
    pub row_lock: bool,
    /// Leases are judged by the clock of the database, and not by the one of whoever claims.
    pub database_clock: bool,
    /// A process whose lease had passed begins anew under another token.
    pub new_token: bool,
    /// A process appends nothing by itself when its own clock says that its last renewal is too long ago.
    pub self_fencing: bool,
    /// How often nodes die or leave, in all.
    pub deaths: u8,
    /// The number of processes that each node can be, one after another: fewer than [`INCARNATIONS`].
    pub incarnations: u8,
    /// How often each meeting is claimed.
    pub epochs: u8,
    /// The number of meetings that are held, at most [`MEETINGS`].
    pub meetings: usize,
    /// The number of events that are appended in all, at most [`EVENTS`].
    pub events: usize,
}

impl Protocol {
    /// All that the product checks.
    pub const WHOLE: Self = Self {
        owner: true,
        epoch: true,
        expected_seq: true,
        unique_seq: true,
        row_lock: true,
        database_clock: true,
        new_token: true,
        // It only forbids, so that without it more can happen.
        self_fencing: false,
        deaths: 1,
        incarnations: 2,
        epochs: 2,
        meetings: MEETINGS,
        events: EVENTS,
    };
}

/// A process: the node, and how many it had been before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The node.
    pub node: u8,
    /// How many processes the node had been before.
    pub incarnation: u8,
}

/// A row of the table of meetings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MeetingRow {
    /// The process that owns it.
    pub owner: Option<Token>,
    /// How often it has changed hands.
    pub epoch: u8,
    /// The number of its last event.
    pub last_seq: u8,
    /// The node whose transaction holds the row.
    pub locked_by: Option<u8>,
}

/// An append on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Append {
    meeting: u8,
    token: Token,
    epoch: u8,
    expected: u8,
    /// Whether the row was moved on, in a transaction that is still open.
    is_moved: bool,
}

/// A node, and what its process has in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Node {
    /// Whether its process runs.
    pub is_alive: bool,
    /// How many processes it had been before this one.
    pub incarnation: u8,
    /// Whether its own clock says that the last renewal is too long ago.
    pub is_fenced: bool,
    /// The number of the last event of each meeting that runs here, as its loop knows it.
    pub loops: [Option<u8>; MEETINGS],
    /// The epoch in which each meeting is owned, as the writer remembers it.
    pub epochs: [Option<u8>; MEETINGS],
    /// The append that is on its way.
    pub append: Option<Append>,
}

/// The database, the nodes, and what has happened that should not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The rows of the meetings.
    pub meetings: [MeetingRow; MEETINGS],
    /// The numbers of their events, in the order in which they were committed.
    pub logs: [Vec<u8>; MEETINGS],
    /// Which leases last, by the clock of the database.
    pub leases: [[bool; INCARNATIONS]; NODES],
    /// The nodes.
    pub nodes: [Node; NODES],
    /// How many more may die or leave.
    pub deaths_left: u8,
    /// Whether a meeting was taken from a process whose lease lasted.
    pub was_deposed_early: bool,
    /// Whether an event was appended by a process that did not own the meeting, in that epoch, when it was committed.
    pub was_appended_by_stranger: bool,
}

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// The lease of a process passes, by the clock of the database.
    Pass(Token),
    /// The node's own clock says that its last renewal is too long ago.
    OwnClock(u8),
    /// It renews its lease, or begins anew when that had passed.
    Renew(u8),
    /// It takes a meeting that is free.
    Claim(u8, u8),
    /// It reads a meeting, to run it.
    Load(u8, u8),
    /// It begins an append: looks whether it may, and in which epoch it owns the meeting.
    Begin(u8, u8),
    /// The row is moved on, if its fences let it pass.
    Move(u8),
    /// The events are inserted, the transaction is committed, and the answer arrives.
    Commit(u8),
    /// The same, and the answer is lost.
    CommitUnheard(u8),
    /// The transaction is given up, or its connection breaks before the commit.
    Abort(u8),
    /// The process dies.
    Die(u8),
    /// The process gives up its meetings and its lease, and ends.
    Leave(u8),
    /// The node has a new process.
    Start(u8),
}

impl State {
    /// Both nodes have begun, and no meeting is owned.
    pub fn new(protocol: &Protocol) -> Self {
        let mut state = Self {
            meetings: Default::default(),
            logs: Default::default(),
            leases: Default::default(),
            nodes: Default::default(),
            deaths_left: protocol.deaths,
            was_deposed_early: false,
            was_appended_by_stranger: false,
        };
        for node in 0..NODES {
            state.nodes[node].is_alive = true;
            state.leases[node][0] = true;
        }
        state
    }

    /// What can happen now.
    pub fn actions(&self, protocol: &Protocol, actions: &mut Vec<Action>) {
        for (node, leases) in (0..).zip(&self.leases) {
            let lasting = (0..).zip(leases).filter(|(_, lasts)| **lasts);
            actions.extend(lasting.map(|(incarnation, _)| Action::Pass(Token { node, incarnation })));
        }
        for (node, of) in (0..).zip(&self.nodes) {
            let may_begin_anew = of.incarnation + 1 < protocol.incarnations;
            if !of.is_alive {
                if may_begin_anew {
                    actions.push(Action::Start(node));
                }
                continue;
            }
            let lasts = self.leases[usize::from(node)][usize::from(of.incarnation)];
            let renews = if lasts { of.is_fenced } else { may_begin_anew || !protocol.new_token };
            if renews {
                actions.push(Action::Renew(node));
            }
            if protocol.self_fencing && !of.is_fenced {
                actions.push(Action::OwnClock(node));
            }
            if self.deaths_left > 0 {
                actions.extend([Action::Die(node), Action::Leave(node)]);
            }
            for meeting in 0..protocol.meetings as u8 {
                let row = &self.meetings[usize::from(meeting)];
                let is_own = row.owner == Some(of.token(node));
                if row.locked_by.is_none()
                    && !is_own
                    && row.epoch < protocol.epochs
                    && (!protocol.database_clock || self.is_free(row))
                {
                    actions.push(Action::Claim(node, meeting));
                }
                let has_loop = of.loops[usize::from(meeting)].is_some();
                if is_own && !has_loop {
                    actions.push(Action::Load(node, meeting));
                }
                let may_begin = !(protocol.self_fencing && of.is_fenced);
                if has_loop && of.append.is_none() && may_begin && self.events() < protocol.events {
                    actions.push(Action::Begin(node, meeting));
                }
            }
            match of.append {
                Some(append) if append.is_moved => {
                    actions.extend([Action::Commit(node), Action::CommitUnheard(node), Action::Abort(node)])
                }
                Some(append) if self.meetings[usize::from(append.meeting)].locked_by.is_none() => {
                    actions.extend([Action::Move(node), Action::Abort(node)]);
                }
                _ => {}
            }
        }
    }

    /// The state after something has happened.
    #[must_use]
    pub fn after(&self, protocol: &Protocol, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::Pass(token) => {
                next.leases[usize::from(token.node)][usize::from(token.incarnation)] = false;
            }
            Action::OwnClock(node) => next.node(node).is_fenced = true,
            Action::Renew(node) => next.renew(protocol, node),
            Action::Claim(node, meeting) => next.claim(node, meeting),
            Action::Load(node, meeting) => {
                let last = next.meetings[usize::from(meeting)].last_seq;
                next.node(node).loops[usize::from(meeting)] = Some(last);
            }
            Action::Begin(node, meeting) => next.begin(protocol, node, meeting),
            Action::Move(node) => next.move_on(protocol, node),
            Action::Commit(node) => next.commit(protocol, node, true),
            Action::CommitUnheard(node) => next.commit(protocol, node, false),
            Action::Abort(node) => next.abort(node),
            Action::Die(node) => {
                next.deaths_left -= 1;
                next.end(node);
            }
            Action::Leave(node) => {
                let token = next.nodes[usize::from(node)].token(node);
                next.deaths_left -= 1;
                next.end(node);
                for row in &mut next.meetings {
                    row.owner = row.owner.filter(|owner| *owner != token);
                }
                next.leases[usize::from(node)][usize::from(token.incarnation)] = false;
            }
            Action::Start(node) => next.begin_anew(node),
        }
        next
    }

    /// The number of events that are stored or on their way.
    fn events(&self) -> usize {
        self.logs.iter().map(Vec::len).sum::<usize>()
            + self.nodes.iter().filter(|node| node.append.is_some()).count()
    }

    /// Whether nobody owns a meeting whose lease lasts, by the clock of the database.
    fn is_free(&self, row: &MeetingRow) -> bool {
        row.owner.is_none_or(|owner| !self.leases[usize::from(owner.node)][usize::from(owner.incarnation)])
    }

    fn node(&mut self, node: u8) -> &mut Node {
        &mut self.nodes[usize::from(node)]
    }

    /// `ThisNode::renew`.
    fn renew(&mut self, protocol: &Protocol, node: u8) {
        let of = self.nodes[usize::from(node)];
        let lasts = &mut self.leases[usize::from(node)][usize::from(of.incarnation)];
        if *lasts || !protocol.new_token {
            *lasts = true;
        } else {
            let (loops, append) = (of.loops, of.append);
            self.begin_anew(node);
            // Loops find out when they append; what was sent is on its way.
            (self.node(node).loops, self.node(node).append) = (loops, append);
        }
        self.node(node).is_fenced = false;
    }

    /// A process with a new token, which owns nothing and remembers nothing.
    fn begin_anew(&mut self, node: u8) {
        let incarnation = self.nodes[usize::from(node)].incarnation + 1;
        *self.node(node) = Node { is_alive: true, incarnation, ..Node::default() };
        self.leases[usize::from(node)][usize::from(incarnation)] = true;
    }

    /// `node::claim`, `node::claim_free`.
    fn claim(&mut self, node: u8, meeting: u8) {
        let token = self.nodes[usize::from(node)].token(node);
        self.was_deposed_early |= !self.is_free(&self.meetings[usize::from(meeting)]);
        let row = &mut self.meetings[usize::from(meeting)];
        (row.owner, row.epoch) = (Some(token), row.epoch + 1);
    }

    /// `Group::take`: the head that the writer remembers, or the one that is stored.
    fn begin(&mut self, protocol: &Protocol, node: u8, meeting: u8) {
        let of = self.nodes[usize::from(node)];
        let (row, place) = (self.meetings[usize::from(meeting)], usize::from(meeting));
        let token = of.token(node);
        let Some(expected) = of.loops[place] else { return };
        if of.epochs[place].is_none() {
            if row.owner != Some(token) {
                // Whoever finds it free may claim it; here that is a step of its own.
                self.node(node).loops[place] = None;
                return;
            }
            self.node(node).epochs[place] = Some(row.epoch);
            if protocol.expected_seq && row.last_seq != expected {
                // It reads the meeting anew: its last append may have succeeded, and only the answer was lost.
                self.node(node).loops[place] = None;
                return;
            }
        }
        let Some(epoch) = self.nodes[usize::from(node)].epochs[place] else { return };
        self.node(node).append = Some(Append { meeting, token, epoch, expected, is_moved: false });
    }

    /// `CatalogueRows::update`: the row is moved on, if it still is as the append expects.
    fn move_on(&mut self, protocol: &Protocol, node: u8) {
        let Some(append) = self.nodes[usize::from(node)].append else { return };
        let row = &mut self.meetings[usize::from(append.meeting)];
        let passes = (!protocol.owner || row.owner == Some(append.token))
            && (!protocol.epoch || row.epoch == append.epoch)
            && (!protocol.expected_seq || row.last_seq == append.expected);
        if passes {
            row.locked_by = protocol.row_lock.then_some(node);
            self.node(node).append = Some(Append { is_moved: true, ..append });
        } else {
            self.refuse(node, append);
        }
    }

    /// `Group::insert_events`, and the commit.
    fn commit(&mut self, protocol: &Protocol, node: u8, is_heard: bool) {
        let Some(append) = self.nodes[usize::from(node)].append else { return };
        let (place, seq) = (usize::from(append.meeting), append.expected + 1);
        let row = &mut self.meetings[place];
        if row.locked_by == Some(node) {
            row.locked_by = None;
        }
        if protocol.unique_seq && self.logs[place].contains(&seq) {
            return self.refuse(node, append);
        }
        self.was_appended_by_stranger |= row.owner != Some(append.token) || row.epoch != append.epoch;
        row.last_seq = seq;
        self.logs[place].push(seq);
        self.node(node).append = None;
        if is_heard {
            self.node(node).loops[place] = Some(seq);
        } else {
            self.node(node).epochs[place] = None;
        }
    }

    fn refuse(&mut self, node: u8, append: Append) {
        let place = usize::from(append.meeting);
        let node = self.node(node);
        (node.append, node.loops[place], node.epochs[place]) = (None, None, None);
    }

    /// The loop keeps what it wanted to append, and tries it again.
    fn abort(&mut self, node: u8) {
        if let Some(append) = self.node(node).append.take() {
            let row = &mut self.meetings[usize::from(append.meeting)];
            row.locked_by = row.locked_by.filter(|holder| *holder != node);
            self.node(node).epochs[usize::from(append.meeting)] = None;
        }
    }

    fn end(&mut self, node: u8) {
        self.abort(node);
        let incarnation = self.nodes[usize::from(node)].incarnation;
        *self.node(node) = Node { incarnation, ..Node::default() };
    }

    /// Whether each event is there once, without a gap, and the row ends where the log does.
    pub fn is_dense(&self) -> bool {
        self.logs.iter().zip(&self.meetings).all(|(log, row)| {
            (1..).zip(log).all(|(expected, seq)| *seq == expected) && usize::from(row.last_seq) == log.len()
        })
    }

    /// Whether everything is stored that a process takes as stored, and has told its clients.
    pub fn keeps_promises(&self) -> bool {
        let promised = self.nodes.iter().flat_map(|node| node.loops.iter().zip(&self.logs));
        promised.into_iter().all(|(last, log)| (1..=last.unwrap_or(0)).all(|seq| log.contains(&seq)))
    }

    /// Whether a process is about to append to a meeting that another one has taken over.
    pub fn has_zombie(&self) -> bool {
        let appends = self.nodes.iter().filter_map(|node| node.append);
        appends
            .into_iter()
            .any(|append| self.meetings[usize::from(append.meeting)].owner != Some(append.token))
    }

    /// Whether an append of a process that still owns the meeting has succeeded, and the process does not know.
    pub fn has_lost_answer(&self) -> bool {
        (0..).zip(&self.nodes).any(|(node, of)| {
            of.loops.iter().zip(&self.meetings).any(|(last, row)| {
                row.owner == Some(of.token(node)) && last.is_some_and(|last| last < row.last_seq)
            })
        })
    }

    /// The same state for nodes and meetings that have exchanged their names: one of all that are alike.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let turned = |nodes: bool, meetings: bool| {
            let mut state = self.clone();
            if nodes {
                state.nodes.swap(0, 1);
                state.leases.swap(0, 1);
                for token in state.meetings.iter_mut().filter_map(|row| row.owner.as_mut()) {
                    token.node = 1 - token.node;
                }
                for append in state.nodes.iter_mut().filter_map(|node| node.append.as_mut()) {
                    append.token.node = 1 - append.token.node;
                }
                for holder in state.meetings.iter_mut().filter_map(|row| row.locked_by.as_mut()) {
                    *holder = 1 - *holder;
                }
            }
            if meetings {
                state.meetings.swap(0, 1);
                state.logs.swap(0, 1);
                for node in &mut state.nodes {
                    node.loops.swap(0, 1);
                    node.epochs.swap(0, 1);
                    if let Some(append) = &mut node.append {
                        append.meeting = 1 - append.meeting;
                    }
                }
            }
            state
        };
        let all = [(false, false), (false, true), (true, false), (true, true)];
        all.map(|(nodes, meetings)| turned(nodes, meetings)).into_iter().min().expect("there are four")
    }

    /// Whether from here each meeting can be owned and moved on by a node, whatever had happened: connections that hang are
    /// given up, time passes, a process that is gone is replaced, and nothing else goes wrong.
    pub fn recovers(&self, protocol: &Protocol) -> bool {
        (0..protocol.meetings as u8).all(|meeting| {
            (0..NODES as u8).all(|node| {
                let mut state = self.clone();
                (0..NODES as u8).for_each(|each| state.abort(each));
                state.leases = Default::default();
                // One incarnation is left for whoever comes now.
                state.nodes[usize::from(node)] =
                    Node { incarnation: protocol.incarnations - 1, ..Node::default() };
                let before = state.logs[usize::from(meeting)].len();
                let steps = [
                    Action::Start(node),
                    Action::Claim(node, meeting),
                    Action::Load(node, meeting),
                    Action::Begin(node, meeting),
                    Action::Move(node),
                    Action::Commit(node),
                ];
                for step in steps {
                    state = state.after(protocol, step);
                }
                state.logs[usize::from(meeting)].len() == before + 1
                    && state.was_appended_by_stranger == self.was_appended_by_stranger
            })
        })
    }
}

impl Node {
    /// The token of its process.
    fn token(&self, node: u8) -> Token {
        Token { node, incarnation: self.incarnation }
    }
}
