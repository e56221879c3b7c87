//! A process that runs: its lines as they come, its stdin, its signals. A process that hangs fails
//! its test instead of blocking it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use crate::app::Said;

/// Far beyond what any command here takes, on a machine that is busy with other things, too.
const TIMEOUT: Duration = Duration::from_secs(120);

enum Heard {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// One run of the command. Dropping it ends the process.
pub struct TerminalSession {
    child: Child,
    args: Vec<String>,
    stdin: Option<Box<dyn Write + Send>>,
    heard: Receiver<Heard>,
    out: Vec<u8>,
    err: Vec<u8>,
    /// How much of `out` and `err` has been examined by waits.
    seen: (usize, usize),
    pub began: Instant,
}

impl TerminalSession {
    pub fn of(mut command: Command, args: &[&str]) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let began = Instant::now();
        let mut child = command.spawn().expect("the binary starts");
        let stderr = child.stderr.take().expect("stderr is piped");
        Self::watch(child, args, began, stderr)
    }

    /// Its stderr is a terminal, as it is for people.
    pub fn in_terminal(mut command: Command, args: &[&str]) -> Self {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&screen).and_then(|()| unlockpt(&screen)).expect("a terminal");
        let name = ptsname(&screen, Vec::new()).expect("it has a name").into_string().expect("a plain one");
        let end = OpenOptions::new().read(true).write(true).open(name).expect("its other end");
        command.stdout(Stdio::piped()).stderr(Stdio::from(end));
        let began = Instant::now();
        let child = command.spawn().expect("the binary starts");
        // Only the process itself holds the other end now, so that its end is the end.
        drop(command);
        Self::watch(child, args, began, File::from(screen))
    }

    /// A person sits in front of it: what it shows and what it reads is one terminal.
    pub fn of_person(mut command: Command, args: &[&str]) -> Self {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&screen).and_then(|()| unlockpt(&screen)).expect("a terminal");
        let name = ptsname(&screen, Vec::new()).expect("it has a name").into_string().expect("a plain one");
        let end = OpenOptions::new().read(true).write(true).open(name).expect("its other end");
        let keys = File::from(screen.try_clone().expect("a terminal"));
        command.stdin(end.try_clone().expect("its other end"));
        command.stdout(Stdio::piped()).stderr(Stdio::from(end));
        let began = Instant::now();
        let child = command.spawn().expect("the binary starts");
        drop(command);
        let mut this = Self::watch(child, args, began, File::from(screen));
        this.stdin = Some(Box::new(keys));
        this
    }

    fn watch(mut child: Child, args: &[&str], began: Instant, stderr: impl Read + Send + 'static) -> Self {
        let (sender, heard) = channel();
        listen(child.stdout.take().expect("stdout is piped"), sender.clone(), Heard::Out);
        listen(stderr, sender, Heard::Err);
        let stdin = child.stdin.take().map(|stdin| Box::new(stdin) as Box<dyn Write + Send>);
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Self { child, args, stdin, heard, out: Vec::new(), err: Vec::new(), seen: (0, 0), began }
    }

    /// Waits for an event on stdout of this type.
    #[track_caller]
    pub fn hears(&mut self, kind: &str) -> Value {
        self.hears_that(kind, |event| event["type"] == kind)
    }

    /// Waits for the first event on stdout, among those not yet waited for, that fits.
    #[track_caller]
    pub fn hears_that(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            while let Some(line) = next_line(&self.out, &mut self.seen.0) {
                let event: Value = serde_json::from_str(&line).expect("stdout is JSON");
                if fits(&event) {
                    return event;
                }
            }
            self.listen_on(what);
        }
    }

    /// Waits for a line on stderr that holds these words.
    #[track_caller]
    pub fn notes(&mut self, words: &str) -> String {
        loop {
            while let Some(line) = next_line(&self.err, &mut self.seen.1) {
                if line.contains(words) {
                    return line;
                }
            }
            self.listen_on(words);
        }
    }

    /// Waits until these words were shown, whether or not their line is finished.
    #[track_caller]
    pub fn notes_part(&mut self, words: &str) {
        while !String::from_utf8_lossy(&self.err[self.seen.1..]).contains(words) {
            self.listen_on(words);
        }
    }

    #[track_caller]
    fn listen_on(&mut self, what: &str) {
        if !self.listen_once() {
            panic!("waited for {what:?}, and it did not come: {}", self.so_far(None));
        }
    }

    pub fn types(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is piped");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the process reads its stdin");
    }

    /// Types this, and not Enter.
    pub fn types_keys(&mut self, keys: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is piped");
        write!(stdin, "{keys}").and_then(|()| stdin.flush()).expect("the process reads its stdin");
    }

    pub fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        kill_process(id, signal).expect("the process is there");
    }

    /// Ends it as a power cut would: no handler runs. What it had printed is kept.
    pub fn kill(mut self) -> Said {
        // One that has already ended by itself cannot be killed any more.
        _ = self.child.kill();
        self.end()
    }

    /// Waits for its end.
    pub fn end(mut self) -> Said {
        self.stdin = None;
        while self.listen_once() {}
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                break status.code();
            }
            assert!(self.began.elapsed() < TIMEOUT, "it closed its output and hangs: {}", self.so_far(None));
            std::thread::sleep(Duration::from_millis(1));
        };
        self.so_far(code)
    }

    /// Takes what comes next; `false` when all has been heard.
    #[track_caller]
    fn listen_once(&mut self) -> bool {
        match self.heard.recv_timeout(TIMEOUT.saturating_sub(self.began.elapsed())) {
            Ok(Heard::Out(line)) => self.out.extend(line),
            Ok(Heard::Err(line)) => self.err.extend(line),
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => panic!("it hangs: {}", self.so_far(None)),
        }
        true
    }

    fn so_far(&self, code: Option<i32>) -> Said {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { args: self.args.clone(), code, out: text(&self.out), err: text(&self.err) }
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn listen(from: impl Read + Send + 'static, heard: Sender<Heard>, as_what: fn(Vec<u8>) -> Heard) {
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            // What is painted comes without line breaks, too.
            let Ok(part) = from.fill_buf() else { return };
            let length = part.len();
            if length == 0 || heard.send(as_what(part.to_vec())).is_err() {
                return;
            }
            from.consume(length);
        }
    });
}

fn next_line(bytes: &[u8], seen: &mut usize) -> Option<String> {
    let rest = &bytes[*seen..];
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    *seen += end + 1;
    Some(String::from_utf8_lossy(&rest[..end]).into_owned())
}
