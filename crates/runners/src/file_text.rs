//! The text of a file, whatever encoding it is in, and whether it holds a secret.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use regex::{Regex, RegexSet};

/// The number of bytes that tell what a file is.
pub const FILE_HEAD: usize = 8 << 10;

/// Names of files that hold keys and passwords, in lower case.
const SECRET_NAMES: [&str; 21] = [
    ".env",
    ".envrc",
    ".dockercfg",
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
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "credentials",
    "credentials.json",
    "secrets.yaml",
    "secrets.yml",
    "secrets.json",
];
/// Endings of such names.
const SECRET_ENDINGS: [&str; 14] = [
    ".env",
    ".pem",
    ".p8",
    ".keystore",
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
        r"\b[rs]k_(live|test)_[A-Za-z0-9]{16,}",
        r"\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b",
        r"\bxai-[A-Za-z0-9]{40,}",
        r"\bgsk_[A-Za-z0-9]{40,}",
        r"\bpplx-[A-Za-z0-9]{40,}",
        r"\bxapp-[A-Za-z0-9-]{20,}",
        r"\bGOCSPX-[A-Za-z0-9_-]{28}",
        r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
        r"\bdop_v1_[0-9a-f]{64}\b",
        r"\bAccountKey=[A-Za-z0-9+/]{80,}={0,2}",
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
    // Signs that nobody sees make no other name.
    let is_seen = |c: &char| {
        !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
    };
    let name: String = path.rsplit(['/', '\\']).next().unwrap_or(path).chars().filter(is_seen).collect();
    let name = name.trim().to_lowercase();
    let is_template = |part: &str| TEMPLATES.contains(&part);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    if is_template(ending) || is_template(stem) {
        return false;
    }
    SECRET_NAMES.contains(&name.as_str())
        || name.strip_prefix(".env").is_some_and(|rest| rest.starts_with(['.', '-', '_', '~']))
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

/// Whether bytes that are no text hold a key all the same: with signs that texts do not have among its own, behind a picture,
/// or in an encoding in which each letter has zeros.
pub fn hides_secret(bytes: &[u8]) -> bool {
    let plain: Vec<u8> = bytes.iter().copied().filter(|byte| *byte >= b' ' || *byte == b'\n').collect();
    find_secret(&String::from_utf8_lossy(&plain)).is_some()
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

/// Bytes as text: UTF-8, UTF-16, or the likeliest encoding of text. `None` when they are none.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let (_, text) = decoded(bytes, true)?;
    Some(text.replace("\r\n", "\n").replace(['\r', '\u{c}'], "\n"))
}

/// Bytes as text, and their encoding. What is not the whole of a file may end within a character.
fn decoded(bytes: &[u8], is_whole: bool) -> Option<(&'static Encoding, String)> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return text_in(encoding, &bytes[mark..], is_whole);
    }
    if let Some(text) = text_in(UTF_8, bytes, is_whole) {
        return Some(text);
    }
    // No text in another encoding than UTF-16 has zeros.
    if bytes.contains(&0) {
        let read = [UTF_16LE, UTF_16BE].map(|encoding| text_in(encoding, bytes, is_whole));
        return read.into_iter().flatten().find(|(_, text)| is_of_letters(text));
    }
    let mut detector = chardetng::EncodingDetector::new();
    detector.feed(bytes, is_whole);
    text_in(detector.guess(None, true), bytes, is_whole)
}

/// Bytes as text in an encoding, when they are text in it.
fn text_in(encoding: &'static Encoding, bytes: &[u8], is_whole: bool) -> Option<(&'static Encoding, String)> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(decoder.max_utf8_buffer_length(bytes.len())?);
    let (_, _, is_broken) = decoder.decode_to_string(bytes, &mut text, is_whole);
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    (!is_broken && text.chars().all(is_text)).then_some((encoding, text))
}

/// Whether a text consists of what people write. Any two bytes are some letter of UTF-16, most of them of no language.
fn is_of_letters(text: &str) -> bool {
    let is_written = |c: &char| {
        c.is_ascii()
            || matches!(c, '\u{a0}'..='\u{52f}' | '\u{2010}'..='\u{2044}' | '\u{3000}'..='\u{30ff}')
            || matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffef}')
    };
    let has_ascii = text.chars().any(|c| c.is_ascii());
    has_ascii && text.chars().filter(is_written).count() * 10 >= text.chars().count() * 9
}

