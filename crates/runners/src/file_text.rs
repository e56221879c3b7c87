//! The text of a file, whatever encoding it is in, and whether it holds a secret.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use regex::{Regex, RegexSet};

/// The number of bytes that tell what a file is.
pub const FILE_HEAD: usize = 8 << 10;

/// Names of files that hold keys and passwords, in lower case.
const SECRET_NAMES: [&str; 16] = [
    ".env",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".pgpass",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "credentials",
    "credentials.json",
    "secrets.yaml",
    "secrets.yml",
];
/// Endings of such names.
const SECRET_ENDINGS: [&str; 12] = [
    ".env",
    ".pem",
    ".key",
    ".key.next",
    ".p12",
    ".pfx",
    ".ppk",
    ".jks",
    ".kdbx",
    ".tfvars",
    ".tfvars.json",
    ".db.server",
];
/// What the names of templates of such files end with, or are before the ending; templates hold none.
const TEMPLATES: [&str; 4] = ["example", "sample", "template", "dist"];

/// What keys look like.
static SECRETS: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new([
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----",
        r"\b(AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bsk-(ant-|proj-)?[A-Za-z0-9_-]{32,}",
        r"\bAIza[0-9A-Za-z_-]{35}\b",
        r"\bgh[pousr]_[A-Za-z0-9]{36,}\b",
        r"\bgithub_pat_[A-Za-z0-9_]{50,}\b",
        r"\bglpat-[A-Za-z0-9_-]{20,}\b",
        r"\bxox[abprs]-[A-Za-z0-9-]{20,}\b",
        // Tokens and secrets of this program.
        r"\bq[a-z]{1,3}_[0-9a-f]{32,}\b",
        r"\bwhsec_[A-Za-z0-9+/]{24,}",
        r"\bnpm_[A-Za-z0-9]{36}\b",
        r"\bhf_[A-Za-z0-9]{30,}\b",
        r"\b[rs]k_live_[A-Za-z0-9]{16,}",
        r#"(?i)\b(aws_)?secret_?access_?key["']?\s*[:=]\s*["']?[A-Za-z0-9/+]{40}([^A-Za-z0-9/+=]|$)"#,
        // A JSON Web Token: head, claims and signature.
        r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}",
    ])
    .expect("these are regular expressions")
});

/// The password in an address.
static PASSWORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[a-z][a-z0-9+.-]*://[^\s/:@"'`<>]*:([^\s/@"'`]+)@[^\s/@"'`]"#)
        .expect("a regular expression")
});

/// A sign-in that Docker keeps in its `config.json`.
static DOCKER_AUTH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#""auth"\s*:\s*"[A-Za-z0-9+/]{8,}=*""#).expect("a regular expression"));

/// Whether a file of this name usually holds keys or passwords.
pub fn is_secret_name(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).trim().to_lowercase();
    let is_template = |part: &str| TEMPLATES.contains(&part);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    if is_template(ending) || is_template(stem) {
        return false;
    }
    SECRET_NAMES.contains(&name.as_str())
        || name.starts_with(".env.")
        || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The first line of a text that holds a key, counted from 1.
pub fn find_secret(text: &str) -> Option<usize> {
    let is_of_docker = text.contains("\"auths\"");
    let is_secret = |line: &str| {
        SECRETS.is_match(line) || has_password(line) || is_of_docker && DOCKER_AUTH.is_match(line)
    };
    text.lines().position(is_secret).map(|place| place + 1)
}

/// Whether a password stands in an address of a line, and not a word or a variable in its place.
fn has_password(line: &str) -> bool {
    let is_meant = |password: &str| {
        let is_variable =
            password.contains(['{', '<', '>', '…']) || password.starts_with(['$', '%', '*', '[', '(']);
        let is_word = password.chars().all(|c| c.is_ascii_uppercase() || c == '_')
            || password.eq_ignore_ascii_case("password")
            || password.starts_with("...");
        !is_variable && !is_word
    };
    line.contains("://") && PASSWORD.captures_iter(line).any(|found| is_meant(&found[1]))
}

