//! The migrations of a database file, each from one version to the next. A released one is never edited.

/// Meetings and their events.
pub(super) const MEETINGS: &str = "
    CREATE TABLE meeting (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        topic TEXT NOT NULL,
        language TEXT NOT NULL,
        format TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        phase TEXT NOT NULL,
        paused INTEGER NOT NULL,
        outcome TEXT,
        simulated INTEGER NOT NULL,
        participants INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        last_hash BLOB NOT NULL
    ) STRICT;
    CREATE INDEX meeting_by_age ON meeting (created_ms, key);
    CREATE TABLE event (
        place INTEGER PRIMARY KEY,
        meeting INTEGER NOT NULL REFERENCES meeting (key),
        seq INTEGER NOT NULL,
        ts_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        line TEXT NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX event_by_meeting ON event (meeting, seq);
";

/// The library of agents, and sealed credentials.
pub(super) const AGENTS: &str = "
    CREATE TABLE agent (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        runner TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE credential (
        provider TEXT NOT NULL PRIMARY KEY,
        sealed BLOB NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
";

/// Passwords of meetings.
pub(super) const PASSWORDS: &str = "
    CREATE TABLE password (
        meeting TEXT NOT NULL PRIMARY KEY,
        hash TEXT NOT NULL
    ) STRICT;
";

/// Requests that came with a key of their own. Places are never given twice, so that a late end
/// of one attempt is not taken for the end of another.
pub(super) const IDEMPOTENCY: &str = "
    CREATE TABLE idempotency (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        who TEXT NOT NULL,
        key TEXT NOT NULL,
        request BLOB NOT NULL,
        state TEXT NOT NULL,
        meeting TEXT,
        status INTEGER,
        headers TEXT,
        body BLOB,
        created_ms INTEGER NOT NULL,
        UNIQUE (who, key)
    ) STRICT;
    CREATE INDEX idempotency_by_age ON idempotency (created_ms);
    CREATE INDEX idempotency_running ON idempotency (state) WHERE state = 'running';
";

/// Files that people gave to meetings; their contents lie beside the database.
pub(super) const UPLOADS: &str = "
    CREATE TABLE upload (
        id TEXT NOT NULL PRIMARY KEY,
        meeting TEXT NOT NULL,
        name TEXT NOT NULL,
        media_type TEXT NOT NULL,
        size INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        by TEXT NOT NULL,
        created_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX upload_by_meeting ON upload (meeting, created_ms);
    CREATE INDEX upload_by_content ON upload (sha256);
";

/// Templates for meetings, and settings of the database.
pub(super) const TEMPLATES: &str = "
    CREATE TABLE template (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        body TEXT NOT NULL,
        version INTEGER NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE setting (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
";

/// The audit log. A row is never changed; old ones are pruned.
pub(super) const AUDIT: &str = "
    CREATE TABLE audit (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        ts_ms INTEGER NOT NULL,
        who TEXT NOT NULL,
        action TEXT NOT NULL,
        meeting TEXT,
        detail TEXT NOT NULL,
        address TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_by_age ON audit (ts_ms);
    CREATE INDEX audit_by_meeting ON audit (meeting, place) WHERE meeting IS NOT NULL;
    CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'what the audit log says is not changed'); END;
";

/// The search index. It holds no text of its own: what a hit says is read from its event, whose
/// place is the row's number. An old database is indexed bit by bit after it was opened.
pub(super) const SEARCH: &str = "
    CREATE VIRTUAL TABLE search USING fts5 (
        words, facets, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
    );
    INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
    CREATE TABLE search_state (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        place INTEGER NOT NULL
    ) STRICT;
    INSERT INTO search_state VALUES (1, 1, 0);
";

/// The first and the last place of each week in the index.
pub(super) const SEARCH_WEEKS: &str = "
    CREATE TABLE search_week (
        week INTEGER PRIMARY KEY,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL
    ) STRICT;
";

/// The tables of accounts, sessions, tokens and invitations.
pub(super) const ACCESS: &str = "
    CREATE TABLE account (
        name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
        scope TEXT NOT NULL,
        hash TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE session (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        guest INTEGER NOT NULL,
        scope TEXT NOT NULL,
        meeting TEXT,
        agent TEXT NOT NULL,
        address TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        used_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX guest_by_name ON session (meeting, name COLLATE NOCASE) WHERE guest = 1;
    CREATE TABLE refresh (
        hash BLOB NOT NULL PRIMARY KEY,
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        used_ms INTEGER
    ) STRICT;
    CREATE INDEX refresh_by_session ON refresh (session);
    CREATE TABLE token (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        by TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        prefix TEXT NOT NULL,
        scope TEXT NOT NULL,
        meeting TEXT,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER,
        used_ms INTEGER
    ) STRICT;
    CREATE TABLE invitation (
        id TEXT NOT NULL PRIMARY KEY,
        meeting TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        name TEXT,
        scope TEXT NOT NULL,
        by TEXT NOT NULL,
        uses_left INTEGER,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX invitation_by_meeting ON invitation (meeting, created_ms);
";

/// By which guests are known again, whatever their name.
pub(super) const PEOPLE: &str = "
    ALTER TABLE session ADD COLUMN person TEXT;
    ALTER TABLE invitation ADD COLUMN person TEXT;
";

/// The role of the seat that an invitation offers.
pub(super) const SEATS: &str = "ALTER TABLE invitation ADD COLUMN seat TEXT;";

/// The column for the profiles of agents.
pub(super) const AGENT_PROFILE: &str = "ALTER TABLE agent ADD COLUMN profile TEXT;";

/// The column for the skip lists of agents.
pub(super) const AGENT_SKIP_LIST: &str = "ALTER TABLE agent ADD COLUMN skip_list TEXT;";

/// The column for when agents that connect themselves were last seen.
pub(super) const AGENT_SEEN: &str = "ALTER TABLE agent ADD COLUMN seen_ms INTEGER;";

/// The table of these tokens.
pub(super) const ISSUED_TOKENS: &str = "
    CREATE TABLE issued_token (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX issued_token_by_subject ON issued_token (kind, subject);
    CREATE INDEX issued_token_by_end ON issued_token (expires_ms);
";

/// Tokens of agents.
pub(super) const TOKENS: &str = "ALTER TABLE token ADD COLUMN agent TEXT;";

/// The tables of webhooks and of their outbox.
pub(super) const WEBHOOKS: &str = "
    CREATE TABLE webhook (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        agent TEXT,
        turns INTEGER NOT NULL,
        events TEXT NOT NULL,
        meeting TEXT,
        enabled INTEGER NOT NULL,
        disabled_because TEXT,
        public_only INTEGER NOT NULL,
        by TEXT NOT NULL,
        place INTEGER NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE webhook_message (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        webhook INTEGER NOT NULL REFERENCES webhook (key) ON DELETE CASCADE,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        meeting TEXT,
        seq INTEGER,
        ticket TEXT,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        created_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX webhook_message_due ON webhook_message (due_ms) WHERE state = 'waiting';
    CREATE INDEX webhook_message_by_webhook ON webhook_message (webhook, state, key);
    CREATE INDEX webhook_message_by_meeting ON webhook_message (meeting) WHERE meeting IS NOT NULL;
    CREATE TABLE webhook_delivery (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        webhook INTEGER NOT NULL REFERENCES webhook (key) ON DELETE CASCADE,
        message TEXT NOT NULL,
        kind TEXT NOT NULL,
        meeting TEXT,
        seq INTEGER,
        attempt INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        latency_ms INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        status INTEGER,
        error TEXT,
        next_ms INTEGER
    ) STRICT;
    CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook, key);
    CREATE TABLE webhook_received (
        webhook INTEGER NOT NULL REFERENCES webhook (key) ON DELETE CASCADE,
        id TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (webhook, id)
    ) STRICT;
";

/// The table of public keys.
pub(super) const SIGNING: &str = "
    CREATE TABLE signing_key (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        public_key TEXT NOT NULL,
        created_ms INTEGER NOT NULL
    ) STRICT;
";

/// The settings of people, by the name of their account.
pub(super) const PERSON_SETTINGS: &str = "
    CREATE TABLE person_setting (
        account TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
        body TEXT NOT NULL,
        updated_ms INTEGER NOT NULL
    ) STRICT;
";

/// The token by which a webhook was created, the failures of its address in a row, and what call-backs came to.
pub(super) const WEBHOOK_STANDING: &str = "
    ALTER TABLE webhook ADD COLUMN token TEXT;
    ALTER TABLE webhook ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE webhook ADD COLUMN pauses INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE webhook ADD COLUMN paused_until_ms INTEGER;
    CREATE INDEX webhook_by_token ON webhook (token) WHERE token IS NOT NULL;
    ALTER TABLE webhook_received ADD COLUMN body BLOB;
    ALTER TABLE webhook_received ADD COLUMN done INTEGER NOT NULL DEFAULT 1;
";

/// Who created a meeting. Of meetings that are older it is not known.
pub(super) const CREATORS: &str = "
    ALTER TABLE meeting ADD COLUMN created_by TEXT;
    CREATE INDEX meeting_by_creator ON meeting (created_by) WHERE phase <> 'ended';
";

/// The first line of the conclusion. Of meetings that are older it is not known until the row is rebuilt.
pub(super) const CONCLUSIONS: &str = "
    ALTER TABLE meeting ADD COLUMN conclusion TEXT;
";

/// Links to the results of meetings.
pub(super) const RESULT_LINKS: &str = "
    CREATE TABLE result_link (
        id TEXT NOT NULL PRIMARY KEY,
        meeting TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        by TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER,
        reads INTEGER NOT NULL DEFAULT 0,
        read_ms INTEGER
    ) STRICT;
    CREATE INDEX result_link_by_meeting ON result_link (meeting, created_ms);
";

/// What people put on meetings: tags, and a title that was given after the end.
pub(super) const MEETING_LABELS: &str = "
    CREATE TABLE meeting_label (
        meeting TEXT NOT NULL PRIMARY KEY,
        title TEXT,
        tags TEXT NOT NULL,
        folded TEXT NOT NULL
    ) STRICT;
";

/// Up to which event each agent has been given what was said at a meeting.
pub(super) const CONTEXT_CURSORS: &str = "
    CREATE TABLE context_cursor (
        agent TEXT NOT NULL,
        meeting TEXT NOT NULL,
        seq INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        PRIMARY KEY (agent, meeting)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX context_cursor_by_meeting ON context_cursor (meeting);
";

/// The migration that adds the table.
pub(super) const SNAPSHOT: &str = "
    CREATE TABLE snapshot (
        meeting TEXT NOT NULL PRIMARY KEY,
        seq INTEGER NOT NULL,
        log_hash BLOB NOT NULL,
        format TEXT NOT NULL,
        state_hash TEXT NOT NULL,
        state BLOB NOT NULL
    ) STRICT;
";

/// The tables, and the version of the index that they hold: none yet.
pub(super) const MENTION_INDEX: &str = "
    CREATE TABLE mention (
        person TEXT NOT NULL,
        place INTEGER NOT NULL,
        meeting INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (person, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mention_by_meeting ON mention (meeting, person, seq);
    CREATE TABLE person_seat (
        meeting INTEGER NOT NULL,
        participant INTEGER NOT NULL,
        person TEXT NOT NULL,
        PRIMARY KEY (meeting, participant)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE mention_read (
        person TEXT NOT NULL,
        meeting INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (person, meeting)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE mention_state (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL
    ) STRICT;
    INSERT INTO mention_state VALUES (1, 0);
";

/// The migration that adds the ledger to a database. Earlier rows have no checksums, and rows that were
/// missing then are not reported.
pub(super) const MISSING_ROWS: &str = "
    CREATE TABLE meeting_register (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT
    ) STRICT;
    WITH RECURSIVE number (key) AS (
        SELECT 1 WHERE EXISTS (SELECT 1 FROM meeting)
        UNION ALL SELECT key + 1 FROM number WHERE key < (SELECT max(key) FROM meeting)
    )
    INSERT INTO meeting_register (key, id)
        SELECT number.key, meeting.id FROM number LEFT JOIN meeting ON meeting.key = number.key
        ORDER BY number.key;
    ALTER TABLE audit ADD COLUMN hash BLOB;
    CREATE TABLE audit_removed (
        first INTEGER PRIMARY KEY,
        last INTEGER NOT NULL,
        hash BLOB
    ) STRICT;
    INSERT INTO audit_removed (first, last)
        SELECT before + 1, place - 1
        FROM (SELECT place, lag(place, 1, 0) OVER (ORDER BY place) AS before FROM audit)
        WHERE place > before + 1;
    INSERT INTO audit_removed (first, last)
        SELECT coalesce((SELECT max(place) FROM audit), 0) + 1, seq FROM sqlite_sequence
        WHERE name = 'audit' AND seq > coalesce((SELECT max(place) FROM audit), 0);
";

/// The title, the origin and the time of a fork.
pub(super) const FORKS: &str = "
    ALTER TABLE meeting ADD COLUMN title TEXT;
    ALTER TABLE meeting ADD COLUMN forked_from TEXT;
    ALTER TABLE meeting ADD COLUMN forked_seq INTEGER;
    ALTER TABLE meeting ADD COLUMN forked_ms INTEGER;
";

/// Whether the title was given, and what the meeting is for.
pub(super) const MEETING_DETAILS: &str = "
    ALTER TABLE meeting ADD COLUMN titled INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE meeting ADD COLUMN description TEXT NOT NULL DEFAULT '';
";
