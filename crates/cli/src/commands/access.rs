//! Access to the server, from the terminal: accounts, tokens, and who did what.

use std::process::ExitCode;

use quorate_app::{
    Account, AuditFilter, IdentityError, NewAccountRequest, NewTokenRequest, Scope, ServiceError, Session,
    Token, check_new_password,
};
use quorate_contract::{MeetingId, Timestamp, clean};
use quorate_messages::text;
use reqwest::Method;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::print;
use crate::args::{
    AccountArgs, AccountPasswordArgs, AccountsTask, AddAccountArgs, AddTokenArgs, AuditArgs,
    ListAccountsArgs, ListTokensArgs, RemoveTokenArgs, TokensTask,
};
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::password;
use crate::place::Place;
use crate::remote::{Writer, part};

/// Does what was asked about accounts.
pub(crate) async fn accounts(
    place: &Place,
    task: AccountsTask,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    match task {
        AccountsTask::Add(args) => add_account(place, args, speech).await,
        AccountsTask::List(args) => list_accounts(place, args, speech).await,
        AccountsTask::Password(args) => change_password(place, args, speech).await,
        AccountsTask::Remove(args) => remove_account(place, args, speech).await,
    }
}

/// Does what was asked about tokens.
pub(crate) async fn tokens(place: &Place, task: TokensTask, speech: Speech) -> Result<ExitCode, CliError> {
    match task {
        TokensTask::Add(args) => add_token(place, args, speech).await,
        TokensTask::List(args) => list_tokens(place, args, speech).await,
        TokensTask::Remove(args) => remove_token(place, args, speech).await,
    }
}

async fn add_account(place: &Place, args: AddAccountArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let wanted = args.scope.as_deref().map(Scope::of_stored);
    let (name, scope) = store.check_new_account(&args.name, wanted).await.map_err(|error| match error {
        IdentityError::NameTaken { name, is_same: true, .. } => exists(&name, place, speech),
        IdentityError::FirstIsOwner => CliError::usage(
            text!(speech, "cli-access-first-account-has-owners"),
            text!(speech, "cli-access-make-one-scope-owner-first"),
        )
        .with("field", "scope"),
        other => ServiceError::from(other),
    })?;
    let password = chosen(&name, args.password_stdin, speech)?;
    let as_json = match &writer {
        Writer::Here(store) => {
            let request = NewAccountRequest { name: name.clone(), password, scope: Some(scope) };
            account_as_json(&store.create_account(request).await?)
        }
        Writer::Server(server, _) => {
            let body = json!({ "name": name, "scope": scope, "password": password });
            server.ask::<Value>(Method::POST, "/accounts", Some(&body)).await?.to_string()
        }
    };
    match args.json {
        true => print(&as_json),
        false => anstream::eprintln!("{}{name}", text!(speech, "cli-access-account-made")),
    }
    Ok(ExitCode::SUCCESS)
}

async fn list_accounts(place: &Place, args: ListAccountsArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let accounts = match place.has_database() {
        true => place.read()?.accounts().await?,
        false => Vec::new(),
    };
    if accounts.is_empty() && !args.json {
        let text = text!(speech, "cli-access-there-no-account-yet-server");
        anstream::eprintln!("{text}{}", place.command("accounts add owner"));
    }
    let names = accounts.iter().map(|account| account.name.width()).max().unwrap_or(0);
    for account in &accounts {
        let gap = " ".repeat(names - account.name.width());
        print(&match args.json {
            true => account_as_json(account),
            false => format!("{}{gap}  {}", account.name, account.scope),
        });
    }
    Ok(ExitCode::SUCCESS)
}

async fn change_password(
    place: &Place,
    args: AccountPasswordArgs,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let account = store.find_account(&args.name).await.map_err(|error| of_account(error, place, speech))?;
    let password = chosen(&account.name, args.password_stdin, speech)?;
    let ended = match &writer {
        Writer::Here(store) => store.change_password(&account.name, password).await?.sessions_ended,
        Writer::Server(server, store) => {
            let theirs = |session: &Session| !session.guest && session.name == account.name;
            let ended = store.sessions(quorate_app::now()).await?.iter().filter(|one| theirs(one)).count();
            let path = format!("/accounts/{}/password", part(&account.name));
            server.ask::<Value>(Method::PUT, &path, Some(&json!({ "password": password }))).await?;
            ended
        }
    };
    match args.json {
        true => print(&json!({ "account": account.name, "sessions_ended": ended }).to_string()),
        false => anstream::eprintln!(
            "{}",
            text!(speech, "cli-access-has-another-password-sessions-ended", name = %account.name, ended)
        ),
    }
    Ok(ExitCode::SUCCESS)
}

