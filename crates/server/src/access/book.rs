//! Who may come in, and who is in: in memory, as it is in the store.
//!
//! The server is the database's one writer, so what is kept here in memory is what is there. A change is
//! first written and then known; whoever is taken out is out with the next request.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use axum::http::{HeaderMap, StatusCode, header};
use ipnet::IpNet;
use quorate_core::{MeetingId, Moment, Wording};
use quorate_engine::{Clock, SystemClock};
use quorate_service::InBoth;
use quorate_store::{
    Account, Renewal, Session, SqliteStore, Token, check_account_password, fingerprint, hash_password,
    is_password, new_secret,
};
use tokio::sync::{Semaphore, watch};

use super::client::{self, Client};
use super::options::{AccessError, AccessOptions};
use super::origin::{Origins, is_loopback};
use super::signer::Signer;
use super::{Principal, Scope, cookies};
use crate::limits::{LimitOptions, Limits};
use crate::problem::Problem;

/// How tokens of programs begin.
pub(crate) const TOKEN_PREFIX: &str = "qt_";
/// How many passwords are hashed at once: each takes 19 MiB and a processor.
const HASHED_AT_ONCE: usize = 2;
/// How often it is noted at most that a token was used.
const NOTE_USE_MS: u64 = 5 * 60 * 1000;
/// A name that only the person at this machine has.
const OWNER: &str = "owner";

/// What is compared where there is no account of the name: it takes as long, and tells nothing.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash_password("nobody has this").unwrap_or_default());

/// Who may come in. Cheap to clone.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    store: SqliteStore,
    options: AccessOptions,
    signer: Signer,
    origins: Origins,
    proxies: Vec<IpNet>,
    limits: RwLock<Arc<Limits>>,
    /// Whether it can be reached from this machine alone.
    loopback: bool,
    known: RwLock<Known>,
    /// Moves whenever somebody who was in may be out.
    departures: watch::Sender<()>,
    hashing: Semaphore,
}

#[derive(Default)]
struct Known {
    /// By name in small letters.
    accounts: HashMap<String, Account>,
    sessions: HashMap<String, Session>,
    /// By fingerprint.
    tokens: HashMap<[u8; 32], Token>,
}

/// What somebody was let in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Credential {
    /// Being at this machine.
    Alone,
    /// A session: its id.
    Session(String),
    /// A token: its id, and the fingerprint under which it is known.
    Token(String, [u8; 32]),
}

impl Credential {
    /// Under which name their requests and lines are counted.
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Alone => "",
            Self::Session(id) | Self::Token(id, _) => id,
        }
    }
}

