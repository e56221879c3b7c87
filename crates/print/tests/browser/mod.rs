//! A page as a browser shows it once its script has run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The state of a page in a browser.
pub struct Seen {
    /// The page after its script, as HTML.
    pub dom: String,
}

impl Seen {
    /// Opens the page from a file, with this fragment in its address. Without a Chromium there is nothing
    /// to see, which is said, and is an error where `REQUIRE_BROWSER=1`.
    pub fn of(page: &str, fragment: &str) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let Some(browser) = browser() else {
            assert!(
                std::env::var("REQUIRE_BROWSER").is_err(),
                "REQUIRE_BROWSER is set and there is no Chromium"
            );
            eprintln!("SKIPPED: there is no Chromium; set CHROME to its path");
            return None;
        };
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the page");
        let file = folder.join("page.html");
        std::fs::write(&file, page).expect("the page is written");
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            // The clock of the page runs ahead: an hour of replay takes a moment.
            .args(["--virtual-time-budget=3600000", "--dump-dom"])
            .arg(format!("file://{}{fragment}", file.display()))
            .stderr(Stdio::null())
            .output()
            .expect("the browser runs");
        drop(std::fs::remove_dir_all(&folder));
        let dom = String::from_utf8(output.stdout).expect("a page is UTF-8");
        assert!(
            dom.contains("id=\"check\""),
            "the page's script did not run: {}",
            &dom[..dom.len().min(400)]
        );
        Some(Self { dom })
    }

    /// An attribute of the element with this id.
    pub fn attribute(&self, id: &str, name: &str) -> &str {
        self.tag(&format!("id=\"{id}\""), name)
    }

    /// An attribute of the line that says what the signature amounts to.
    pub fn of_signature(&self, name: &str) -> &str {
        self.tag("data-signature=\"", name)
    }

    /// An attribute of the bar with which the meeting is replayed.
    pub fn of_replay(&self, name: &str) -> &str {
        self.tag("class=\"replay\"", name)
    }

    fn tag(&self, mark: &str, name: &str) -> &str {
        let place = self.dom.find(&format!(" {mark}")).expect("the element is there");
        let begin = self.dom[..place].rfind('<').expect("it begins");
        let tag = &self.dom[begin..][..self.dom[begin..].find('>').expect("it ends")];
        let value = tag.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("{tag} has {name}")).1;
        value.split_once('"').expect("it is quoted").0
    }
}

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROME").map(PathBuf::from);
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    named.into_iter().chain(known.map(PathBuf::from)).find(|path| path.exists())
}