/// Bytes as text: UTF-8, UTF-16 with its mark, or the likeliest encoding of text. `None` when they are none.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let (encoding, content) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, bytes),
        None => {
            let mut detector = chardetng::EncodingDetector::new();
            detector.feed(bytes, true);
            (detector.guess(None, true), bytes)
        }
    };
    let (text, is_broken) = encoding.decode_without_bom_handling(content);
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    (!is_broken && text.chars().all(is_text))
        .then(|| text.replace("\r\n", "\n").replace(['\r', '\u{c}'], "\n"))
}

/// The media type of a file, by its first bytes ([`FILE_HEAD`]): text where it is text, a known type by its mark, bytes otherwise. What
/// a browser could run is called text. Of texts, the ending of the name says which are tables and Markdown.
pub fn media_type(name: &str, content: &[u8]) -> &'static str {
    let head = &content[..content.len().min(FILE_HEAD)];
    let known = infer::get(head).map(|kind| kind.mime_type());
    match known {
        Some(kind) if !kind.contains("html") && !kind.contains("xml") && !kind.contains("script") => kind,
        _ if is_text(head) => text_type(name),
        _ => "application/octet-stream",
    }
}

/// The media type of a text of this name.
fn text_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("csv") => "text/csv; charset=utf-8",
        Some("md" | "markdown") => "text/markdown; charset=utf-8",
        Some(_) | None => "text/plain; charset=utf-8",
    }
}