/// A session that was begun or renewed.
pub(crate) struct Issued {
    pub(crate) session: Session,
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Access {
    /// On this machine alone, with no account: nobody has to sign in.
    pub fn alone(store: SqliteStore) -> Self {
        let mut secret = [0; 32];
        // A secret that nobody else can know; without one nothing is signed that anybody would take.
        let signable = getrandom::fill(&mut secret).is_ok();
        debug_assert!(signable, "this machine gives random numbers");
        Self(Arc::new(Inner {
            store,
            signer: Signer::new(&secret),
            origins: Origins::default(),
            proxies: Vec::new(),
            limits: RwLock::new(Arc::new(Limits::new(LimitOptions::default()))),
            loopback: true,
            known: RwLock::default(),
            departures: watch::Sender::new(()),
            hashing: Semaphore::new(HASHED_AT_ONCE),
            options: AccessOptions::default(),
        }))
    }

    /// As the options and the accounts say. `address` is where the server listens; `owner_password` makes the
    /// account `owner`, or changes its password, where nobody can type one.
    ///
    /// # Errors
    /// When the server could be reached from elsewhere and there is no account that may do everything; when
    /// an option is not right, or the store does not do its part.
    pub async fn open(
        store: SqliteStore,
        options: AccessOptions,
        address: IpAddr,
        owner_password: Option<&str>,
    ) -> Result<Self, AccessError> {
        let origins = Origins::of(&options)?;
        let proxies = client::networks(&options.trust_proxy)?;
        if let Some(password) = owner_password.filter(|password| !password.is_empty()) {
            keep_owner(&store, password).await?;
        }
        let accounts = store.accounts().await?;
        let loopback = address.to_canonical().is_loopback();
        let outside = reached_from_outside(&options, loopback);
        if let Some(what) = outside.clone()
            && !accounts.iter().any(|account| scope_of(&account.scope) == Scope::Owner)
        {
            return Err(AccessError::NoOwner { what });
        }
        let secret = store.signing_secret().await?;
        let now = SystemClock.now();
        let sessions = store.sessions(now).await?;
        let tokens = store.tokens().await?;
        let known = Known {
            accounts: accounts.into_iter().map(|account| (account.name.to_lowercase(), account)).collect(),
            sessions: sessions.into_iter().map(|session| (session.id.clone(), session)).collect(),
            tokens: tokens.into_iter().map(|token| (token.hash, token)).collect(),
        };
        // Made before anybody can measure how long it takes.
        _ = tokio::task::spawn_blocking(|| LazyLock::force(&NOBODY).len()).await;
        Ok(Self(Arc::new(Inner {
            store,
            signer: Signer::new(&secret),
            origins,
            proxies,
            limits: RwLock::new(Arc::new(Limits::new(options.limits.clone()))),
            loopback: outside.is_none(),
            known: RwLock::new(known),
            departures: watch::Sender::new(()),
            hashing: Semaphore::new(HASHED_AT_ONCE),
            options,
        })))
    }

    /// Whether nobody has to sign in.
    pub fn is_alone(&self) -> bool {
        self.0.loopback && self.known(|known| known.accounts.is_empty())
    }

    /// How the door is set.
    pub fn options(&self) -> &AccessOptions {
        &self.0.options
    }

    pub(crate) fn limits(&self) -> Arc<Limits> {
        self.0.limits.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on these limits hold.
    pub(crate) fn set_limits(&self, options: LimitOptions) {
        let mut limits = self.0.limits.write().unwrap_or_else(PoisonError::into_inner);
        *limits = Arc::new(limits.otherwise(options));
    }

    pub(crate) fn origins(&self) -> &Origins {
        &self.0.origins
    }

    /// From where a request comes.
    pub(crate) fn client(&self, parts: &axum::http::request::Parts) -> Client {
        client::client(parts, &self.0.proxies)
    }

    /// Who shows what a request carries; nobody when it carries nothing that is good.
    ///
    /// # Errors
    /// When it carries a token that is not good any more: whoever sends one wants to be that one.
    pub(crate) fn identify(&self, headers: &HeaderMap) -> Result<Option<(Principal, Credential)>, Problem> {
        if let Some(shown) = headers.get(header::AUTHORIZATION) {
            let shown = shown.to_str().unwrap_or_default();
            let token = shown.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let token = token.map(|(_, token)| token.trim()).unwrap_or_default();
            return self.by_token(token).map(Some).ok_or_else(|| {
                sign_in(("the token is not known, or its time is over", "令牌未知或已过期")).hint((
                    "renew it at /api/v1/sessions/refresh, sign in again, or ask for a new one",
                    "在 /api/v1/sessions/refresh 续期、重新登录，或索取新的令牌",
                ))
            });
        }
        let by_cookie = cookies::read(headers, cookies::ACCESS).and_then(|token| self.by_session(&token));
        Ok(by_cookie.or_else(|| self.is_alone().then(|| (Principal::alone(), Credential::Alone))))
    }

    /// Who shows a token, of either sort; for a WebSocket, whose first message may hold one.
    pub(crate) fn by_token(&self, token: &str) -> Option<(Principal, Credential)> {
        if !token.starts_with(TOKEN_PREFIX) {
            return self.by_session(token);
        }
        let (hash, now) = (fingerprint(token), SystemClock.now());
        let good = |token: &&Token| token.expires_ms.is_none_or(|end| end > now);
        let token = self.known(|known| known.tokens.get(&hash).filter(good).cloned())?;
        if token.used_ms.is_none_or(|used| now.since_ms(used) >= NOTE_USE_MS) {
            self.note_use(&token, now);
        }
        let (name, scope, meeting) = (token.by, scope_of(&token.scope), token.meeting);
        Some((Principal { name, scope, meeting }, Credential::Token(token.id, hash)))
    }

    fn by_session(&self, token: &str) -> Option<(Principal, Credential)> {
        let now = SystemClock.now();
        let id = self.0.signer.session(token, now)?;
        let session =
            self.known(|known| known.sessions.get(&id).filter(|it| it.expires_ms > now).cloned())?;
        let (name, scope, meeting) = (session.name, scope_of(&session.scope), session.meeting);
        Some((Principal { name, scope, meeting }, Credential::Session(id)))
    }

    /// Whether somebody who was let in still is.
    pub(crate) fn is_in(&self, credential: &Credential) -> bool {
        let now = SystemClock.now();
        match credential {
            Credential::Alone => self.is_alone(),
            Credential::Session(id) => {
                self.known(|known| known.sessions.get(id).is_some_and(|session| session.expires_ms > now))
            }
            Credential::Token(_, hash) => self.known(|known| {
                known.tokens.get(hash).is_some_and(|token| token.expires_ms.is_none_or(|end| end > now))
            }),
        }
    }

    /// Comes back when somebody who was let in is out: signed out, sent away, their token taken back. Whose time
    /// is over is out when this is asked anew.
    pub(crate) async fn out(&self, credential: &Credential) {
        let mut departures = self.0.departures.subscribe();
        while self.is_in(credential) {
            // The sender lies in here, so it is there as long as this.
            _ = departures.changed().await;
        }
    }

    fn note_use(&self, token: &Token, now: Moment) {
        self.know(|known| {
            if let Some(token) = known.tokens.get_mut(&token.hash) {
                token.used_ms = Some(now);
            }
        });
        let (store, id) = (self.0.store.clone(), token.id.clone());
        tokio::spawn(async move {
            if let Err(error) = store.token_used(&id, now).await {
                tracing::warn!(%error, "it could not be noted that a token was used");
            }
        });
    }

    /// The session of an account, for the right password. An unknown name takes as long as a wrong password,
    /// and is refused in the same words.
    pub(crate) async fn sign_in(
        &self,
        name: &str,
        password: String,
        client: &Client,
        agent: String,
    ) -> Result<Issued, Problem> {
        self.limits().attempt(client.address, &format!("account {name}"))?;
        let found = self.0.store.account_password(name).await?;
        let kept = found.as_ref().map(|(_, kept)| kept.clone());
        match (self.is_right(password, kept).await?, found) {
            (true, Some((account, _))) => self.begin(account.name, None, &account.scope, client, agent).await,
            (true | false, _) => Err(Problem::new(
                StatusCode::UNAUTHORIZED,
                "wrong-password",
                ("there is no account of this name with this password", "没有这个名字和密码的账户"),
            )
            .hint((
                "`quorate accounts list` shows the names, `quorate accounts password NAME` sets another one",
                "quorate accounts list 列出名字，quorate accounts password 名字 可以另设密码",
            ))),
        }
    }

    /// Whether a password is the one of which `kept` was made. Takes its time in any case.
    pub(crate) async fn is_right(&self, password: String, kept: Option<String>) -> Result<bool, Problem> {
        let _permit = self.0.hashing.acquire().await;
        let compare = move || {
            let known = kept.is_some();
            let kept = kept.unwrap_or_else(|| NOBODY.clone());
            is_password(&password, &kept).map(|right| right && known)
        };
        let compared = tokio::task::spawn_blocking(compare).await.ok().flatten();
        compared.ok_or_else(|| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "damaged",
                ("what is kept of the password cannot be read", "保存的密码无法读取"),
            )
            .hint((
                "set another password in the terminal, or restore a backup of the database",
                "在终端另设密码，或用备份恢复数据库",
            ))
        })
    }

