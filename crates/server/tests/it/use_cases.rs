//! Every use case over REST, WebSocket and the command line: permission, limit, idempotency key, audit line, and what is
//! shown are the same. MCP and A2A are walked where they are wired: `cli/tests/it/protocol_use_cases.rs`.

use futures::{SinkExt, StreamExt};
use quorate_app::{
    AgentRequest, Credential, LocalDatabase, NewAccountRequest, NewTokenRequest, Permission, Scope,
    Transport, UseCase, UseCaseDefinition,
};
use quorate_contract::{Actor, Command, ContractVersion, Language, MeetingId};
use quorate_server::{AccessOptions, LimitOptions, ROUTES};
use quorate_store::{AuditEntry, AuditFilter};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::access::generous;
use crate::access_server::App;

/// The transports that carry a use case beside REST, which carries all of them. A use case that is not listed
/// does not compile.
fn carried_by(use_case: UseCase) -> &'static [Transport] {
    use Transport::{CommandLine, WebSocket};
    use UseCase::*;
    match use_case {
        Say | RequestSpeaker | PauseMeeting | ResumeMeeting | EndMeeting | Arrive | Depart => {
            &[WebSocket, CommandLine]
        }
        FollowEvents | ReadContext | ListTurns => &[WebSocket],
        CreateMeeting | ForkMeeting | DeleteMeeting | Import | StartMeeting | AdvanceMeeting
        | ChangeMeeting | ChangeRules | AddParticipant | ChangeParticipant | RemoveParticipant
        | AddAgendaItem | ChangeAgendaItem | RemoveAgendaItem | WriteMinutes | EditMinutes
        | WriteArtifact | PermitAction | AttachFile | CreateAccount | DeleteAccount | ChangePassword
        | CreateToken | RevokeToken | CreateResultLink | RevokeResultLink | CreateAgent | ChangeAgent
        | DeleteAgent | ReplaceProvider | UpdateProvider | DeleteProvider | RotateKeys | Export | WhatIf
        | TestAgent | TestProvider | Verify | Backup | Restore | Doctor => &[CommandLine],
        AnswerTurn | SkipTurn => &[WebSocket, Transport::Webhook],
        Health | Readiness | Metrics | Document | DocumentationFront | DocumentationFile | Problems
        | WhoAmI | SignIn | SignInLocally | RenewSession | ListSessions | SignOut | EndSession
        | ListAccounts | ListTokens | PreviewInvitation | JoinByInvitation | EnterByPassword
        | ListInvitations | CreateInvitation | RevokeInvitation | ListGuests | RemoveGuest | ReadAudit
        | ListMeetings | EstimateMeeting | ShowMeeting | ShowRules | ListMessages | ShowMessage
        | ListParticipants | ShowParticipant | ListAgenda | ListBallots | ShowBallot | ListVotes
        | ShowMinutes | CompareMinutes | ListMinutesVersions | ShowMinutesVersion | ListArtifacts
        | ShowArtifact | ShowArtifactVersion | ListEvaluations | ShowUsage | ShowReport | ReadLog
        | ListClaims | ShowHealth | ShowDiagnostics | ListFiles | ReadFile | RemoveFile | Search
        | ListAgents | ShowAgent | ListProviders | ListProviderPresets | ListModels | ListTemplates
        | CreateTemplate | ShowTemplate | ChangeTemplate | DeleteTemplate | ShowSettings | ChangeSettings
        | OpenSocket | RegisterAgent | JoinMeeting | LeaveMeeting | CallTool | ShowAgentCard | AskAgent
        | ListPrices | ListWebhooks | CreateWebhook | ShowWebhook | ChangeWebhook | DeleteWebhook
        | RotateWebhookSecret | ListDeliveries | Redeliver | TestWebhook | CallBack | ListPeople
        | Heartbeat | HandOver | ListMentions | MarkMentionsRead | ShowOwnSettings | ChangeOwnSettings
        | ListBackups | ListFormats | ShowSigningKey | ReplaceSigningKey | ListExporters | ListProcesses
        | ListNodes | ListResultLinks | ReadSharedResult => &[],
    }
}

