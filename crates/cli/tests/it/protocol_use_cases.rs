//! Every tool of the Model Context Protocol and every method of the Agent2Agent protocol against the table of use cases:
//! the permission, the audit entry and the limit are those of the use case that it carries out first. A tool or a method
//! that has no line here fails the test.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use quorate_app::{Scope, UseCase};
use quorate_messages::{Language, text};
use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, owner};

/// What a tool or a method carries out.
struct Line {
    name: &'static str,
    /// The use case that comes first, which decides whether the caller may; `None` for what is not offered.
    first: Option<UseCase>,
    /// Audited use cases that follow when the first one has been carried out.
    then: &'static [UseCase],
    given: fn(&str) -> Value,
    /// The meeting that it is about.
    about: About,
}

/// What a meeting has to be for a call to carry out its use cases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// One that has not begun.
    Draft,
    /// A room that waits for words.
    WaitingRoom,
}

const fn line(name: &'static str, first: UseCase, given: fn(&str) -> Value) -> Line {
    Line { name, first: Some(first), then: &[], given, about: About::Draft }
}

/// The tools. What is read after the use case that comes first needs no more than that one: `get_context` also reads the
/// context and the files, `get_result` the report, and a command how the meeting then stands.
const TOOLS: [Line; 18] = [
    line("register_agent", UseCase::RegisterAgent, |_| json!({ "introduction": "Keeps minutes." })),
    line("list_meetings", UseCase::ListMeetings, |_| json!({})),
    line("join_meeting", UseCase::JoinMeeting, |id| json!({ "meeting": id })),
    line("get_context", UseCase::ListTurns, |id| json!({ "meeting": id })),
    line("wait_for_turn", UseCase::ListTurns, |_| json!({ "wait_seconds": 0 })),
    line(
        "send_message",
        UseCase::AnswerTurn,
        |id| json!({ "meeting": id, "content": "hello", "ticket": format!("{id}.speak-1") }),
    ),
    // Without a turn, where the meeting waits for words.
    Line {
        about: About::WaitingRoom,
        ..line("send_message", UseCase::Say, |id| json!({ "meeting": id, "content": "hello" }))
    },
    line(
        "skip_response",
        UseCase::SkipTurn,
        |id| json!({ "meeting": id, "ticket": format!("{id}.speak-1") }),
    ),
    line(
        "cast_vote",
        UseCase::AnswerTurn,
        |id| json!({ "meeting": id, "score": 90, "pass": true, "reason": "so", "ticket": format!("{id}.vote-1") }),
    ),
    line("search_messages", UseCase::Search, |_| json!({ "query": "hello" })),
    line("get_full_message", UseCase::ShowMessage, |id| json!({ "meeting": id, "message_id": "3" })),
    line("get_file", UseCase::ReadFile, |id| json!({ "meeting": id, "file": "f1" })),
    line("export_chat_history", UseCase::Export, |id| json!({ "meeting": id, "format": "markdown" })),
    line("create_meeting", UseCase::CreateMeeting, |_| json!({ "topic": "Is it?", "simulate": true })),
    line("start_meeting", UseCase::StartMeeting, |id| json!({ "meeting": id })),
    line("resume_meeting", UseCase::ResumeMeeting, |id| json!({ "meeting": id })),
    line("end_meeting", UseCase::EndMeeting, |id| json!({ "meeting": id })),
    line("get_result", UseCase::ShowMeeting, |id| json!({ "meeting": id })),
];

const NEW_TASK: Line = Line {
    name: "",
    first: Some(UseCase::CreateMeeting),
    then: &[UseCase::StartMeeting],
    given: |id| {
        json!({
            "message": {
                "messageId": format!("new-{id}"), "role": "ROLE_USER", "parts": [{ "text": "Is it?" }],
                "metadata": { "quorate": { "simulate": true, "rules": { "limits": { "max_rounds": 1 } } } },
            },
            "configuration": { "returnImmediately": true, "blocking": false },
        })
    },
    about: About::Draft,
};

const fn none(name: &'static str) -> Line {
    Line { name, first: None, then: &[], given: |id| json!({ "id": id, "taskId": id }), about: About::Draft }
}