/// Media types of files that can be text by their bytes and are known by their first words.
const OF_WORDS: [&str; 2] = ["application/pdf", "application/rtf"];

/// The media type of a file, by its first bytes ([`FILE_HEAD`]): text where it is text, with its encoding, a known type by
/// its mark, bytes otherwise. What a browser could run is called text. Of texts, the ending of the name says which are
/// tables and Markdown.
pub fn media_type(name: &str, content: &[u8]) -> String {
    let head = &content[..content.len().min(FILE_HEAD)];
    let known = infer::get(head).map(|kind| kind.mime_type());
    let known =
        known.filter(|kind| !kind.contains("html") && !kind.contains("xml") && !kind.contains("script"));
    if let Some(kind) = known.filter(|kind| OF_WORDS.contains(kind)) {
        return kind.to_owned();
    }
    // The mark of some types is a word, such as `BM` of a picture.
    match (decoded(head, false), known) {
        (Some((encoding, _)), _) => {
            format!("{}; charset={}", text_type(name), encoding.name().to_ascii_lowercase())
        }
        (None, Some(kind)) => kind.to_owned(),
        (None, None) => "application/octet-stream".to_owned(),
    }
}

/// The media type of a text of this name.
fn text_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("csv") => "text/csv",
        Some("md" | "markdown") => "text/markdown",
        Some(_) | None => "text/plain",
    }
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
    fn a_text_in_any_usual_encoding_is_read_and_named_as_text() {
        let chinese = "会议记录：第一季度各地区的成本与收入说明，供讨论时参考。\n华东,1200\n";
        let traditional = "會議紀錄：第一季度各地區的成本與收入說明，供討論時參考。\n華東,1200\n";
        let japanese = "会議の記録です。各地域の費用について、次のとおり説明します。\n東,1200\n";
        let french = "Coûts de la région, à vérifier avant l’été : voilà le détail déjà noté.\n";
        let utf16 =
            |text: &str, of: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(of).collect::<Vec<u8>>();
        for (text, bytes, charset) in [
            (chinese, encoding_rs::GBK.encode(chinese).0.into_owned(), "gbk"),
            (traditional, encoding_rs::BIG5.encode(traditional).0.into_owned(), "big5"),
            (japanese, encoding_rs::SHIFT_JIS.encode(japanese).0.into_owned(), "shift_jis"),
            (french, encoding_rs::WINDOWS_1252.encode(french).0.into_owned(), "windows-1252"),
            (chinese, utf16(chinese, u16::to_le_bytes), "utf-16le"),
            (french, utf16(french, u16::to_be_bytes), "utf-16be"),
            (chinese, chinese.as_bytes().to_vec(), "utf-8"),
        ] {
            assert_eq!(decode(&bytes).as_deref(), Some(text), "{charset}");
            assert_eq!(media_type("notes.txt", &bytes), format!("text/plain; charset={charset}"));
            // Of a long file the head is looked at, which can end within a character.
            let long = bytes.repeat(FILE_HEAD / bytes.len() + 2);
            for cut in 0..4 {
                let kind = media_type("notes.txt", &long[..FILE_HEAD + cut]);
                assert_eq!(kind, format!("text/plain; charset={charset}"));
            }
        }
        // The mark of a type is no mark in a text.
        assert_eq!(media_type("a.txt", b"BMW first, MZ second\n"), "text/plain; charset=utf-8");
        assert_eq!(media_type("a.txt", &[b'B', b'M', 0x36, 0, 0, 0, 0, 0, 0, 0, 0x36, 0]), "image/bmp");
    }

    #[test]
    fn a_key_among_bytes_is_found() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n";
        let picture = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13];
        assert!(hides_secret(&[&picture[..], key.as_bytes()].concat()));
        assert!(hides_secret(key.replace("RSA", "R\u{1b}SA").as_bytes()));
        assert!(hides_secret(&key.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>()));
        assert!(!hides_secret(&picture.repeat(1000)));
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