async fn remove_account(place: &Place, args: AccountArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let found = store.find_account(&args.name).await.map_err(|error| of_account(error, place, speech))?;
    match &writer {
        Writer::Here(store) => store.delete_account(&found.name).await?,
        Writer::Server(server, _) => {
            let path = format!("/accounts/{}", part(&found.name));
            server.ask::<Value>(Method::DELETE, &path, None).await?;
        }
    }
    match args.json {
        true => print(&json!({ "account": found.name, "removed": true }).to_string()),
        false => {
            anstream::eprintln!("{}{}", text!(speech, "cli-access-account-gone"), found.name)
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn add_token(place: &Place, args: AddTokenArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let meeting = match &args.meeting {
        Some(id) => Some(store.find(id).await?),
        None => None,
    };
    let request = NewTokenRequest {
        name: args.name,
        scope: Scope::of_stored(&args.scope),
        meeting,
        agent: args.agent,
        expires_in_days: args.days,
        by: args.by,
    };
    let checked = store.check_new_token(&request).await;
    if let Writer::Server(server, _) = &writer {
        let by = checked.map_err(|error| of_token(error, place, speech))?;
        let NewTokenRequest { name, scope, meeting, agent, expires_in_days, .. } = request;
        let body = json!({
            "name": name, "scope": scope, "meeting": meeting, "agent": agent,
            "expires_in_days": expires_in_days, "by": by,
        });
        let made: Value = server.ask(Method::POST, "/tokens", Some(&body)).await?;
        let shown = made["token"].as_str().unwrap_or_default().to_owned();
        return Ok(say_token(made, &shown, args.json, speech));
    }
    // What was mistyped is no attempt. Any other refusal is noted, and told in the words of the terminal.
    let checked = match checked {
        Err(
            mistyped @ (IdentityError::NotFound { .. }
            | IdentityError::TokenForWhom { .. }
            | IdentityError::Invalid { field: "name", .. }),
        ) => return Err(of_token(mistyped, place, speech)),
        other => other,
    };
    let created = match (store.create_token(request).await, checked) {
        (Ok(created), _) => created,
        (Err(_), Err(refused)) => return Err(of_token(refused, place, speech)),
        (Err(error), Ok(_)) => return Err(error),
    };
    Ok(say_token(token_as_json(&created.token), &created.shown, args.json, speech))
}

/// What is wrong with a token that is asked for, in the words of the terminal.
fn of_token(error: IdentityError, place: &Place, speech: Speech) -> CliError {
    match error {
        IdentityError::Invalid { field: "name", .. } => CliError::usage(
            text!(speech, "cli-access-name-has-have-1-100"),
            text!(speech, "cli-access-say-what-token"),
        )
        .with("field", "name"),
        IdentityError::TokenForWhom { owners } => CliError::usage(
            text!(speech, "cli-access-token-for-whom", owners = owners),
            text!(speech, "cli-access-token-for-whom-hint"),
        )
        .with("field", "by"),
        other => of_account(other, place, speech),
    }
}

fn of_account(error: IdentityError, place: &Place, speech: Speech) -> CliError {
    match error {
        IdentityError::NotFound { what: "account", id } => no_account(&id, place, speech),
        other => ServiceError::from(other),
    }
}

fn say_token(mut value: Value, shown: &str, json: bool, speech: Speech) -> ExitCode {
    match json {
        true => {
            value["token"] = shown.into();
            print(&value.to_string());
        }
        false => {
            anstream::eprintln!("{}", text!(speech, "cli-access-token-shown-once-keep-well"));
            print(shown);
        }
    }
    ExitCode::SUCCESS
}

async fn list_tokens(place: &Place, args: ListTokensArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let tokens = match place.has_database() {
        true => place.read()?.tokens().await?,
        false => Vec::new(),
    };
    if tokens.is_empty() && !args.json {
        let text = text!(speech, "cli-access-there-no-token-yet-make");
        anstream::eprintln!("{text}{}", place.command("tokens add NAME"));
    }
    for token in &tokens {
        print(&match args.json {
            true => token_as_json(token).to_string(),
            false => {
                let all = text!(speech, "cli-access-all-meetings");
                let meeting = token.meeting.as_ref().map_or(all, MeetingId::as_str);
                format!("{}  {}…  {:6}  {meeting}  {}", token.id, token.prefix, token.scope, token.name)
            }
        });
    }
    Ok(ExitCode::SUCCESS)
}

async fn remove_token(place: &Place, args: RemoveTokenArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    if !store.tokens().await?.iter().any(|token| token.id == args.id) {
        return Err(CliError::new(
            text!(speech, "cli-access-there-no-token", id = %args.id),
            format!("{}{}", place.command("tokens list"), text!(speech, "cli-access-shows-those-there")),
        )
        .of(ErrorKind::NotFound)
        .with("resource_type", "token")
        .with("resource_id", args.id));
    }
    match &writer {
        Writer::Here(store) => store.revoke_token(&args.id).await?,
        Writer::Server(server, _) => {
            let path = format!("/tokens/{}", part(&args.id));
            server.ask::<Value>(Method::DELETE, &path, None).await?;
        }
    }
    match args.json {
        true => print(&json!({ "token": args.id, "removed": true }).to_string()),
        false => {
            anstream::eprintln!("{}{}", text!(speech, "cli-access-token-taken-back"), args.id)
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Says who did what, when, and from where, the last first.
pub(crate) async fn audit(place: &Place, args: AuditArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let filter = AuditFilter {
        by: args.by,
        action: args.action,
        meeting: args.meeting.map(MeetingId::new),
        from: None,
        before: None,
    };
    let page = place.read()?.audit_page(filter, args.cursor.as_deref(), args.limit).await?;
    if page.items.is_empty() && !args.json {
        anstream::eprintln!("{}", text!(speech, "cli-access-nothing-noted"));
    }
    for entry in &page.items {
        print(&match args.json {
            true => serde_json::to_string(entry).unwrap_or_default(),
            false => {
                let by = if entry.by.is_empty() { "-" } else { &entry.by };
                let meeting = entry.meeting.as_ref().map_or("", MeetingId::as_str);
                let line =
                    [&at(entry.ts_ms), by, &entry.action, meeting, &entry.address, &entry.detail.to_string()]
                        .iter()
                        .filter(|part| !part.is_empty())
                        .map(|part| clean(part))
                        .collect::<Vec<_>>();
                line.join("  ")
            }
        });
    }
    if let (Some(next), false) = (page.next, args.json) {
        anstream::eprintln!("{}--cursor {next}", text!(speech, "cli-access-there-more"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The moment, on the clock of this machine.
pub(super) fn at(moment: Timestamp) -> String {
    let there = jiff::Timestamp::from_millisecond(moment.0).unwrap_or_default();
    there.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A password that is chosen for an account.
fn chosen(name: &str, stdin: bool, speech: Speech) -> Result<String, CliError> {
    let password = password::chosen(stdin, speech)?;
    check_new_password(name, &password).map_err(ServiceError::from)?;
    Ok(password)
}

fn exists(name: &str, place: &Place, speech: Speech) -> CliError {
    CliError::usage(
        text!(speech, "cli-access-there-already-account", %name),
        format!(
            "{}{}",
            text!(speech, "cli-access-choose-another-name-set-another"),
            place.command(&format!("accounts password {name}"))
        ),
    )
    .with("field", "name")
}

fn no_account(name: &str, place: &Place, speech: Speech) -> CliError {
    CliError::new(
        text!(speech, "cli-access-there-no-account", %name),
        format!("{}{}", place.command("accounts list"), text!(speech, "cli-access-shows-those-there-2")),
    )
    .of(ErrorKind::NotFound)
    .with("resource_type", "account")
    .with("resource_id", name)
}

fn account_as_json(account: &Account) -> String {
    let Account { name, scope, created_ms, updated_ms } = account;
    json!({ "name": name, "scope": scope, "created_at": created_ms, "updated_at": updated_ms }).to_string()
}

fn token_as_json(token: &Token) -> serde_json::Value {
    json!({
        "id": token.id, "name": token.name, "by": token.by, "prefix": token.prefix, "scope": token.scope,
        "meeting": token.meeting, "agent": token.agent, "created_at": token.created_ms, "expires_at": token.expires_ms,
        "used_at": token.used_ms,
    })
}