/// The methods of both versions of the protocol.
const METHODS: [Line; 21] = [
    Line { name: "SendMessage", ..NEW_TASK },
    Line { name: "SendStreamingMessage", ..NEW_TASK },
    line("GetTask", UseCase::ShowMeeting, |id| json!({ "id": id })),
    line("ListTasks", UseCase::ListMeetings, |_| json!({})),
    Line {
        then: &[UseCase::EndMeeting],
        ..line("CancelTask", UseCase::ShowMeeting, |id| json!({ "id": id }))
    },
    line("SubscribeToTask", UseCase::ShowMeeting, |id| json!({ "id": id })),
    none("CreateTaskPushNotificationConfig"),
    none("GetTaskPushNotificationConfig"),
    none("ListTaskPushNotificationConfigs"),
    none("DeleteTaskPushNotificationConfig"),
    none("GetExtendedAgentCard"),
    Line { name: "message/send", ..NEW_TASK },
    Line { name: "message/stream", ..NEW_TASK },
    line("tasks/get", UseCase::ShowMeeting, |id| json!({ "id": id })),
    Line {
        then: &[UseCase::EndMeeting],
        ..line("tasks/cancel", UseCase::ShowMeeting, |id| json!({ "id": id }))
    },
    line("tasks/resubscribe", UseCase::ShowMeeting, |id| json!({ "id": id })),
    none("tasks/pushNotificationConfig/set"),
    none("tasks/pushNotificationConfig/get"),
    none("tasks/pushNotificationConfig/list"),
    none("tasks/pushNotificationConfig/delete"),
    none("agent/getAuthenticatedExtendedCard"),
];

/// The same operations over HTTP without JSON-RPC: each is named by its method and its path below the agent, where `ID` is
/// the task.
const REST: [Line; 8] = [
    Line { name: "POST message:send", ..NEW_TASK },
    Line { name: "POST message:stream", ..NEW_TASK },
    line("GET tasks", UseCase::ListMeetings, |_| Value::Null),
    line("GET tasks/ID", UseCase::ShowMeeting, |_| Value::Null),
    Line {
        then: &[UseCase::EndMeeting],
        ..line("POST tasks/ID:cancel", UseCase::ShowMeeting, |_| json!({}))
    },
    line("GET tasks/ID:subscribe", UseCase::ShowMeeting, |_| Value::Null),
    none("POST tasks/ID/pushNotificationConfigs"),
    none("GET extendedAgentCard"),
];

/// A way in, with the owner who looks at what came of it.
struct Endpoint {
    owner: Mcp,
    path: &'static str,
    /// What the audit log calls it.
    via: &'static str,
    looked: std::cell::Cell<u32>,
}

/// What was answered: the HTTP status, and the body.
struct Answered {
    status: u16,
    text: String,
}

impl Answered {
    fn says(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    fn is_refused(&self) -> bool {
        self.status == 403 || self.says(text!(Language::En, "app-forbidden"))
    }

    fn is_too_many(&self) -> bool {
        self.status == 429 || self.says(text!(Language::En, "app-too-many-calls"))
    }
}

impl Endpoint {
    fn of(owner: Mcp, path: &'static str, via: &'static str) -> Self {
        Self { owner, path, via, looked: std::cell::Cell::new(0) }
    }

    /// Calls the tool or the method with this token.
    fn ask(&self, token: &str, line: &Line, meeting: &str) -> Answered {
        let given = (line.given)(meeting);
        if let Some((method, path)) = line.name.split_once(' ') {
            return self.ask_rest(token, method, &path.replace("ID", meeting), &given);
        }
        let (method, params) = match self.via {
            "mcp" => ("tools/call", json!({ "name": line.name, "arguments": given })),
            _ => (line.name, given),
        };
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = self.owner.client.post(format!("{}{}", self.owner.base, self.path));
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header("accept-language", "en").bearer_auth(token).json(&body);
        let request = match self.via {
            "mcp" => request.header("mcp-protocol-version", "2025-06-18"),
            _ if line.name.contains('/') => request,
            _ => request.header("a2a-version", "1.0"),
        };
        self.answered(request)
    }