    /// What is kept of a password.
    pub(crate) async fn hashed(&self, password: String) -> Result<String, Problem> {
        let _permit = self.0.hashing.acquire().await;
        let hashed = tokio::task::spawn_blocking(move || hash_password(&password)).await;
        match hashed {
            Ok(Ok(hash)) => Ok(hash),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => {
                let (status, detail) =
                    (StatusCode::SERVICE_UNAVAILABLE, ("the server stops", "服务正在停止"));
                let hint = ("try again when it is there again", "等它恢复后再试");
                Err(Problem::new(status, "stopping", detail).hint(hint).retry_after(5))
            }
        }
    }

    /// Begins a session: of an account, or of a guest at one meeting.
    pub(crate) async fn begin(
        &self,
        name: String,
        meeting: Option<MeetingId>,
        scope: &str,
        client: &Client,
        agent: String,
    ) -> Result<Issued, Problem> {
        let now = SystemClock.now();
        let refresh = secret("qr_", 32)?;
        let session = Session {
            id: secret("", 16)?,
            name: name.clone(),
            guest: meeting.is_some(),
            scope: scope.to_owned(),
            meeting,
            agent,
            address: client.address.to_string(),
            created_ms: now,
            used_ms: now,
            expires_ms: self.session_end(now),
        };
        if !self.0.store.begin_session(session.clone(), fingerprint(&refresh)).await? {
            let detail = (format!("{name} is at this meeting already"), format!("{name} 已在这场会议中"));
            return Err(Problem::new(StatusCode::CONFLICT, "name-taken", detail.clone())
                .hint(("choose another name", "换一个名字"))
                .field("name", detail));
        }
        self.know(|known| {
            known.sessions.retain(|_, session| session.expires_ms > now);
            known.sessions.insert(session.id.clone(), session.clone());
        });
        self.issued(session, refresh, now)
    }