/// A body with which a request can succeed, where one without anything cannot.
fn body(use_case: UseCase) -> Value {
    match use_case {
        UseCase::CreateMeeting => json!({ "topic": "Is it?", "simulate": true }),
        UseCase::Say => json!({ "content": "hello" }),
        UseCase::RequestSpeaker => json!({ "participant": "Ben" }),
        UseCase::HandOver => json!({ "person": "nobody" }),
        UseCase::Heartbeat => json!({ "presence": "online" }),
        _ => json!({}),
    }
}

/// The lines of one action in the audit log, the newest first.
async fn lines(app: &App, action: &str) -> Vec<AuditEntry> {
    app.store.audit_written().await.expect("written");
    let filter = AuditFilter { action: Some(action.to_owned()), ..AuditFilter::default() };
    app.store.audit_page(filter, None, 200).await.expect("a page").items
}

/// A token for programs with this scope.
async fn token(app: &App, owner: &str, scope: &str) -> String {
    app.token(owner, json!({ "name": scope, "scope": scope })).await.text("token")
}

#[test]
fn every_use_case_has_a_route() {
    for use_case in UseCase::ALL {
        // A restoration needs the database for itself, which a server has.
        let has_route = ROUTES.iter().any(|(_, _, known)| known == use_case);
        assert_eq!(has_route, *use_case != UseCase::Restore, "{use_case:?} in access/routes.rs");
        let extra = carried_by(*use_case);
        // What a WebSocket or a command changes is audited like everywhere else.
        let UseCaseDefinition { audited, .. } = use_case.definition();
        let only_reads =
            matches!(use_case, UseCase::FollowEvents | UseCase::ReadContext | UseCase::ListTurns);
        assert!(extra.is_empty() || audited || only_reads, "{use_case:?}");
    }
}

