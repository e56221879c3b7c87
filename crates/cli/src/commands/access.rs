//! Access to the server, from the terminal: accounts, tokens, and who did what.

use std::process::ExitCode;

use quorate_app::{
    Account, AuditFilter, InBoth, NewToken, Session, Token, check_account_name, check_account_password,
    check_name,
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

const OWNER: &str = "owner";

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
    let accounts = store.accounts().await?;
    let name = check_name("name", &args.name)?;
    if accounts.iter().any(|account| account.name.to_lowercase() == name.to_lowercase()) {
        return Err(exists(&name, place, speech));
    }
    check_account_name("name", &name, accounts.iter().map(|account| account.name.as_str()))?;
    let first = accounts.is_empty();
    let scope = args.scope.unwrap_or_else(|| if first { OWNER } else { "speak" }.to_owned());
    if first && scope != OWNER {
        return Err(CliError::usage(
            text!(speech, "cli-access-first-account-has-owners"),
            text!(speech, "cli-access-make-one-scope-owner-first"),
        )
        .with("field", "scope"));
    }
    let password = chosen(&name, args.password_stdin, speech)?;
    let as_json = match &writer {
        Writer::Here(store) => {
            let created = store.create_account(&name, scope, &password).await?;
            account_as_json(&created.ok_or_else(|| exists(&name, place, speech))?)
        }
        Writer::Server(server, _) => {
            let body = json!({ "name": name, "scope": scope, "password": password });
            server.ask::<Value>(Method::POST, "/accounts", Some(&body)).await?.to_string()
        }
    };
    match args.json {
        true => print(&as_json),
        false => anstream::eprintln!("{} {name}", text!(speech, "cli-access-account-made")),
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
        anstream::eprintln!("{text} {}", place.command("accounts add owner"));
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
    let accounts = store.accounts().await?;
    let is_it = |account: &&Account| account.name.to_lowercase() == args.name.to_lowercase();
    let account = accounts.iter().find(is_it).ok_or_else(|| no_account(&args.name, place, speech))?;
    let password = chosen(&account.name, args.password_stdin, speech)?;
    let ended = match &writer {
        Writer::Here(store) => {
            let ended = store.change_password(&account.name, &password).await?;
            ended.ok_or_else(|| no_account(&args.name, place, speech))?
        }
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
    let accounts = store.accounts().await?;
    let is_it = |account: &&Account| account.name.to_lowercase() == args.name.to_lowercase();
    let found = accounts.iter().find(is_it).ok_or_else(|| no_account(&args.name, place, speech))?;
    match &writer {
        Writer::Here(store) => store.remove_account(&found.name).await?,
        Writer::Server(server, _) => {
            let path = format!("/accounts/{}", part(&found.name));
            server.ask::<Value>(Method::DELETE, &path, None).await?;
        }
    }
    match args.json {
        true => print(&json!({ "account": found.name, "removed": true }).to_string()),
        false => {
            anstream::eprintln!("{} {}", text!(speech, "cli-access-account-gone"), found.name)
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn add_token(place: &Place, args: AddTokenArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let name = clean(&args.name).trim().to_owned();
    if !(1..=100).contains(&name.chars().count()) {
        return Err(CliError::usage(
            text!(speech, "cli-access-name-has-have-1-100"),
            text!(speech, "cli-access-say-what-token"),
        )
        .with("field", "name"));
    }
    let agent = args.agent.as_deref().map(|agent| check_name("agent", agent)).transpose()?;
    let by = args.by.as_deref().map(|by| check_name("by", by)).transpose()?;
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let accounts = store.accounts().await?;
    let by = acts_for(by, &accounts, place, speech)?;
    let meeting = match &args.meeting {
        Some(id) => Some(store.find(id).await?),
        None => None,
    };
    if let Writer::Server(server, _) = &writer {
        let body = json!({
            "name": name, "scope": args.scope, "meeting": meeting, "agent": agent, "expires_in_days": args.days, "by": by,
        });
        let made: Value = server.ask(Method::POST, "/tokens", Some(&body)).await?;
        let shown = made["token"].as_str().unwrap_or_default().to_owned();
        return Ok(say_token(made, &shown, args.json, speech));
    }
    let new = NewToken { name, by, scope: args.scope, meeting, agent, days: args.days };
    let (token, shown) = store.create_token(new).await?;
    Ok(say_token(token_as_json(&token), &shown, args.json, speech))
}

/// The account that a token acts for: the one that is named; otherwise the owner's, when it is plain which that is.
fn acts_for(
    named: Option<String>,
    accounts: &[Account],
    place: &Place,
    speech: Speech,
) -> Result<String, CliError> {
    let is_named =
        |name: &str| accounts.iter().any(|account| account.name.to_lowercase() == name.to_lowercase());
    match named {
        Some(name) if is_named(&name) || (accounts.is_empty() && name == OWNER) => return Ok(name),
        Some(name) => return Err(no_account(&name, place, speech)),
        None if accounts.is_empty() => return Ok(OWNER.to_owned()),
        None => {}
    }
    let owners = accounts.iter().filter(|account| account.scope == OWNER);
    let owners: Vec<&str> = owners.map(|account| account.name.as_str()).collect();
    match (owners.as_slice(), owners.iter().find(|name| **name == OWNER)) {
        ([only], _) => Ok((*only).to_owned()),
        (_, Some(owner)) => Ok((*owner).to_owned()),
        (several, None) => Err(CliError::usage(
            text!(speech, "cli-access-token-for-whom", owners = several),
            text!(speech, "cli-access-token-for-whom-hint"),
        )
        .with("field", "by")),
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
        anstream::eprintln!("{text} {}", place.command("tokens add NAME"));
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
            text!(speech, "cli-access-there-no-token", id = ?args.id),
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
            anstream::eprintln!("{} {}", text!(speech, "cli-access-token-taken-back"), args.id)
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
        anstream::eprintln!("{} --cursor {next}", text!(speech, "cli-access-there-more"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The moment, on the clock of this machine.
fn at(moment: Timestamp) -> String {
    let there = jiff::Timestamp::from_millisecond(moment.0).unwrap_or_default();
    there.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A password that is chosen for an account.
fn chosen(name: &str, stdin: bool, speech: Speech) -> Result<String, CliError> {
    let password = password::chosen(stdin, speech)?;
    check_account_password(name, &password).map_err(|error| {
        let (problem, hint) = error.in_both();
        CliError::usage(problem, hint).with("field", "password")
    })?;
    Ok(password)
}

fn exists(name: &str, place: &Place, speech: Speech) -> CliError {
    CliError::usage(
        text!(speech, "cli-access-there-already-account", ?name),
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
        text!(speech, "cli-access-there-no-account", ?name),
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
