//! Clients of the interface, generated from `docs/openapi.json` by two common generators each for TypeScript and Python:
//! each holds a whole simulated meeting with the real server, and so does each quick start of `docs/api.md`. The official
//! clients of the Model Context Protocol take part in meetings and convene them, the SDKs of the Agent2Agent protocol hold
//! them and take seats, and so do agents of Microsoft Agent Framework and of the Agent Client Protocol.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::fingerprint::fingerprint;
use crate::node::{self, NPM};
use crate::steps::step_with;
use crate::web::{Skipped, binary, skip};

const TYPESCRIPT: &str = "clients/typescript";
const PYTHON: &str = "clients/python";
/// Everything that is generated for Python, and the database of the server.
const BUILT: &str = "target/clients";
/// How long the server may take to start.
const START: Duration = Duration::from_secs(30);
/// The address that the quick starts of the documentation use, and the token that stands there for one's own.
const DOCUMENTED: [&str; 2] = ["http://127.0.0.1:7420", "YOUR_TOKEN"];

/// Generates the clients and holds their meetings.
///
/// # Errors
/// With the name of what failed, or when this machine lacks something and nothing may be left out.
pub fn test() -> Result<Skipped, String> {
    if let Err(what) = node::look() {
        return skip("the generated clients", &what);
    }
    let Some(python) = python() else {
        return skip("the generated clients", "Python 3.11 or newer with `venv` is missing");
    };
    let server = Server::start()?;
    typescript(&server)?;
    python_clients(&server, &python)?;
    for (name, script) in [
        ("meetings with the SDKs of the Agent2Agent protocol", "clients/a2a/test.sh"),
        ("seats for Microsoft Agent Framework", "adapters/python/test.sh"),
        ("agents made with the SDK of the Agent Client Protocol", "crates/runners/tests/acp/sdk/test.sh"),
    ] {
        run(&server, name, "sh", &[script], ".")?;
    }
    Ok(None)
}

fn typescript(server: &Server) -> Result<(), String> {
    let installed = format!("{TYPESCRIPT}/node_modules/.quorate-installed");
    let lists =
        fingerprint(&[&format!("{TYPESCRIPT}/package.json"), &format!("{TYPESCRIPT}/package-lock.json")])?;
    let npm = |name: &str, arguments: &[&str]| run(server, name, NPM, arguments, TYPESCRIPT);
    if fs::read_to_string(&installed).is_ok_and(|stamp| stamp != lists) || !Path::new(&installed).is_file() {
        npm("fetching the generators for TypeScript", &["ci"])?;
        fs::write(&installed, &lists).map_err(|error| format!("{installed}: {error}"))?;
    }
    npm("generating clients for TypeScript", &["run", "--silent", "generate"])?;
    write(&format!("{TYPESCRIPT}/generated/quickstart.ts"), &server.quick_start("ts")?)?;
    npm("the types of the clients", &["run", "--silent", "types"])?;
    npm("a meeting with openapi-fetch", &["run", "--silent", "openapi-fetch"])?;
    npm("a meeting with @hey-api/openapi-ts", &["run", "--silent", "hey-api"])?;
    npm("a room over the Model Context Protocol in TypeScript", &["run", "--silent", "mcp"])?;
    npm("the quick start in TypeScript", &["run", "--silent", "quickstart"])
}

fn python_clients(server: &Server, python: &str) -> Result<(), String> {
    let environment = absolute(BUILT)?.join("venv");
    let folder = programs()?;
    let program = |name: &str| folder.join(name).display().to_string();
    let list = format!("{PYTHON}/requirements.txt");
    let (installed, lists) = (environment.join(".quorate-installed"), fingerprint(&[&list])?);
    let go = |name: &str, program: &str, arguments: &[&str]| run(server, name, program, arguments, ".");
    if !fs::read_to_string(&installed).is_ok_and(|stamp| stamp == lists) {
        let place = environment.display().to_string();
        go("an environment for Python", python, &["-m", "venv", "--clear", &place])?;
        let arguments =
            ["-m", "pip", "install", "--quiet", "--require-hashes", "--only-binary=:all:", "-r", &list];
        go("fetching the generators for Python", &program("python"), &arguments)?;
        fs::write(&installed, &lists).map_err(|error| format!("{}: {error}", installed.display()))?;
    }
    let document = "docs/openapi.json";
    let first = format!("{BUILT}/generated/quorate_client");
    go(
        "generating a client with openapi-python-client",
        &program("openapi-python-client"),
        &[
            "generate",
            "--fail-on-warning",
            "--overwrite",
            "--meta",
            "none",
            "--config",
            &format!("{PYTHON}/generator.yaml"),
            "--path",
            document,
            "--output-path",
            &first,
        ],
    )?;
    let second = format!("{BUILT}/generated");
    let parts = "models,apis,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";
    go(
        "generating a client with OpenAPI Generator",
        &program("openapi-generator-cli"),
        &[
            "generate",
            "--generator-name",
            "python",
            "--input-spec",
            document,
            "--output",
            &second,
            "--package-name",
            "quorate_sdk",
            "--global-property",
            parts,
        ],
    )?;
    write(&format!("{BUILT}/generated/quickstart.py"), &server.quick_start("python")?)?;
    for (name, file) in [
        (
            "a meeting with openapi-python-client",
            format!("{PYTHON}/sessions/session_openapi_python_client.py"),
        ),
        ("a meeting with OpenAPI Generator", format!("{PYTHON}/sessions/session_openapi_generator.py")),
        ("a room over the Model Context Protocol in Python", format!("{PYTHON}/sessions/session_mcp.py")),
        ("the quick start in Python", format!("{BUILT}/generated/quickstart.py")),
    ] {
        go(name, &program("python"), &[&file])?;
    }
    Ok(())
}

