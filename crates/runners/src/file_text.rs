//! The text of a file, whatever encoding it is in, and whether it holds a secret.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use regex::RegexSet;

/// The number of bytes that tell what a file is.
pub const FILE_HEAD: usize = 8 << 10;

/// Names of files that hold keys and passwords, in lower case.
const SECRET_NAMES: [&str; 14] = [
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
    "secrets.yaml",
];
/// Endings of such names.
const SECRET_ENDINGS: [&str; 8] =
    [".pem", ".key", ".key.next", ".p12", ".pfx", ".jks", ".kdbx", ".db.server"];
/// Endings of templates of such files, which hold none.
const TEMPLATE_ENDINGS: [&str; 4] = [".example", ".sample", ".template", ".dist"];

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
    ])
    .expect("these are regular expressions")
});

/// Whether a file of this name usually holds keys or passwords.
pub fn is_secret_name(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).trim().to_lowercase();
    if TEMPLATE_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return false;
    }
    SECRET_NAMES.contains(&name.as_str())
        || name.starts_with(".env.")
        || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The first line of a text that holds a key, counted from 1.
pub fn find_secret(text: &str) -> Option<usize> {
    text.lines().position(|line| SECRETS.is_match(line)).map(|place| place + 1)
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
/// a browser could run is called text.
pub fn media_type(content: &[u8]) -> &'static str {
    let head = &content[..content.len().min(FILE_HEAD)];
    let known = infer::get(head).map(|kind| kind.mime_type());
    match known {
        Some(kind) if !kind.contains("html") && !kind.contains("xml") && !kind.contains("script") => kind,
        _ if is_text(head) => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
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
        for name in ["README.md", ".env.example", "keyboard.rs", "environment.yml", "monkey"] {
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
    fn what_a_browser_could_run_is_text() {
        assert_eq!(media_type(b"<!DOCTYPE html><script>alert(1)</script>"), "text/plain; charset=utf-8");
        assert_eq!(media_type(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "text/plain; charset=utf-8");
        assert_eq!(media_type(b"%PDF-1.7\n"), "application/pdf");
        assert_eq!(media_type(&[0, 1, 2, 0xff]), "application/octet-stream");
        let cut = &"会议".as_bytes()[..4];
        assert_eq!(media_type(cut), "text/plain; charset=utf-8");
    }
}
