//! Files that hold secrets: by their names, and by what stands in them.

use std::sync::LazyLock;

use regex::RegexSet;

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
const SECRET_ENDINGS: [&str; 6] = [".pem", ".key", ".p12", ".pfx", ".jks", ".kdbx"];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_keys_is_known_by_its_name() {
        for name in [".env", "app/.env.local", "deploy/id_rsa", "tls/server.KEY", "a\\b\\cert.pem"] {
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
        assert_eq!(find_secret("the task-runner asks for sk-learn and a desk-lamp"), None);
    }
}