/// Whether bytes are UTF-8 without control characters; they may end within a character.
fn is_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_in_the_encodings_that_people_use() {
        let words = "地区,成本\n华东,1200\n华南,900\n合计数量与说明文字\n";
        let (gbk, _, _) = encoding_rs::GBK.encode(words);
        assert_eq!(decode(&gbk).as_deref(), Some(words));
        let mut utf16 = vec![0xff, 0xfe];
        utf16.extend(words.encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(decode(&utf16).as_deref(), Some(words));
        assert_eq!(decode("\u{feff}a\r\nb\rc".as_bytes()).as_deref(), Some("a\nb\nc"));
        assert_eq!(decode(b"").as_deref(), Some(""));
    }

    #[test]
    fn bytes_are_no_text() {
        assert_eq!(decode(&[0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), None);
        assert_eq!(decode(b"a\0b"), None);
    }

    #[test]
    fn a_file_of_keys_is_known_by_its_name() {
        for name in [
            ".env",
            "app/.env.local",
            "deploy/id_rsa",
            "tls/server.KEY",
            "a\\b\\cert.pem",
            "q/quorate.db.server",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "prod.env",
            "deploy/staging.ENV",
            "secrets.yml",
            "credentials.json",
            "server.ppk",
            "prod.tfvars",
            "prod.auto.tfvars.json",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "README.md",
            ".env.example",
            "example.env",
            "terraform.tfvars.example",
            "keyboard.rs",
            "environment.yml",
            "env",
            "env.rs",
            "secrets.md",
            "credentials.rs",
            "config.json",
            "variables.tf",
            "monkey",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn a_key_is_known_by_its_shape() {
        let key = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
        assert_eq!(find_secret(&format!("first\n{key}\n")), Some(2));
        assert_eq!(find_secret(&format!("key = AKIA{}", "ABCDEFGH12345678")), Some(1));
        let own = format!("{{\"page\":\"http://127.0.0.1:7420/?token=ql_{}\"}}", "07ed17ef".repeat(8));
        assert_eq!(find_secret(&own), Some(1));
        assert_eq!(find_secret("the task-runner asks for sk-learn and a desk-lamp"), None);
    }

    #[test]
    fn keys_of_more_vendors_are_known_by_their_shape() {
        let forty = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYZ0123456789".get(..40).expect("forty letters");
        let docker =
            format!("{{\n\"auths\": {{\n\"r.io\": {{\n\"auth\": \"{}=\"\n}}}}}}", "dXNlcjpwYXNz".repeat(2));
        let jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"];
        for secret in [
            format!("//registry.npmjs.org/:_authToken=npm_{}", "aB3".repeat(12)),
            format!("HF_TOKEN=hf_{}", "aBcDe".repeat(7)),
            format!("stripe: sk_live_{}", "a1B2".repeat(6)),
            format!("stripe: rk_live_{}", "a1B2".repeat(6)),
            format!("aws_secret_access_key = {forty}"),
            format!("\"SecretAccessKey\": \"{forty}\","),
            format!("AWS_SECRET_ACCESS_KEY={forty}"),
            format!("DATABASE_URL=postgres://app:{}@db.internal/prod", "hunter2"),
            format!("see https://user:{}@host/path", "pass"),
            format!("redis://:{}@cache:6379", "s3cr3t!"),
            format!("Authorization: Bearer {}", jwt.join(".")),
        ] {
            assert_eq!(find_secret(&secret), Some(1), "{secret}");
        }
        assert_eq!(find_secret(&docker), Some(4), "{docker}");
    }

    #[test]
    fn what_only_looks_like_a_key_is_none() {
        for plain in [
            "git clone https://user@host/repo.git",
            "postgres://host:5432/db and postgres://user@host:5432/db",
            "ssh://git@github.com:22/a/b, http://[::1]:8080/a@b",
            "npm_config_registry=https://registry.npmjs.org npm_lifecycle_event",
            "from hf_hub import hf_hub_download; hf_transfer",
            "a token begins with eyJ, such as eyJhbGciOiJIUzI1NiJ9",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0 has no signature",
            "use sk_live_ keys in production and sk_test_ keys elsewhere",
            "aws_secret_access_key = ${SECRET}",
            "aws_secret_access_key is a setting of 40 letters",
            "--db postgres://USER:PASSWORD@HOST/NAME",
            "postgres://${USER}:${PASS}@host/db, postgres://<user>:<password>@host, amqp://{user}:{secret}@host",
            "https://user:password@example.com is the form of such an address",
            "at 10:30 write to mailto:a@b, see https://a.example/x:y and c@d.example",
            "{\"auth\": \"dXNlcjpwYXNzd29yZA==\"}",
            "{\"auths\": {}, \"auth\": \"oauth2\"}",
        ] {
            assert_eq!(find_secret(plain), None, "{plain}");
        }
    }

    #[test]
    fn the_ending_says_what_a_text_is() {
        for (name, content, expected) in [
            ("costs.csv", &b"a,b\n1,2\n"[..], "text/csv; charset=utf-8"),
            ("docs/NOTES.MD", b"# It\n", "text/markdown; charset=utf-8"),
            ("a.markdown", b"# It\n", "text/markdown; charset=utf-8"),
            ("a.rs", b"fn main() {}\n", "text/plain; charset=utf-8"),
            ("md", b"words\n", "text/plain; charset=utf-8"),
            ("page.md", b"<!DOCTYPE html><script>alert(1)</script>", "text/markdown; charset=utf-8"),
        ] {
            assert_eq!(media_type(name, content), expected, "{name}");
        }
    }

    #[test]
    fn what_a_browser_could_run_is_text() {
        assert_eq!(
            media_type("a.html", b"<!DOCTYPE html><script>alert(1)</script>"),
            "text/plain; charset=utf-8"
        );
        assert_eq!(
            media_type("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
            "text/plain; charset=utf-8"
        );
        assert_eq!(media_type("a.md", b"%PDF-1.7\n"), "application/pdf");
        assert_eq!(media_type("a.csv", &[0, 1, 2, 0xff]), "application/octet-stream");
        let cut = &"会议".as_bytes()[..4];
        assert_eq!(media_type("notes", cut), "text/plain; charset=utf-8");
    }
}