    /// Goes on with a session; the refresh token that is shown is then used up.
    pub(crate) async fn renew(&self, shown: &str) -> Result<Issued, Problem> {
        let now = SystemClock.now();
        let next = secret("qr_", 32)?;
        let (old, new) = (fingerprint(shown), fingerprint(&next));
        let grace = self.0.options.refresh_grace_ms;
        let over = || sign_in(("the session is over", "会话已结束")).hint(("sign in again", "请重新登录"));
        match self.0.store.renew_session(old, new, now, self.session_end(now), grace).await? {
            Renewal::Renewed(session) => {
                self.know(|known| known.sessions.insert(session.id.clone(), session.clone()));
                self.issued(session, next, now)
            }
            Renewal::Stolen(id) => {
                tracing::warn!(session = %id, "a refresh token was used twice; its session was ended");
                self.know_out(|known| known.sessions.remove(&id));
                Err(over())
            }
            Renewal::Unknown => Err(over()),
        }
    }

    fn issued(&self, session: Session, refresh: String, now: Moment) -> Result<Issued, Problem> {
        let end = now.plus_ms(u64::from(self.0.options.access_seconds) * 1000);
        match self.0.signer.sign(&session.id, end) {
            Some(access) => Ok(Issued { session, access, refresh }),
            None => Err(no_dice(("the session cannot be signed", "会话无法签名"))),
        }
    }

    fn session_end(&self, now: Moment) -> Moment {
        now.plus_ms(u64::from(self.0.options.session_days) * 24 * 60 * 60 * 1000)
    }

    /// Ends a session at once; `false` when there is none.
    pub(crate) async fn end(&self, session: &str) -> Result<bool, Problem> {
        let ended = self.0.store.end_session(session).await?;
        self.know_out(|known| known.sessions.remove(session));
        Ok(ended)
    }

