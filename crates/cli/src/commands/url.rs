//! Says where the server that holds the database can be opened.

use std::process::ExitCode;

use super::print;
use crate::args::UrlArgs;
use crate::error::{CliError, ErrorKind};
use crate::place::Place;
use crate::remote;
use crate::speech::Speech;

/// Prints the address that lets a browser in.
pub(crate) fn url(place: &Place, args: UrlArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let Some(server) = remote::running(place)? else {
        return Err(CliError::new(
            speech.pick(
                format!("没有服务在使用数据库 {}", place.db.display()),
                format!("no server uses the database {}", place.db.display()),
            ),
            format!("{}{}", speech.pick("启动一个：", "start one: "), place.command("serve")),
        )
        .of(ErrorKind::NotFound));
    };
    match args.json {
        true => print(&serde_json::to_string(&server).expect("an announcement has only text")),
        false => print(&server.page),
    }
    if args.open
        && let Err(error) = open::that_detached(&server.page)
    {
        anstream::eprintln!("{} {error}", speech.pick("浏览器打不开：", "the browser could not be opened:"));
    }
    Ok(ExitCode::SUCCESS)
}
