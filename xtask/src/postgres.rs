//! A PostgreSQL server for tests: the suite of the store runs against it, and three nodes share it while they are killed.
//!
//! The server runs in a temporary folder, which its user can reach wherever the repository lies, on a free port of this
//! machine, and ends with the tests.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::steps::{in_path, step, step_with};
use crate::web::{Skipped, binary, skip};

/// Where nodes leave their logs.
const NODES: &str = "target/nodes";
/// Where Debian's packages put programs that are not in `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The variable that tells tests of the server.
const SERVER: &str = "QUORATE_TEST_POSTGRES";

/// Runs the suite of the store against PostgreSQL, and meetings at three nodes that are killed.
///
/// # Errors
/// With the name of what failed, or when this machine lacks something and nothing may be left out.
pub fn test() -> Result<Skipped, String> {
    let Some(programs) = programs() else {
        return skip("PostgreSQL", "its server is not installed (Debian: postgresql)");
    };
    let server = Server::start(&programs)?;
    server.suite()?;
    if in_path(&["nats-server"]).is_none() {
        return skip("NATS", "its server is not installed (Debian: nats-server)");
    }
    server.meetings_of_nodes()?;
    server.nodes(&["--meetings", "12", "--kills", "6", "--restarts", "1", "--nats-kills", "1"])?;
    Ok(None)
}

/// Meetings at three nodes for as long as one likes; what follows goes to the script.
///
/// # Errors
/// With the name of what failed.
pub fn nodes(arguments: &[String]) -> Result<(), String> {
    let programs = programs().ok_or("the server of PostgreSQL is not installed (Debian: postgresql)")?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Server::start(&programs)?.nodes(&arguments)
}

/// The folder with the programs of the server.
fn programs() -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(DEBIAN).into_iter().flatten().flatten().map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    folders.reverse();
    folders.extend(in_path(&["initdb"]).as_deref().and_then(Path::parent).map(Path::to_owned));
    folders
        .into_iter()
        .find(|folder| ["initdb", "pg_ctl", "psql"].iter().all(|name| folder.join(name).is_file()))
}

struct Server {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Server {
    fn start(programs: &Path) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("quorate-postgres-{}", std::process::id()));
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = port.map_err(|error| error.to_string())?.port();
        // What a run before has left behind.
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let server = Self { programs: programs.to_owned(), folder, port };
        server.lend_folder()?;
        eprintln!("\nxtask: starting PostgreSQL at port {port}");
        let data = server.data();
        server.run("initdb", &["-D", &data, "-U", "quorate", "-A", "trust", "-E", "UTF8", "--locale=C"])?;
        let (folder, log) = (server.folder.display().to_string(), server.folder.join("log"));
        // Nothing here has to outlast a power cut; processes that die are what is tested. In the file of the server, so that
        // whoever restarts it has to know nothing.
        let settings = format!(
            "\nport = {port}\nunix_socket_directories = '{folder}'\nlisten_addresses = '127.0.0.1'\nfsync = off\n\
             max_connections = 300\n"
        );
        let file = server.folder.join("data/postgresql.conf");
        let written = OpenOptions::new().append(true).open(&file);
        written
            .and_then(|mut file| file.write_all(settings.as_bytes()))
            .map_err(|error| format!("{}: {error}", file.display()))?;
        server.run("pg_ctl", &["-D", &data, "-l", &log.display().to_string(), "-w", "start"])?;
        Ok(server)
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    /// The server does not run as root: it gets the folder, and runs as the user of Debian's packages.
    fn lend_folder(&self) -> Result<(), String> {
        if !is_root() {
            return Ok(());
        }
        let folder = self.folder.display().to_string();
        let lent = Command::new("chown").args(["postgres", &folder]).status();
        match lent.is_ok_and(|status| status.success()) {
            true => Ok(()),
            false => Err("a folder for PostgreSQL".to_owned()),
        }
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let path = self.programs.join(program);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(path);
                command
            }
            false => Command::new(path),
        };
        let done =
            command.args(arguments).current_dir("/").stdout(Stdio::null()).stderr(Stdio::null()).status();
        match done.is_ok_and(|status| status.success()) {
            true => Ok(()),
            false => Err(format!("{program} of PostgreSQL")),
        }
    }

    /// The address, to which the name of a database is added.
    fn address(&self) -> String {
        format!("postgres://quorate@127.0.0.1:{}/", self.port)
    }

    fn suite(&self) -> Result<(), String> {
        // What is about files of SQLite alone lies in modules of that name.
        let (runner, arguments): (&str, &[&str]) = match crate::has_nextest() {
            true => (
                "nextest",
                &["run", "--workspace", "--locked", "-E", "package(quorate-store) and not test(/sqlite/)"],
            ),
            false => (
                "test",
                &["-p", "quorate-store", "--locked", "--", "--skip", "sqlite", "--test-threads", "2"],
            ),
        };
        self.cargo("the suite of the store on PostgreSQL", runner, arguments)
    }

    fn meetings_of_nodes(&self) -> Result<(), String> {
        let (runner, arguments): (&str, &[&str]) = match crate::has_nextest() {
            true => (
                "nextest",
                &[
                    "run",
                    "--workspace",
                    "--locked",
                    "--run-ignored",
                    "only",
                    "-E",
                    "package(quorate-cli) and test(/^nodes::/)",
                ],
            ),
            false => {
                ("test", &["-p", "quorate-cli", "--locked", "--test", "it", "--", "--ignored", "nodes::"])
            }
        };
        self.cargo("several nodes on PostgreSQL", runner, arguments)
    }

    fn cargo(&self, name: &str, runner: &str, arguments: &[&str]) -> Result<(), String> {
        let all: Vec<&str> = [runner].into_iter().chain(arguments.iter().copied()).collect();
        step_with(name, "cargo", &all, ".", &[(SERVER, Path::new(&self.address()))])
    }

    fn nodes(&self, arguments: &[&str]) -> Result<(), String> {
        let Some(python) = in_path(&["python3", "python"]) else {
            return Err("Python for the nodes".to_owned());
        };
        let nats = in_path(&["nats-server"]).map(|path| path.display().to_string());
        let (quorate, data, address) = (binary()?.display().to_string(), self.data(), self.address());
        let program = |name: &str| self.programs.join(name).display().to_string();
        let (psql, pg_ctl) = (program("psql"), program("pg_ctl"));
        let mut all = vec!["xtask/nodes/run.py", "--quorate", &quorate, "--psql", &psql, "--pg-ctl", &pg_ctl];
        all.extend(["--pg-data", &data, "--server", &address, "--folder", NODES]);
        all.extend(nats.iter().flat_map(|program| ["--nats", program.as_str()]));
        all.extend(arguments);
        step("meetings at three nodes that are killed", &python.display().to_string(), &all, ".")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
        _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|user| String::from_utf8_lossy(&user.stdout).trim() == "0")
}