    /// Sends a request of the protocol's form without JSON-RPC.
    fn ask_rest(&self, token: &str, method: &str, path: &str, given: &Value) -> Answered {
        let method = method.parse().expect("a method");
        let request = self.owner.client.request(method, format!("{}{}/{path}", self.owner.base, self.path));
        let request = request.header("accept-language", "en").header("a2a-version", "1.0").bearer_auth(token);
        self.answered(if given.is_null() { request } else { request.json(given) })
    }

    fn answered(&self, request: reqwest::blocking::RequestBuilder) -> Answered {
        let response = request.send().expect("an answer");
        let status = response.status().as_u16();
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        let is_stream = self.via == "a2a" && kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        let text = match is_stream {
            // The task as it stands, which comes when the use cases have been carried out.
            true => {
                let mut lines = BufReader::new(response).lines().map_while(Result::ok);
                lines.find(|line| line.starts_with("data:")).expect("a first event")
            }
            false => response.text().expect("a body"),
        };
        Answered { status, text }
    }

    fn token(&self, scope: Scope) -> String {
        let made = self.owner.rest("POST", "/tokens", json!({ "name": "walk", "scope": scope }));
        made["token"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    }

    fn meeting(&self, about: About) -> String {
        match about {
            About::Draft => self.draft(json!({})),
            About::WaitingRoom => self.waiting_room(),
        }
    }

    fn draft(&self, more: Value) -> String {
        let mut request = json!({ "topic": "Is it?", "simulate": true });
        request.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        let made = self.owner.rest("POST", "/meetings", request);
        made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    }

    /// A room in which nothing new was said for a round.
    fn waiting_room(&self) -> String {
        let rules = json!({ "limits": { "rounds_alone": 1, "max_rounds": 5 } });
        let room = self.draft(json!({ "format": "room", "rules": rules, "seed": 3 }));
        self.owner.rest("POST", &format!("/meetings/{room}/start"), Value::Null);
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let shown = self.owner.rest("GET", &format!("/meetings/{room}"), Value::Null);
            if shown["pause"]["reason"] == "nothing_new" {
                return room;
            }
            assert!(Instant::now() < until, "it does not rest: {shown}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The entries that this endpoint has left since the last look, oldest first: action and status.
    fn noted(&self) -> Vec<(String, u64)> {
        let (last, mark) = (self.looked.get(), self.looked.get() + 1);
        self.looked.set(mark);
        // What is written after an entry stands after it.
        _ = self.owner.client.delete(self.mark(mark)).bearer_auth(&self.owner.token).send();
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let page = self.owner.rest("GET", "/audit?limit=200", Value::Null);
            let items = page["items"].as_array().cloned().unwrap_or_default();
            let is_mark = |item: &Value, mark: u32| item["detail"]["name"] == format!("mark-{mark}");
            if items.iter().any(|item| is_mark(item, mark)) {
                let since = items.iter().take_while(|item| !is_mark(item, last));
                let mut noted: Vec<_> = since
                    .filter(|item| item["detail"]["via"] == self.via)
                    .inspect(|item| assert_eq!(item["by"], "user:owner", "{item}"))
                    .map(|item| {
                        let action = item["action"].as_str().unwrap_or_default().to_owned();
                        (action, item["detail"]["status"].as_u64().unwrap_or_default())
                    })
                    .collect();
                noted.reverse();
                return noted;
            }
            assert!(Instant::now() < until, "the audit log is not written");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn mark(&self, mark: u32) -> String {
        format!("{}/api/v1/agents/mark-{mark}", self.owner.base)
    }

    /// Asks for each line with each scope, compares what came of it with the table of use cases, and gives the differences.
    fn differences(&self, lines: &[Line]) -> Vec<String> {
        _ = self.noted();
        let mut wrong = Vec::new();
        for scope in [Scope::Read, Scope::Speak, Scope::Manage] {
            let token = self.token(scope);
            for line in lines {
                let meeting = self.meeting(line.about);
                let answer = self.ask(&token, line, &meeting);
                let noted = self.noted();
                let case = format!("{} with {}: {} {noted:?}", line.name, scope.as_str(), answer.text);
                let may = |use_case: UseCase| {
                    use_case.definition().permission.scope().is_none_or(|needed| scope >= needed)
                };
                let (mut expected, mut refused) = (Vec::new(), false);
                for use_case in line.first.iter().chain(line.then) {
                    if use_case.definition().audited {
                        expected.push((use_case.definition().action, !may(*use_case)));
                    }
                    if !may(*use_case) {
                        refused = true;
                        break;
                    }
                }
                if answer.is_refused() != refused {
                    wrong.push(format!("{case}: refused should be {refused}"));
                }
                let fits = noted.len() == expected.len()
                    && noted.iter().zip(&expected).all(|((action, status), (wanted, is_refused))| {
                        action == wanted && (!is_refused || *status == 403)
                    });
                if !fits {
                    wrong.push(format!("{case}: the entries should be {expected:?}"));
                }
            }
        }
        wrong
    }

    fn walk(&self, lines: &[Line]) {
        let wrong = self.differences(lines);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// Makes sure that a line which names another use case is found.
    fn find_planted(&self, planted: &[Line]) {
        for line in planted {
            let wrong = self.differences(std::slice::from_ref(line));
            assert!(!wrong.is_empty(), "{} is not found", line.name);
        }
    }

    /// Calls until the token is beyond its limit; then every line is refused, and so is the HTTP API.
    fn walk_beyond_limit(&self, lines: &[Line]) {
        let limits = json!({ "limits": { "requests_per_minute": 60 } });
        let set = self.owner.rest("PATCH", "/settings", limits);
        assert_eq!(set["limits"]["requests_per_minute"], 60, "{set}");
        let (token, meeting) = (self.token(Scope::Read), self.meeting(About::Draft));
        let is_beyond =
            lines.iter().cycle().take(100).any(|line| self.ask(&token, line, &meeting).is_too_many());
        assert!(is_beyond, "there is a limit");
        for line in lines {
            let answer = self.ask(&token, line, &meeting);
            assert!(answer.is_too_many(), "{}: {} {}", line.name, answer.status, answer.text);
        }
        let me = Mcp { base: self.owner.base.clone(), token, client: self.owner.client.clone() };
        let shown = me.rest("GET", &format!("/meetings/{meeting}"), Value::Null);
        let status = shown["status"].as_u64();
        assert_eq!(status, Some(429), "one credential has one limit: {shown}");
    }
}

#[test]
fn each_tool_needs_and_leaves_what_its_use_case_does() {
    let app = App::new();
    let (server, base) = started(&app);
    let endpoint = Endpoint::of(owner(&app, &base), "/mcp", "mcp");
    let offered = endpoint.owner.ask("tools/list", json!({}));
    let offered = offered["tools"].as_array().into_iter().flatten();
    let offered: BTreeSet<&str> = offered.filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(offered, TOOLS.iter().map(|line| line.name).collect(), "each tool has a line here");
    endpoint.walk(&TOOLS);
    endpoint.find_planted(&[
        line("list_meetings", UseCase::CreateMeeting, |_| json!({})),
        line("end_meeting", UseCase::ResumeMeeting, |id| json!({ "meeting": id })),
        line("start_meeting", UseCase::ShowMeeting, |id| json!({ "meeting": id })),
    ]);
    endpoint.walk_beyond_limit(&TOOLS);
    server.kill();
}

#[test]
fn each_method_between_agents_needs_and_leaves_what_its_use_case_does() {
    let app = App::new();
    let (server, base) = started(&app);
    let endpoint = Endpoint::of(owner(&app, &base), "/a2a/discussion", "a2a");
    let offered: BTreeSet<&str> = quorate_a2a::method_names().collect();
    assert_eq!(offered, METHODS.iter().map(|line| line.name).collect(), "each method has a line here");
    endpoint.walk(&METHODS);
    endpoint.walk(&REST);
    endpoint.find_planted(&[
        line("tasks/cancel", UseCase::ShowMeeting, |id| json!({ "id": id })),
        line("POST tasks/ID:cancel", UseCase::ShowMeeting, |_| json!({})),
        line("GET tasks", UseCase::EndMeeting, |_| Value::Null),
    ]);
    let offered: Vec<Line> = REST.into_iter().chain(METHODS).filter(|line| line.first.is_some()).collect();
    endpoint.walk_beyond_limit(&offered);
    server.kill();
}