/// A step that knows the server, and where the modules of Python are generated.
fn run(server: &Server, name: &str, program: &str, arguments: &[&str], folder: &str) -> Result<(), String> {
    let generated = absolute(BUILT)?.join("generated");
    // A generator calls a formatter that was installed beside it.
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(programs()?).chain(std::env::split_paths(&before));
    let path = PathBuf::from(std::env::join_paths(folders).map_err(|error| error.to_string())?);
    let (url, token) = (PathBuf::from(&server.url), PathBuf::from(&server.token));
    let quorate = binary()?;
    // The generator written in Java speaks of each file that it writes.
    let java = PathBuf::from("-Dlog.level=error");
    let environment: [(&str, &Path); 7] = [
        ("QUORATE_BIN", &quorate),
        ("PATH", &path),
        ("QUORATE_URL", &url),
        ("QUORATE_TOKEN", &token),
        ("PYTHONPATH", &generated),
        ("PYTHONDONTWRITEBYTECODE", Path::new("1")),
        ("JAVA_OPTS", &java),
    ];
    step_with(name, program, arguments, folder, &environment)
}

/// Where the environment of Python has its programs.
fn programs() -> Result<PathBuf, String> {
    Ok(absolute(BUILT)?.join("venv").join(if cfg!(windows) { "Scripts" } else { "bin" }))
}

/// The newest Python of this machine that the generators run on.
/// Python, when it is new enough.
pub fn python() -> Option<String> {
    let suits = |program: &&str| {
        let asked = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
        let asked =
            Command::new(program).args(["-c", asked]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    ["python3", "python"].into_iter().find(suits).map(str::to_owned)
}

/// A server with a database of its own. Dropping it stops it.
struct Server {
    process: Child,
    url: String,
    token: String,
}

impl Server {
    fn start() -> Result<Self, String> {
        let folder = absolute(BUILT)?.join("server");
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let database = folder.join("quorate.db");
        eprintln!("\nxtask: starting a server");
        let process = Command::new(binary()?)
            .args(["serve", "--port", "0", "--pace", "instant", "--log", "warning", "--db"])
            .arg(&database)
            .env("QUORATE_LANG", "en")
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("starting a server ({error})"))?;
        let mut server = Self { process, url: String::new(), token: String::new() };
        let begun = Instant::now();
        while begun.elapsed() < START {
            let told = fs::read_to_string(folder.join("quorate.db.server")).unwrap_or_default();
            if let (Some(url), Some(token)) = (field(&told, "url"), field(&told, "token")) {
                (server.url, server.token) = (url, token);
                return Ok(server);
            }
            sleep(Duration::from_millis(50));
        }
        Err("starting a server".to_owned())
    }

    /// The first example in a language in `docs/api.md`, with the address and the token of this server.
    fn quick_start(&self, language: &str) -> Result<String, String> {
        let text = fs::read_to_string("docs/api.md").map_err(|error| format!("docs/api.md: {error}"))?;
        let code =
            example(&text, language).ok_or_else(|| format!("docs/api.md has no example in {language}"))?;
        let [url, token] = DOCUMENTED;
        if !code.contains(url) || !code.contains(token) {
            return Err(format!("the example in {language} of docs/api.md says neither {url} nor {token}"));
        }
        Ok(code.replace(url, &self.url).replace(token, &self.token))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The first block of code in a language.
fn example<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let (_, after) = text.split_once(&format!("```{language}\n"))?;
    after.split_once("\n```").map(|(code, _)| code)
}

/// A text field of a flat JSON object.
fn field(json: &str, name: &str) -> Option<String> {
    let (_, after) = json.split_once(&format!("\"{name}\":\""))?;
    after.split_once('"').map(|(value, _)| value.to_owned())
}

fn write(path: &str, text: &str) -> Result<(), String> {
    fs::write(path, format!("{text}\n")).map_err(|error| format!("{path}: {error}"))
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_the_first_block_in_its_language() {
        let text = "# Title\n```sh\nnpm\n```\n```ts\nlet a;\nlet b;\n```\n```ts\nlet c;\n```\n";
        assert_eq!(example(text, "ts"), Some("let a;\nlet b;"));
        assert_eq!(example(text, "python"), None);
    }

    #[test]
    fn the_server_says_where_it_is() {
        let told =
            r#"{"pid":1,"url":"http://127.0.0.1:7","page":"http://127.0.0.1:7/?token=ql_1","token":"ql_1"}"#;
        assert_eq!(field(told, "url").as_deref(), Some("http://127.0.0.1:7"));
        assert_eq!(field(told, "token").as_deref(), Some("ql_1"));
        assert_eq!(field(told, "port"), None);
    }
}