#[tokio::test]
async fn over_rest_each_use_case_is_audited_and_repeated_as_the_table_says() {
    let limits = LimitOptions {
        requests_per_minute: 1_000_000,
        attempts_per_minute: 1_000_000,
        attempts_per_name_per_minute: 1_000_000,
        ..LimitOptions::default()
    };
    let app = App::open(AccessOptions { limits, ..AccessOptions::default() }).await;
    let session = app.owner().await.text("access_token");
    let (owner, reader) = (token(&app, &session, "owner").await, token(&app, &session, "read").await);
    let (mut wrong, mut replayed) = (Vec::new(), Vec::new());
    for (method, path, use_case) in ROUTES {
        let UseCaseDefinition { action, permission, audited, idempotent, .. } = use_case.definition();
        let asked: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        let asked = asked.join("/").replace("/api/v1", "").replacen("/meetings/x", "/meetings/m1", 1);
        let asks: Method = method.parse().expect("a method");
        let sent = (asks != Method::GET && asks != Method::DELETE).then(|| body(*use_case));
        for (name, token) in [("owner", &owner), ("reader", &reader)] {
            app.meeting("m1").await;
            let before = lines(&app, action).await.len();
            let bearer = format!("Bearer {token}");
            let key = format!("{name}-{method}-{}", path.replace(['/', '{', '}'], "-"));
            let headers = [("authorization", bearer.as_str()), ("idempotency-key", key.as_str())];
            let first = app.ask(asks.clone(), &asked, &headers, sent.clone()).await;
            let after = lines(&app, action).await;
            let noted = after.len() - before;
            if noted != usize::from(audited) {
                wrong.push(format!("{use_case:?} as {name} left {noted} lines"));
            }
            if let (true, Some(line)) = (audited, after.first()) {
                let detail = (line.detail["via"].as_str(), line.detail["status"].as_u64());
                if detail != (Some("rest"), Some(u64::from(first.status.as_u16()))) || line.by != "user:owner"
                {
                    wrong.push(format!("{use_case:?} as {name}: {line:?}"));
                }
            }
            let too_little = permission == Permission::Manage || permission == Permission::Owner;
            if name == "reader" && too_little && first.status != StatusCode::FORBIDDEN {
                wrong.push(format!("{use_case:?} as {name}: {}", first.status));
            }
            let second = app.ask(asks.clone(), &asked, &headers, sent.clone()).await;
            let again = second.headers.contains_key("idempotent-replayed");
            if again != (idempotent && first.status.is_success()) {
                wrong.push(format!(
                    "{use_case:?} as {name}: {} then {}, repeated: {again}",
                    first.status, second.status
                ));
            }
            if again && name == "owner" {
                replayed.push(*use_case);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for use_case in [UseCase::CreateMeeting, UseCase::StartMeeting] {
        assert!(replayed.contains(&use_case), "{use_case:?} was done once: {replayed:?}");
    }
}

/// A message over a WebSocket of its own; the answer.
async fn by_socket(app: &App, token: &str, message: &Value) -> Value {
    let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a WebSocket");
    socket.send(Message::text(message.to_string())).await.expect("sent");
    loop {
        if let Message::Text(text) = socket.next().await.expect("an answer").expect("it is there") {
            return serde_json::from_str(&text).expect("JSON");
        }
    }
}

/// The status of an answer over a WebSocket, as HTTP says it.
fn status(answer: &Value) -> u16 {
    match answer["type"].as_str() {
        Some("ack" | "turns" | "context" | "answered") => 200,
        _ => {
            answer["problem"]["status"].as_u64().and_then(|status| status.try_into().ok()).expect("a status")
        }
    }
}

/// The use cases that a WebSocket carries as commands: the message, and the route and body of the same over REST.
const COMMANDS: [(UseCase, &str, &str, &str); 7] = [
    (UseCase::Say, "say", "messages", r#"{"content":"hello"}"#),
    (UseCase::Arrive, "arrive", "people/self", "{}"),
    (UseCase::Depart, "depart", "people/self", "{}"),
    (UseCase::RequestSpeaker, "request_speaker", "speaker", r#"{"participant":"p1"}"#),
    (UseCase::PauseMeeting, "pause", "pause", "{}"),
    (UseCase::ResumeMeeting, "resume", "resume", "{}"),
    (UseCase::EndMeeting, "end", "end", "{}"),
];

/// What else a WebSocket carries of what REST does: the message, and the method, path and body of the same over REST.
const OTHERS: [(UseCase, &str, Method, &str, &str); 4] = [
    (UseCase::ReadContext, r#"{"type":"context","meeting":"ID"}"#, Method::GET, "/meetings/ID/context", ""),
    (UseCase::ListTurns, r#"{"type":"turns","meeting":"ID"}"#, Method::GET, "/turns?meeting=ID", ""),
    (
        UseCase::AnswerTurn,
        r#"{"type":"answer","ticket":"turn_x","text":"Yes."}"#,
        Method::POST,
        "/turns/turn_x/answer",
        r#"{"text":"Yes."}"#,
    ),
    (UseCase::SkipTurn, r#"{"type":"skip","ticket":"turn_x"}"#, Method::POST, "/turns/turn_x/skip", "{}"),
];

/// The same as a command of this machine.
fn command(use_case: UseCase) -> Command {
    let by = Actor::owner();
    match use_case {
        UseCase::Say => Command::Say { by, content: "hello".to_owned() },
        UseCase::Arrive => Command::Arrive { by },
        UseCase::Depart => Command::Depart { by, person: Actor::OWNER.to_owned() },
        UseCase::RequestSpeaker => Command::RequestSpeaker { by, participant: "p1".to_owned() },
        UseCase::PauseMeeting => Command::Pause { by, at_once: false },
        UseCase::ResumeMeeting => {
            Command::Resume { by, token: None, answers: Default::default(), take_defaults: false }
        }
        UseCase::EndMeeting => Command::End { by, note: String::new() },
        other => panic!("{other:?} is no command of a WebSocket"),
    }
}

/// A meeting that was started, and paused after its first turn.
async fn paused(app: &App, owner: &str) -> String {
    let rules = json!({ "limits": { "max_rounds": 3 } });
    let new =
        json!({ "topic": "Is it?", "format": "discussion", "simulate": true, "seed": 7, "rules": rules });
    let id = app.by(owner, Method::POST, "/meetings", Some(new)).await.text("id");
    let rests = app
        .by(owner, Method::POST, &format!("/meetings/{id}/advance"), Some(json!({ "until": "turn" })))
        .await;
    assert_eq!(rests.body["stopped"], "made", "{}", rests.body);
    id
}

#[tokio::test]
async fn what_one_may_over_rest_one_may_over_a_websocket_and_both_leave_the_same_line() {
    for (use_case, ..) in COMMANDS {
        assert!(carried_by(use_case).contains(&Transport::WebSocket), "{use_case:?}");
    }
    let carried = UseCase::ALL.iter().filter(|one| carried_by(**one).contains(&Transport::WebSocket));
    let compared = COMMANDS.len() + OTHERS.len() + 1;
    assert_eq!(
        carried.count(),
        compared,
        "each message of a WebSocket is compared; a test of its own follows events"
    );
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    for scope in ["read", "speak", "manage"] {
        let shown = token(&app, &owner, scope).await;
        for (use_case, kind, route, given) in COMMANDS {
            let action = use_case.definition().action;
            let (rest, socket) = (paused(&app, &owner).await, paused(&app, &owner).await);
            let given: Value = serde_json::from_str(given).expect("JSON");
            let path = format!("/meetings/{rest}/{route}");
            let method = match use_case {
                UseCase::Arrive => Method::PUT,
                UseCase::Depart => Method::DELETE,
                _ => Method::POST,
            };
            let by_rest = app.by(&shown, method, &path, Some(given.clone())).await;
            let mut message = given;
            (message["type"], message["meeting"]) = (json!(kind), json!(socket));
            let over_socket = by_socket(&app, &shown, &message).await;
            let (one, other) = (by_rest.status, status(&over_socket));
            let is_refusal = |status: u16| status == 403 || status == 404;
            assert_eq!(
                is_refusal(one.as_u16()),
                is_refusal(other),
                "{use_case:?} as {scope}: {one} and {other}"
            );
            if !one.is_success() {
                assert_eq!(one.as_u16(), other, "{use_case:?} as {scope}");
            }
            let noted = lines(&app, action).await;
            let [over_socket, by_rest] = [&noted[0], &noted[1]];
            assert_eq!(over_socket.meeting, Some(MeetingId::new(socket.as_str())), "{over_socket:?}");
            assert_eq!(by_rest.meeting, Some(MeetingId::new(rest.as_str())), "{by_rest:?}");
            assert_eq!((&over_socket.by, &over_socket.address), (&by_rest.by, &by_rest.address));
            assert_eq!(
                (&over_socket.detail["via"], &by_rest.detail["via"]),
                (&json!("websocket"), &json!("rest"))
            );
            assert_eq!(
                over_socket.detail["status"].as_u64().map(is_of_success),
                by_rest.detail["status"].as_u64().map(is_of_success)
            );
        }
    }
}

#[tokio::test]
async fn what_is_read_and_answered_over_a_websocket_is_permitted_and_audited_as_over_rest() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let (known, unknown) = (paused(&app, &owner).await, "nowhere".to_owned());
    for scope in ["read", "speak", "manage"] {
        let shown = token(&app, &owner, scope).await;
        for (use_case, message, method, path, sent) in OTHERS {
            assert!(carried_by(use_case).contains(&Transport::WebSocket), "{use_case:?}");
            let UseCaseDefinition { action, audited, .. } = use_case.definition();
            for id in [&known, &unknown] {
                let before = lines(&app, action).await.len();
                let sent = (!sent.is_empty()).then(|| serde_json::from_str(sent).expect("JSON"));
                let by_rest = app.by(&shown, method.clone(), &path.replace("ID", id), sent).await;
                let message = serde_json::from_str(&message.replace("ID", id)).expect("JSON");
                let over_socket = by_socket(&app, &shown, &message).await;
                assert_eq!(
                    by_rest.status.as_u16(),
                    status(&over_socket),
                    "{use_case:?} as {scope}: {over_socket}"
                );
                let noted = lines(&app, action).await;
                assert_eq!(noted.len() - before, if audited { 2 } else { 0 }, "{use_case:?} as {scope}");
                if let (true, [over_socket, by_rest, ..]) = (audited, &noted[..]) {
                    assert_eq!((&over_socket.by, &over_socket.address), (&by_rest.by, &by_rest.address));
                    assert_eq!(
                        over_socket.detail["status"], by_rest.detail["status"],
                        "{use_case:?} as {scope}"
                    );
                    assert_eq!(over_socket.detail["via"], "websocket");
                }
            }
        }
    }
}

fn is_of_success(status: u64) -> bool {
    (200..300).contains(&status)
}

#[tokio::test]
async fn a_command_of_this_machine_leaves_the_line_that_a_request_leaves() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    for (use_case, ..) in COMMANDS {
        assert!(carried_by(use_case).contains(&Transport::CommandLine), "{use_case:?}");
        let id = MeetingId::new(paused(&app, &owner).await);
        let done = app.service.command_here(&id, command(use_case)).await;
        let noted = lines(&app, use_case.definition().action).await;
        let line = &noted[0];
        assert_eq!((line.by.as_str(), line.address.as_str()), ("user:owner", "local"), "{line:?}");
        assert_eq!((line.meeting.as_ref(), &line.detail["via"]), (Some(&id), &json!("command_line")));
        assert_eq!(line.detail["status"].as_u64().map(is_of_success), Some(done.is_ok()), "{done:?}");
    }
}

/// The lines of some actions, the oldest first: the action, and what was done to which thing.
async fn changes(app: &App, since: usize) -> Vec<(String, Value)> {
    app.store.audit_written().await.expect("written");
    let page = app.store.audit_page(AuditFilter::default(), None, 200).await.expect("a page");
    let mut lines: Vec<(String, Value)> = Vec::new();
    for line in page.items.into_iter().rev().skip(since) {
        assert_eq!(line.by, "user:owner", "{line:?}");
        let mut detail = line.detail;
        let fields = detail.as_object_mut().expect("an object");
        fields.remove("via");
        assert!(fields.remove("status").and_then(|status| status.as_u64()).is_some_and(is_of_success));
        // Ids are new each time.
        if fields.contains_key("token") {
            fields.insert("token".to_owned(), json!("…"));
        }
        lines.push((line.action, detail));
    }
    lines
}

#[tokio::test]
async fn what_is_changed_by_commands_of_this_machine_is_noted_as_requests_are() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let count = || async {
        app.store.audit_written().await.expect("written");
        app.store.audit_page(AuditFilter::default(), None, 200).await.expect("a page").items.len()
    };
    let before = count().await;
    let agent =
        json!({ "name": "Zoe", "role": "Keeper", "description": "Keeps.", "temperament": "stubborn" });
    let asked = [
        (Method::POST, "/accounts", json!({ "name": "ada", "scope": "speak", "password": "correct horse" })),
        (Method::PUT, "/accounts/ada/password", json!({ "password": "another horse" })),
        (Method::POST, "/tokens", json!({ "name": "build", "scope": "read", "by": "ada" })),
        (Method::DELETE, "/tokens/TOKEN", Value::Null),
        (Method::DELETE, "/accounts/ada", Value::Null),
        (Method::POST, "/agents", agent.clone()),
        (Method::PATCH, "/agents/Zoe", json!({ "temperament": "agreeable" })),
        (Method::DELETE, "/agents/Zoe", Value::Null),
        (Method::PUT, "/providers/lab", json!({ "base_url": "https://lab.example/v1" })),
        (Method::PATCH, "/providers/lab", json!({ "concurrency": 2 })),
        (Method::POST, "/keys/rotate", Value::Null),
        (Method::DELETE, "/providers/lab", Value::Null),
    ];
    let mut token = String::new();
    for (method, path, given) in asked {
        let path = path.replace("TOKEN", &token);
        let given = Some(given).filter(|given| !given.is_null());
        let done = app.by(&owner, method, &path, given).await;
        assert!(done.status.is_success(), "{path}: {} {}", done.status, done.body);
        if path == "/tokens" {
            token = done.text("id");
        }
    }
    let by_requests = changes(&app, before).await;

    let before = count().await;
    let here = LocalDatabase::from(app.store.clone());
    let account = NewAccountRequest {
        name: "ada".to_owned(),
        password: "correct horse".to_owned(),
        scope: Some(Scope::Speak),
    };
    here.create_account(account).await.expect("done");
    here.change_password("ada", "another horse".to_owned()).await.expect("done");
    let new = NewTokenRequest {
        name: "build".to_owned(),
        scope: Scope::Read,
        meeting: None,
        agent: None,
        expires_in_days: None,
        by: Some("ada".to_owned()),
    };
    let token = here.create_token(new).await.expect("done").token;
    here.revoke_token(&token.id).await.expect("done");
    here.delete_account("ada").await.expect("done");
    let request: AgentRequest = serde_json::from_value(agent).expect("an agent");
    let saved = here.create_agent(request).await.expect("done").agent;
    let change = serde_json::from_value(json!({ "temperament": "agreeable" })).expect("a change");
    here.update_agent(&saved, change).await.expect("done");
    here.delete_agent(&saved).await.expect("done");
    let lab = Credential { base_url: Some("https://lab.example/v1".to_owned()), ..Credential::blank("lab") };
    here.save_provider(lab.clone()).await.expect("done");
    here.save_provider(lab).await.expect("done");
    here.rotate_keys().await.expect("done");
    here.delete_provider("lab").await.expect("done");
    assert_eq!(changes(&app, before).await, by_requests);
}

#[tokio::test]
async fn a_key_is_done_once_over_a_websocket_too() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    for off_record in [false, true] {
        let new = json!({ "topic": "Is it?", "simulate": true, "off_record": off_record });
        let id = app.by(&owner, Method::POST, "/meetings", Some(new)).await.text("id");
        let key = format!("k{off_record}");
        let say = |content: &str| json!({ "type": "say", "meeting": id, "content": content, "idempotency_key": key });
        let (first, second) =
            (by_socket(&app, &owner, &say("hello")).await, by_socket(&app, &owner, &say("hello")).await);
        assert_eq!((status(&first), &first["seq"]), (200, &second["seq"]));
        let other = by_socket(&app, &owner, &say("goodbye")).await;
        assert_eq!(status(&other), 422, "{other}");
        let headers = [("authorization", &*format!("Bearer {owner}")), ("idempotency-key", key.as_str())];
        let path = format!("/meetings/{id}/messages");
        let rest = app.ask(Method::POST, &path, &headers, Some(json!({ "content": "hello" }))).await;
        assert_eq!(rest.sort(), "idempotency-key-reused", "a key is for one request, whichever way it comes");
        let view = app.by(&owner, Method::GET, &format!("/meetings/{id}"), None).await;
        assert_eq!(view.body["messages_total"], 1, "off the record: {off_record}");
    }
}

#[tokio::test]
async fn the_limit_of_running_meetings_holds_over_every_transport() {
    let limits = LimitOptions { running_meetings: 1, ..generous().limits };
    let app = App::open(AccessOptions { limits, ..generous() }).await;
    let owner = app.owner().await.text("access_token");
    let (one, other) = (paused(&app, &owner).await, paused(&app, &owner).await);
    running_for_ever(&app).await;
    let resume = format!("/meetings/{one}/resume");
    let by_rest = app.by(&owner, Method::POST, &resume, Some(json!({}))).await;
    assert_eq!(by_rest.sort(), "too-many-meetings", "{}", by_rest.body);
    let over_socket = by_socket(&app, &owner, &json!({ "type": "resume", "meeting": other })).await;
    assert_eq!(over_socket["problem"]["type"], "/api/v1/problems#too-many-meetings", "{over_socket}");
    let here =
        app.service.command_here(&MeetingId::new(other.as_str()), command(UseCase::ResumeMeeting)).await;
    assert!(here.expect_err("one runs").message().contains("one meeting is already running"));
    // What sets nothing running is still done.
    let said = json!({ "type": "say", "meeting": other, "content": "hello" });
    assert_eq!(status(&by_socket(&app, &owner, &said).await), 200);
}

#[tokio::test]
async fn an_account_has_only_so_many_running_meetings() {
    let limits = LimitOptions { running_meetings_per_account: 1, ..generous().limits };
    let app = App::open(AccessOptions { limits, ..generous() }).await;
    let owner = app.owner().await.text("access_token");
    let other = paused(&app, &owner).await;
    running_for_ever(&app).await;
    let resume = format!("/meetings/{other}/resume");
    let refused = app.by(&owner, Method::POST, &resume, Some(json!({}))).await;
    assert_eq!(refused.sort(), "too-many-meetings-of-account", "{}", refused.body);
    assert_eq!((refused.status.as_u16(), refused.headers.contains_key("retry-after")), (429, true));
    assert!(refused.body["detail"].as_str().is_some_and(|text| text.contains("owner")), "{}", refused.body);
    let none = json!({ "limits": { "running_meetings_per_account": 0 } });
    app.by(&owner, Method::PATCH, "/settings", Some(none)).await;
    let resumed = app.by(&owner, Method::POST, &resume, Some(json!({}))).await;
    assert_eq!(resumed.status.as_u16(), 200, "{}", resumed.body);
}

/// A meeting that the catalogue knows as running, and that no engine has taken up.
async fn running_for_ever(app: &App) {
    use quorate_contract::{Event, EventBody, RunId, Timestamp};
    app.meeting("m1").await;
    let id = MeetingId::new("m1");
    let event = Event {
        version: ContractVersion,
        seq: 3,
        meeting_id: id.clone(),
        run_id: RunId::new("run-1"),
        ts_ms: Timestamp(1001),
        actor: Actor::owner(),
        cause: "test".to_owned(),
        body: EventBody::MeetingStarted { by: Actor::owner(), silence_max_ms: None },
    };
    let record = quorate_engine::Record::of(event);
    quorate_engine::Journal::append(&app.store, id, 2, vec![record]).await.expect("it runs");
}

#[tokio::test]
async fn what_is_shown_of_a_log_is_the_same_over_rest_and_websocket() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let new = json!({ "topic": "Is it?", "format": "brainstorm", "simulate": true, "seed": 7,
        "rules": { "limits": { "max_rounds": 1 } } });
    let id = app.by(&owner, Method::POST, "/meetings", Some(new)).await.text("id");
    let path = format!("/meetings/{id}");
    for _ in 0..20 {
        let on = Some(json!({ "until": "end", "take_defaults": true }));
        let on = app.by(&owner, Method::POST, &format!("{path}/advance"), on).await;
        if on.body["stopped"] == "over" {
            break;
        }
    }
    let reader = token(&app, &owner, "read").await;
    let mut shown = Vec::new();
    for who in [&reader, &owner] {
        let log = app.by(who, Method::GET, &format!("{path}/log?limit=500"), None).await.body;
        let log = log.as_str().expect("lines").lines();
        let log: Vec<Value> = log.map(|line| serde_json::from_str(line).expect("an event")).collect();
        let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
        request.headers_mut().insert("authorization", format!("Bearer {who}").parse().expect("a header"));
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a WebSocket");
        let follow = json!({ "type": "subscribe", "meeting": id }).to_string();
        socket.send(Message::text(follow)).await.expect("sent");
        let mut heard = Vec::new();
        loop {
            let Message::Text(text) = socket.next().await.expect("more").expect("it is there") else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            match message["type"].as_str() {
                Some("event") => heard.push(message["event"].clone()),
                Some("finished") => break,
                _ => {}
            }
        }
        assert!(heard.len() > 10, "{}", heard.len());
        assert_eq!(heard, log);
        shown.push(heard);
    }
    let hidden =
        |events: &[Value]| events.iter().filter(|event| event["payload"]["withheld"] == true).count();
    assert!(hidden(&shown[0]) > 0, "marks are hidden from who only reads");
    assert_eq!(hidden(&shown[1]), 0);
}

#[tokio::test]
async fn what_the_terminal_tells_of_the_database_and_of_the_machine_is_told_over_rest() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let (path, config) = (app.store.path().to_owned(), app.service.config().to_owned());

    let list = app.by(&owner, Method::GET, "/prices?filter=GPT-5-MINI", None).await;
    let here = quorate_app::price_list(&std::collections::BTreeMap::new(), "GPT-5-MINI");
    assert!(!here.items.is_empty());
    assert_eq!(list.body, serde_json::to_value(&here).expect("plain"));

    let report = app.by(&owner, Method::POST, "/verify", Some(json!({}))).await;
    let here =
        LocalDatabase::verify(&path.clone().into(), Language::En, |_| {}).await.expect("it can be read");
    assert_eq!((here.ok, here.meetings), (true, 1));
    assert_eq!(report.body, serde_json::to_value(&here).expect("plain"));

    let sources = quorate_app::Sources { store_source: &app.store, config: &config };
    let speech = quorate_app::Speech(quorate_contract::Language::En);
    let file = quorate_app::CreateMeetingRequest::default();
    let here =
        quorate_app::examine(&path.clone().into(), sources, &file, false, speech).await.expect("findings");
    let headers = [("authorization", &*format!("Bearer {owner}")), ("accept-language", "en")];
    let there = app.ask(Method::POST, "/doctor", &headers, Some(json!({}))).await;
    let there: Vec<quorate_app::DoctorFinding> =
        serde_json::from_value(there.body["items"].clone()).expect("findings");
    let told = |findings: &[quorate_app::DoctorFinding]| -> Vec<_> {
        findings.iter().map(|finding| (finding.what.clone(), finding.health)).collect()
    };
    assert!(here.len() >= 3, "{here:?}");
    assert_eq!(told(&here), told(&there));

    let folder = tempfile::tempdir().expect("a folder");
    let database = LocalDatabase::read_only(&path.clone().into()).expect("it can be read");
    let copied = database.backup(folder.path().join("here.db"), false, |_| {}).await.expect("a copy");
    let archive = app.client.post(format!("{}/api/v1/backup", app.url)).bearer_auth(&owner).send().await;
    let archive = archive.expect("an answer").bytes().await.expect("an archive");
    let to = folder.path().join("there.db");
    let downloaded = quorate_app::unpack_backup(&archive[..], &to, |_| {}).expect("a sound archive");
    assert_eq!((downloaded.meetings, downloaded.events), (copied.meetings, copied.events));
    assert_eq!(copied.meetings, 1);
}

#[tokio::test]
async fn the_limit_of_calls_counts_a_credential_over_all_transports_together() {
    let limits = LimitOptions { requests_per_minute: 60, ..generous().limits };
    let app = App::open(AccessOptions { limits, ..generous() }).await;
    let owner = app.owner().await.text("access_token");
    let new = json!({ "topic": "Is it?", "simulate": true });
    let id = app.by(&owner, Method::POST, "/meetings", Some(new)).await.text("id");
    let (one, other) = (token(&app, &owner, "speak").await, token(&app, &owner, "manage").await);
    let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
    request.headers_mut().insert("authorization", format!("Bearer {one}").parse().expect("a header"));
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a WebSocket");
    let say = json!({ "type": "say", "meeting": id, "content": "hello" }).to_string();
    let mut refused = None;
    for _ in 0..80 {
        socket.send(Message::text(say.clone())).await.expect("sent");
        let Message::Text(text) = socket.next().await.expect("an answer").expect("it is there") else {
            continue;
        };
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        if status(&answer) == 429 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("a message beyond the limit");
    assert!(refused["problem"]["retry_after"].as_u64().is_some_and(|seconds| seconds >= 1), "{refused}");
    let path = format!("/meetings/{id}");
    let mut by_rest = app.by(&one, Method::GET, &path, None).await;
    // Each second allows one call more; on a slow machine that has passed.
    for _ in 0..5 {
        if by_rest.status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        by_rest = app.by(&one, Method::GET, &path, None).await;
    }
    assert_eq!(by_rest.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(app.by(&other, Method::GET, &path, None).await.status, StatusCode::OK, "another token");
    app.service.command_here(&MeetingId::new(id), command(UseCase::Say)).await.expect("no network, no limit");
    let noted = lines(&app, UseCase::Say.definition().action).await;
    assert!(noted.iter().all(|line| line.detail["status"] != 429), "a refused flood fills no log");
}