    /// All who are in, newest first.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        let now = SystemClock.now();
        let mut sessions: Vec<Session> =
            self.known(|known| known.sessions.values().filter(|it| it.expires_ms > now).cloned().collect());
        sessions.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        sessions
    }

    /// All tokens, newest first.
    pub(crate) fn tokens(&self) -> Vec<Token> {
        let mut tokens: Vec<Token> = self.known(|known| known.tokens.values().cloned().collect());
        tokens.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        tokens
    }

    pub(crate) async fn add_token(&self, token: Token) -> Result<(), Problem> {
        self.0.store.add_token(token.clone()).await?;
        self.know(|known| known.tokens.insert(token.hash, token));
        Ok(())
    }

    pub(crate) async fn remove_token(&self, id: &str) -> Result<bool, Problem> {
        let removed = self.0.store.remove_token(id).await?;
        self.know_out(|known| known.tokens.retain(|_, token| token.id != id));
        Ok(removed)
    }

    /// All accounts, by name.
    pub(crate) fn accounts(&self) -> Vec<Account> {
        let mut accounts: Vec<Account> = self.known(|known| known.accounts.values().cloned().collect());
        accounts.sort_by(|a, b| a.name.cmp(&b.name));
        accounts
    }

    pub(crate) async fn add_account(&self, account: Account, hash: String) -> Result<bool, Problem> {
        let added = self.0.store.add_account(account.clone(), hash).await?;
        if added {
            // Whoever was in because nobody had to sign in is out.
            self.know_out(|known| known.accounts.insert(account.name.to_lowercase(), account));
        }
        Ok(added)
    }

    /// Another password; ends the account's sessions.
    pub(crate) async fn change_password(&self, name: &str, hash: String) -> Result<bool, Problem> {
        let now = SystemClock.now();
        let Some(ended) = self.0.store.change_account_password(name, hash, now).await? else {
            return Ok(false);
        };
        self.know_out(|known| {
            known.sessions.retain(|id, _| !ended.contains(id));
            if let Some(account) = known.accounts.get_mut(&name.to_lowercase()) {
                account.updated_ms = now;
            }
        });
        Ok(true)
    }

    /// Takes an account away, with its sessions and tokens.
    pub(crate) async fn remove_account(&self, name: &str) -> Result<bool, Problem> {
        let removed = self.0.store.remove_account(name).await?;
        let own = name.to_lowercase();
        self.know_out(|known| {
            known.accounts.remove(&own);
            known.sessions.retain(|_, session| session.guest || session.name.to_lowercase() != own);
            known.tokens.retain(|_, token| token.by.to_lowercase() != own);
        });
        Ok(removed)
    }

    /// Whether an account, or the person at this machine, has this name.
    pub(crate) fn is_account(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        name == OWNER || self.known(|known| known.accounts.contains_key(&name))
    }

    fn known<T>(&self, look: impl FnOnce(&Known) -> T) -> T {
        look(&self.0.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn know<T>(&self, change: impl FnOnce(&mut Known) -> T) -> T {
        change(&mut self.0.known.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same, where somebody may be out after it.
    fn know_out<T>(&self, change: impl FnOnce(&mut Known) -> T) -> T {
        let changed = self.know(change);
        self.0.departures.send_replace(());
        changed
    }
}

/// How the server could be reached from elsewhere, if it could.
fn reached_from_outside(options: &AccessOptions, loopback: bool) -> Option<String> {
    if !loopback {
        return Some("the address can be reached from elsewhere".to_owned());
    }
    if !options.trust_proxy.is_empty() {
        return Some("a proxy stands in front (--trust-proxy)".to_owned());
    }
    let named = options.public_url.as_deref().and_then(|url| url::Url::parse(url).ok());
    let outside = named.is_some_and(|url| !url.host_str().is_some_and(is_loopback));
    outside.then(|| "people reach it from elsewhere (--public-url)".to_owned())
}

/// Makes the owner's account, or gives it the password that the environment has now.
async fn keep_owner(store: &SqliteStore, password: &str) -> Result<(), AccessError> {
    check_account_password(OWNER, password)?;
    let now = SystemClock.now();
    match store.account_password(OWNER).await? {
        Some((_, kept)) if is_password(password, &kept) == Some(true) => {}
        Some(_) => _ = store.change_account_password(OWNER, hash_password(password)?, now).await?,
        None => {
            let (name, scope) = (OWNER.to_owned(), Scope::Owner.as_str().to_owned());
            let account = Account { name, scope, created_ms: now, updated_ms: now };
            store.add_account(account, hash_password(password)?).await?;
        }
    }
    Ok(())
}

/// What a stored word means; the least when it is none of ours.
pub(crate) fn scope_of(word: &str) -> Scope {
    Scope::ALL.into_iter().find(|scope| scope.as_str() == word).unwrap_or(Scope::Read)
}

/// Somebody has to sign in first.
pub(crate) fn sign_in(detail: (&str, &str)) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "sign-in", detail)
}

/// A secret of so many random bytes.
pub(crate) fn secret(prefix: &str, bytes: usize) -> Result<String, Problem> {
    new_secret(prefix, bytes).map_err(|error| no_dice(error.in_both().0))
}

fn no_dice(detail: impl Into<Wording>) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no-random-numbers", detail)
        .hint(("this machine gives no random numbers; try again", "本机无法提供随机数；请重试"))
        .retry_after(1)
}
