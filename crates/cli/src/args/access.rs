//! Arguments of access: accounts, tokens, and the audit log.

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

const SCOPES: [&str; 4] = ["read", "speak", "manage", "owner"];

#[derive(Debug, Parser)]
#[command(
    after_help = "Without accounts, the server answers only requests from this machine with the local token. The \
    first account is the owner's; from then on, everybody signs in."
)]
pub(crate) struct AccountsArgs {
    #[command(subcommand)]
    pub(crate) task: AccountsTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountsTask {
    /// Create an account; its password is typed twice
    Add(AddAccountArgs),
    /// List the accounts
    List(ListAccountsArgs),
    /// Change the password of an account; all its sessions end
    Password(AccountPasswordArgs),
    /// Delete an account, with its sessions and access tokens
    Remove(AccountArgs),
}

#[derive(Debug, Parser)]
pub(crate) struct AddAccountArgs {
    /// The name, 1-50 characters
    pub(crate) name: String,

    /// The permissions [default: owner for the first account, speak for others]
    #[arg(long, value_parser = PossibleValuesParser::new(SCOPES))]
    pub(crate) scope: Option<String>,

    /// Read the password from the first line of stdin
    #[arg(long)]
    pub(crate) password_stdin: bool,

    /// Print the account as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct AccountPasswordArgs {
    /// The account
    pub(crate) name: String,

    /// Read the password from the first line of stdin
    #[arg(long)]
    pub(crate) password_stdin: bool,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct AccountArgs {
    /// The account
    pub(crate) name: String,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListAccountsArgs {
    /// Print one account per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(after_help = "Programs send the token in the header authorization: Bearer TOKEN.")]
pub(crate) struct TokensArgs {
    #[command(subcommand)]
    pub(crate) task: TokensTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokensTask {
    /// Create an access token for a program; it is shown only once
    Add(AddTokenArgs),
    /// List the access tokens, without their secrets
    List(ListTokensArgs),
    /// Revoke an access token
    Remove(RemoveTokenArgs),
}

#[derive(Debug, Parser)]
pub(crate) struct AddTokenArgs {
    /// The purpose, 1-100 characters
    pub(crate) name: String,

    /// The permissions
    #[arg(long, value_parser = PossibleValuesParser::new(SCOPES), default_value = "read")]
    pub(crate) scope: String,

    /// Restrict the token to one meeting: its id, the beginning of it, or `last` [default: all]
    #[arg(long, value_name = "ID")]
    pub(crate) meeting: Option<String>,

    /// The agent that answers its turns with the token, by the name of its seat [default: none]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// The account that the token acts for [default: the owner]
    #[arg(long, value_name = "ACCOUNT")]
    pub(crate) by: Option<String>,

    /// The lifetime in days, 1-3650 [default: unlimited]
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub(crate) days: Option<u32>,

    /// Print the access token as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct ListTokensArgs {
    /// Print one access token per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct RemoveTokenArgs {
    /// The token's id, as shown by the list
    pub(crate) id: String,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
pub(crate) struct AuditArgs {
    /// Only entries of this principal, such as user:owner
    #[arg(long, value_name = "PRINCIPAL")]
    pub(crate) by: Option<String>,

    /// Only this action, such as meetings.delete; a prefix ends with a dot, such as sign_in. for all sign-ins
    #[arg(long, value_name = "ACTION")]
    pub(crate) action: Option<String>,

    /// Only entries about this meeting, by its complete id
    #[arg(long, value_name = "ID")]
    pub(crate) meeting: Option<String>,

    /// The largest number of entries
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    pub(crate) limit: u32,

    /// The cursor that was printed at the end of the previous page
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,

    /// Print one entry per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
